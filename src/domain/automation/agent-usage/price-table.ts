import { z } from "zod";
import type { ModelPrices, Rates } from "../../kernel/settings.ts";
import shipped from "./prices.json" with { type: "json" };

/** Tables of models' prices: the one that ships with the service, and those of operators, who write the same JSON. */

/** Decimal places of a rate that count. */
const PLACES = 6;
const rate = z
  .number()
  .min(0)
  .max(10_000)
  .refine((usd) => Number(usd.toFixed(PLACES)) === usd, { message: `must have at most ${PLACES} decimal places` })
  .transform((usd) => BigInt(Math.round(usd * 10 ** PLACES)));
const rates = z.strictObject({ input: rate, cache_read: rate, cache_write: rate, output: rate });

const PLAIN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const table = z.strictObject({
  date: z.string().regex(/^\d{4}-\d{2}(-\d{2})?$/, "must be a date such as 2026-11"),
  models: z.record(
    z.string().regex(PLAIN, "must be the beginning of a model's name in lower case, with dashes for dots"),
    rates,
  ),
  default: rates.optional(),
});

/**
 * Reads a table: `{date, models: {<beginning of a name>: {input, cache_read, cache_write, output}}, default?}`, in US
 * dollars for a million tokens.
 * @throws Error that names what is wrong
 */
export function readPrices(json: unknown): ModelPrices {
  const parsed = table.safeParse(json);
  if (!parsed.success) {
    const [first] = parsed.error.issues as [z.core.$ZodIssue];
    // For a key, the message itself says only that it is invalid.
    const { message } = first.code === "invalid_key" ? first.issues[0]! : first;
    throw new Error(`${first.path.join(".") || "the table"}: ${message}`);
  }
  const { date, models, default: others } = parsed.data;
  return { date, models: new Map<string, Rates>(Object.entries(models)), others: others ?? null };
}

export const SHIPPED_PRICES: ModelPrices = readPrices(shipped);
