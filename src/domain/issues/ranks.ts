import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import type { InProject } from "../context.ts";
import { refuseField, refuseReference } from "../errors.ts";
import { edgeOf, gapAt, issueAt, respread } from "./ranks.sql.ts";

/**
 * Places on a board: fractional-index keys with decimal digits, compared bytewise. A new issue's rank is its number's
 * key (see the SQL function rank_of), so appending reads nothing.
 */

const DIGITS = "0123456789";
const HEADS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** A rank longer than this makes its surroundings be spread anew. */
const LONG = 40;
const SURROUNDINGS = 50;

export type Placing = { rank?: string; before?: string; after?: string; position?: "top" | "bottom" };

export const isPlacing = ({ rank, before, after, position }: Placing): boolean =>
  (rank ?? before ?? after ?? position) !== undefined;

/** A rank that the library can go on from. */
export function checkRank(rank: string): string {
  try {
    generateKeyBetween(rank, null, DIGITS, HEADS);
    return rank;
  } catch {
    return refuseField("/rank", "pattern", "must be a rank that a reply has shown");
  }
}

/**
 * The rank for a place named by the caller, else for the bottom of the column. The caller holds the project's counter
 * row, so that two moves to one spot do not get the same rank.
 */
export async function rankFor(
  ctx: InProject,
  placing: Placing,
  columnId: string,
  issueId: string | null,
): Promise<string> {
  if (placing.rank !== undefined) return checkRank(placing.rank);
  const named = placing.before ?? placing.after;
  if (named !== undefined) {
    const side = placing.before === undefined ? "after" : "before";
    const spot = await issueAt(ctx, named);
    if (!spot || spot === issueId) return refuseReference(`/${side}`, named);
    return beside(ctx, spot, side, issueId);
  }
  const top = placing.position === "top";
  const edge = await edgeOf(ctx, columnId, top ? "top" : "bottom", issueId);
  return beside(ctx, edge, top ? "before" : "after", issueId);
}

/** A rank next to an issue; without one, at the end of the project. */
async function beside(
  ctx: InProject,
  spot: string | null,
  side: "before" | "after",
  issueId: string | null,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { low, high } = await gapAt(ctx, spot, side, issueId);
    const rank = low === null || high === null || low < high ? generateKeyBetween(low, high, DIGITS, HEADS) : null;
    if (rank !== null && (rank.length <= LONG || attempt > 1)) return rank;
    if (attempt > 2) throw new Error("The ranks around an issue cannot be spread.");
    // Equal ranks (clients may send theirs) and long ones are mended around the spot, then the gap is read anew.
    await respread(ctx, (low ?? high)!, SURROUNDINGS, (n, from, to) =>
      generateNKeysBetween(from, to, n, DIGITS, HEADS),
    );
  }
}
