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

/** Returns several ordered keys between two others. @throws Error unless they are keys and in order */
export const keysBetween = (low: string | null, high: string | null, count: number): string[] =>
  generateNKeysBetween(low, high, count, DIGITS, HEADS);
