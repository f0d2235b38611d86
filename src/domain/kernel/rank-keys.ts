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

/** How often `keyNear` halves the gap. */
const HALVINGS = 10;

/**
 * Returns a key close to one side of a gap. Objects that come to the same end one after the other get keys that grow by a
 * digit in hundreds of moves; halving the gap would add one in every few moves.
 */
export function keyNear(low: string | null, high: string | null, side: "low" | "high"): string {
  let [from, to] = [low, high];
  let key = keyBetween(from, to);
  for (let n = 0; n < HALVINGS && from !== null && to !== null; n++) {
    if (side === "low") to = key;
    else from = key;
    key = keyBetween(from, to);
  }
  return key;
}

/** Returns several ordered keys between two others. @throws Error unless they are keys and in order */
export const keysBetween = (low: string | null, high: string | null, count: number): string[] =>
  generateNKeysBetween(low, high, count, DIGITS, HEADS);
