import { keyBetween, keysBetween } from "../../kernel/rank-keys.ts";

/** Ranks of columns. */

/** If a new rank would be longer than this, all columns get new ranks, because a board has few. */
const LONG = 40;

/** Returns ranks for all columns of a board. */
export const evenRanks = (count: number): string[] => keysBetween(null, null, count);

/**
 * Returns a rank between two neighbours (null for the end of the board). Returns null if there is no room for a short
 * one.
 */
export function rankBetween(low: string | null, high: string | null): string | null {
  // Equal ranks are possible, because clients may send ranks.
  if (low !== null && high !== null && low >= high) return null;
  const rank = keyBetween(low, high);
  return rank.length > LONG ? null : rank;
}
