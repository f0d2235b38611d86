import { keyBetween, keysBetween } from "../../kernel/rank-keys.ts";

/** Ranks of columns. */

/** A board is small: sooner than let a rank grow longer than this, all its ranks are given anew. */
const LONG = 40;

/** Ranks of a whole board. */
export const evenRanks = (count: number): string[] => keysBetween(null, null, count);

/** A rank between two neighbours, null for the board's end. Null when there is no room for one of decent length. */
export function rankBetween(low: string | null, high: string | null): string | null {
  // Equal ranks are possible: clients may send theirs.
  if (low !== null && high !== null && low >= high) return null;
  const rank = keyBetween(low, high);
  return rank.length > LONG ? null : rank;
}
