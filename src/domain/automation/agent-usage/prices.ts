import type { ModelPrices, Rates } from "../../kernel/settings.ts";
import { closest } from "../../kernel/text.ts";

/** What a turn of a model costs. All sums are whole numbers, so nothing is lost to rounding in between. */

export type Tokens = {
  /** All input tokens. Those that were read from or written to a cache are part of them. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
};

export type Price = {
  /** The name in the table that matched, or `default`. */
  match: string;
  rates: Rates;
};

/** The price of a model. The longest name in the table that the model's name begins with counts. */
export function priceOf(prices: ModelPrices, model: string): Price | null {
  const name = plainName(model);
  for (let end = name.length; end > 0; end = name.lastIndexOf("-", end - 1)) {
    const match = name.slice(0, end);
    const rates = prices.models.get(match);
    if (rates) return { match, rates };
  }
  return prices.others && { match: "default", rates: prices.others };
}

/** The name in the table that is most similar to a model without a price; undefined if none is similar. */
export const nearestPrice = ({ models }: ModelPrices, model: string): string | undefined =>
  closest(plainName(model), [...models.keys()]);

/**
 * The name of a model as tables have it: in lower case, with dashes for dots, without the vendor before it and without
 * date, `-latest`, `-preview` or a variant such as `:free` after it.
 */
export function plainName(model: string): string {
  const whole = model.trim().toLowerCase();
  const name = whole
    .slice(whole.lastIndexOf("/") + 1)
    // `openai:gpt-5`. A name with a digit before the colon is the model's.
    .replace(/^[a-z-]+:(?=[a-z])/, "")
    // `us.anthropic.claude-…`. A dot before a digit belongs to a version.
    .replace(/^(?:[a-z][a-z0-9-]*\.)+(?=[a-z])/, "")
    .replace(/:.*$/s, "")
    .replaceAll(".", "-");
  return withoutEnds(name);
}

const END = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/;

function withoutEnds(name: string): string {
  const shorter = name.replace(END, "");
  return shorter === name ? name : withoutEnds(shorter);
}

/** @returns US dollars with six decimal places */
export function costOf(rates: Rates, { input, output, cacheRead, cacheWrite }: Tokens): string {
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  const total =
    BigInt(plain) * rates.input +
    BigInt(cacheRead) * rates.cache_read +
    BigInt(cacheWrite) * rates.cache_write +
    BigInt(output) * rates.output;
  return asDollars((total + HALF) / MILLION);
}

const MILLION = 1_000_000n;
const HALF = MILLION / 2n;

const asDollars = (millionths: bigint): string =>
  `${millionths / MILLION}.${String(millionths % MILLION).padStart(6, "0")}`;
