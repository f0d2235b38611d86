import type { InProject, Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { keyBetween, keyNear, keysBetween } from "../../kernel/rank-keys.ts";
import { giveRanks } from "./new-ranks.ts";
import { type Beside, edgeOf, type Gap, gapAt, surroundings } from "./ranks.sql.ts";
import type { Found } from "./references.sql.ts";

/**
 * Ranks of issues on a board. The rank of a new issue is derived from its number (see the SQL function rank_of), so
 * appending an issue reads nothing.
 *
 * Moves and new issues with a position lock the project's counter row, so no two of them get the same rank. Ranks that
 * clients send may be equal. The next move between equal ranks replaces them, which is a change of each of these issues.
 */

/**
 * If a new rank would be longer than LONG, the issues around it get new ranks. As many of them get one as it takes to make
 * all of these ranks at most SHORT.
 */
const LONG = 40;
const SHORT = 20;
/** Issues on each side that get new ranks in the first attempt. */
const SURROUNDINGS = 50;

export type PositionInput = { rank?: string; before?: string; after?: string; position?: "top" | "bottom" };
/** A rank that a client sent, or the position beside an issue. */
export type Position = { rank: string } | Beside;

const POSITION_FIELDS = ["rank", "before", "after", "position"] as const;

export const hasPosition = (placing: PositionInput): boolean =>
  POSITION_FIELDS.some((field) => placing[field] !== undefined);

/** Checks that the library can compute further ranks from a rank. @throws Refusal validation_failed */
export function checkRank(rank: string): string {
  try {
    keyBetween(rank, null);
    return rank;
  } catch {
    return refuseField("/rank", "pattern", "must be a rank from a reply");
  }
}

/** Returns the position that a body requests, or null if it requests none. @throws Refusal */
export function requestedPosition(placing: PositionInput, found: Found, issueId: string | null): Position | null {
  const fields = POSITION_FIELDS.filter((field) => placing[field] !== undefined);
  if (fields.length > 1) {
    refuse("mutually_exclusive", { message: `Send only one of ${fields.join(", ")}.`, fields });
  }
  if (placing.rank !== undefined) return { rank: checkRank(placing.rank) };
  const side = placing.before === undefined ? "after" : "before";
  const ref = placing[side];
  if (ref === undefined) return null;
  const neighbour = found.issues.get(referenceKey(ref));
  if (!neighbour || neighbour.archived_at || neighbour.id === issueId) return refuseReference(`/${side}`, ref);
  return { neighbour: neighbour.id, side };
}

/** Returns the rank for the requested position; by default, the bottom of the column. The caller has locked the board. */
export async function rankFor(
  ctx: InProject & Writing,
  placing: PositionInput,
  found: Found,
  columnId: string,
  issueId: string,
): Promise<string> {
  const named = requestedPosition(placing, found, issueId);
  const position = named ?? (await edgePosition(ctx, placing, columnId, issueId));
  const near = named ? null : await rankNear(ctx, position as Beside, issueId);
  return near ?? (await ranksAt(ctx, [position], issueId))[0]!;
}

/** Returns a rank close to the issue at the end of a column; null if there is no room for a short one. */
async function rankNear(ctx: InProject, position: Beside, issueId: string): Promise<string | null> {
  const { low, high } = await gapAt(ctx, position, issueId);
  if (low !== null && high !== null && low >= high) return null;
  const rank = keyNear(low, high, position.side === "before" ? "high" : "low");
  return rank.length > LONG ? null : rank;
}

async function edgePosition(
  ctx: InProject,
  { position }: PositionInput,
  columnId: string,
  issueId: string,
): Promise<Beside> {
  const top = position === "top";
  const neighbour = await edgeOf(ctx, columnId, top ? "top" : "bottom", issueId);
  return { neighbour, side: top && neighbour !== null ? "before" : "after" };
}

/**
 * Returns a rank for each position. The ranks are all different. Ranks for the same position have the order of the list.
 * `without` is the issue that moves.
 */
export async function ranksAt(
  ctx: InProject & Writing,
  positions: Position[],
  without: string | null,
): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const ranks = positions.map((position) => ("rank" in position ? position.rank : ""));
    let tight: Gap | null = null;
    for (const { gap, members } of await gapsOf(ctx, positions, without)) {
      const keys = keysIn(gap, members.length);
      if (!keys || keys.some((key) => key.length > LONG)) tight = gap;
      // After the last attempt there is no room only if other calls keep creating equal ranks. Then the issues go behind
      // them, where there is always room.
      (keys ?? keysIn({ low: gap.low, high: null }, members.length)!).forEach((key, n) => {
        ranks[members[n]!] = key;
      });
    }
    if (tight === null || attempt > positions.length) return ranks;
    await rebalance(ctx, (tight.low ?? tight.high)!, without);
  }
}

/** Returns the gaps of the positions, each with the indexes of its positions in order. */
async function gapsOf(ctx: InProject, positions: Position[], without: string | null) {
  const read = new Map<string, Gap>();
  const gaps = new Map<string, { gap: Gap; members: number[] }>();
  // A position after one issue and a position before the next issue are in the same gap.
  for (const wanted of ["after", "before"] as const) {
    for (const [index, position] of positions.entries()) {
      if ("rank" in position || position.side !== wanted) continue;
      const beside = `${position.side} ${position.neighbour}`;
      const gap = read.get(beside) ?? (await gapAt(ctx, position, without));
      read.set(beside, gap);
      const key = `${gap.low} ${gap.high}`;
      gaps.set(key, { gap, members: [...(gaps.get(key)?.members ?? []), index] });
    }
  }
  return gaps.values();
}

const keysIn = ({ low, high }: Gap, count: number): string[] | null =>
  low === null || high === null || low < high ? keysBetween(low, high, count) : null;

/** Gives the issues around a rank, and all issues that share it, short and different ranks in their present order. */
async function rebalance(ctx: InProject & Writing, around: string, without: string | null): Promise<void> {
  for (let reach = SURROUNDINGS; ; reach *= 4) {
    const { issues, low, high, isWhole } = await surroundings(ctx, around, reach, without);
    const ranks = keysBetween(low, high, issues.length);
    if (isWhole || ranks.every((rank) => rank.length <= SHORT)) return giveRanks(ctx, issues, ranks);
  }
}
