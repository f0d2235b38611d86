import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { idInput, line } from "../../kernel/wire.ts";
import { aboutTokens, aboutUsage } from "./descriptions.ts";

/** The body of a report of usage. */

const MAX_TOKENS = 1_000_000_000;
const MAX_USD = 10_000;

const count = z.number().int().min(0).max(MAX_TOKENS).nullable().optional();
const Kinds = inputPart(aboutTokens, { input: count, output: count, cache_read: count, cache_write: count });

export const AgentUsageInput = input("AgentUsageInput", aboutUsage, {
  tokens_in: count,
  tokens_out: count,
  cached_tokens: count,
  cache_write_tokens: count,
  tokens: z
    .union([z.number().int().min(0).max(MAX_TOKENS), Kinds], {
      error: () =>
        `must be a whole number up to ${MAX_TOKENS}, or an object with input, output, cache_read and cache_write`,
    })
    .nullable()
    .optional(),
  cost_usd: z.number().min(0).max(MAX_USD).nullable().optional(),
  model: line(0, 64).nullable().optional(),
  turn_id: line(1, 100).nullable().optional(),
  agent_id: idInput.nullable().optional(),
});
export type AgentUsageInput = z.output<typeof AgentUsageInput>;

/** Tokens as they were reported. Null: nothing was said about them. */
export type ReportedTokens = {
  tokens_in: number | null;
  tokens_out: number | null;
  cached_tokens: number | null;
  cache_write_tokens: number | null;
};

const DIRECT = ["tokens_in", "tokens_out"] as const;
const OF_CACHE = ["cached_tokens", "cache_write_tokens"] as const;

/** The tokens of a body, in whatever form it has them. @throws Refusal mutually_exclusive */
export function tokensOf({ tokens, ...body }: AgentUsageInput): ReportedTokens {
  const cache = { cached_tokens: body.cached_tokens ?? null, cache_write_tokens: body.cache_write_tokens ?? null };
  if (tokens === undefined || tokens === null) {
    return { tokens_in: body.tokens_in ?? null, tokens_out: body.tokens_out ?? null, ...cache };
  }
  const alone: readonly (keyof typeof body)[] = typeof tokens === "number" ? DIRECT : [...DIRECT, ...OF_CACHE];
  const other = alone.find((name) => (body[name] ?? null) !== null);
  if (other) refuse("mutually_exclusive", { fields: ["tokens", other] });
  if (typeof tokens === "number") {
    const tokens_out = Math.floor(tokens / 5);
    return { tokens_in: tokens - tokens_out, tokens_out, ...cache };
  }
  return {
    tokens_in: tokens.input ?? null,
    tokens_out: tokens.output ?? null,
    cached_tokens: tokens.cache_read ?? null,
    cache_write_tokens: tokens.cache_write ?? null,
  };
}
