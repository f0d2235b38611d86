import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";

/**
 * Ranks of issues and columns: fractional-index keys with decimal digits, compared bytewise. The SQL function rank_of
 * writes them in the same alphabet.
 */

const DIGITS = "0123456789";
const HEADS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a key between two others; null stands for an end. @throws Error unless they are keys and in order */
export const keyBetween = (low: string | null, high: string | null): string =>
  generateKeyBetween(low, high, DIGITS, HEADS);

/** Number of digits after which `keyNear` counts up or down. */
const STEP = 4;

/**
 * Returns a key close to one side of a gap, by counting. Objects that come to the same end one after the other get keys
 * that grow by four digits in thousands of moves; halving the gap would add a digit in every few moves.
 */
export function keyNear(low: string | null, high: string | null, side: "low" | "high"): string {
  if (low === null || high === null) return keyBetween(low, high);
  const whole = wholeOf(low);
  const end = wholeOf(high) === whole ? high.slice(whole.length) : null;
  for (let digits = STEP; digits <= Math.max(low.length, high.length) + STEP; digits += STEP) {
    const scaled = (fraction: string) => BigInt(fraction.slice(0, digits).padEnd(digits, "0"));
    const top = end === null ? 10n ** BigInt(digits) : scaled(end);
    const next = side === "low" ? scaled(low.slice(whole.length)) + 1n : top - (end?.slice(digits) ? 0n : 1n);
    if (next <= 0n) continue;
    const key =
      whole +
      next
        .toString()
        .padStart(digits, "0")
        .replace(/(?<!0)0+$/, "");
    if (next < 10n ** BigInt(digits) && key > low && key < high) return key;
  }
  return keyBetween(low, high);
}

/** The part of a key before its fraction. Its first letter says how long it is. */
function wholeOf(key: string): string {
  const head = HEADS.indexOf(key[0]!);
  return key.slice(0, head < 26 ? 27 - head : head - 24);
}

/** Returns several ordered keys between two others. @throws Error unless they are keys and in order */
export const keysBetween = (low: string | null, high: string | null, count: number): string[] =>
  generateNKeysBetween(low, high, count, DIGITS, HEADS);
