import type { z } from "zod";
import { type Ctx, nameItem } from "../../domain/kernel/context.ts";
import { Refusal } from "../../domain/kernel/errors.ts";
import { type DecodeOptions, decodeBody } from "./decode.ts";
import type { BulkRow } from "./operation.ts";

/** Bulk calls. Items are independent: if one fails, the others are still stored. */

export const bulkCost = (body: { items: unknown[] }): number => Math.ceil(body.items.length / 10);

/** Checks every item against its schema. An invalid item affects only its own result. */
export function decodeItems(
  ctx: Ctx,
  schema: z.ZodType,
  items: unknown[],
  options: Pick<DecodeOptions, "lenient" | "shown">,
): unknown[] {
  return items.map((item, index) => {
    const warned = ctx.warnings.length;
    const decoded = attempt(() => decodeBody(schema, item, { ...options, creating: true, warnings: ctx.warnings }));
    nameItem(ctx.warnings, warned, index);
    return decoded;
  });
}

/** The result of `work`, or the reason why it was refused. */
export function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** One row per item, in the order of the request. */
export function bulkRows(results: readonly unknown[]): BulkRow[] {
  return results.map((result, index) =>
    result instanceof Refusal
      ? { index, ok: false, status: result.status, error: bulkError(result) }
      : { index, ok: true, data: result },
  );
}

const bulkError = (refusal: Refusal) => ({
  code: refusal.definition.coarse,
  message: refusal.message,
  details: { code: refusal.code, ...refusal.details },
});
