import type { InProject } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { keyBetween, keysBetween } from "../../kernel/rank-keys.ts";
import { edgeOf, type Gap, gapAt, type Spot, setRanks, surroundings } from "./ranks.sql.ts";
import type { Found } from "./references.sql.ts";

/**
 * Places on a board. A new issue's rank is its number's key (see the SQL function rank_of), so appending reads nothing.
 *
 * Moves hold the project's counter row, so no two of them get one rank. Creating places issues without a transaction:
 * two such calls for one spot at one time may end with equal ranks, as may ranks that clients send. Whoever next puts
 * an issue between equal ranks mends them.
 */

/** A rank longer than this makes its surroundings be spread anew, so far around that none is longer than SHORT. */
const LONG = 40;
const SHORT = 20;
/** Issues on each side that are spread anew, at first. */
const SURROUNDINGS = 50;

export type Placing = { rank?: string; before?: string; after?: string; position?: "top" | "bottom" };
/** A rank as it was sent, or a neighbour. */
export type Place = { rank: string } | Spot;

const PLACING = ["rank", "before", "after", "position"] as const;

export const isPlacing = (placing: Placing): boolean => PLACING.some((field) => placing[field] !== undefined);

/** A rank that the library can go on from. */
export function checkRank(rank: string): string {
  try {
    keyBetween(rank, null);
    return rank;
  } catch {
    return refuseField("/rank", "pattern", "must be a rank that a reply has shown");
  }
}

/** The place that a body names by rank or neighbour; null when it names none. @throws Refusal */
export function placeNamed(placing: Placing, found: Found, issueId: string | null): Place | null {
  const fields = PLACING.filter((field) => placing[field] !== undefined);
  if (fields.length > 1) {
    refuse("mutually_exclusive", { message: `Send only one of ${fields.join(", ")}.`, fields });
  }
  if (placing.rank !== undefined) return { rank: checkRank(placing.rank) };
  const side = placing.before === undefined ? "after" : "before";
  const ref = placing[side];
  if (ref === undefined) return null;
  const neighbour = found.issues.get(referenceKey(ref));
  if (!neighbour || neighbour.archived_at || neighbour.id === issueId) return refuseReference(`/${side}`, ref);
  return { spot: neighbour.id, side };
}

/** The rank for a place named by the caller, else for the bottom of the column. The caller holds the board. */
export async function rankFor(
  ctx: InProject,
  placing: Placing,
  found: Found,
  columnId: string,
  issueId: string,
): Promise<string> {
  const place = placeNamed(placing, found, issueId) ?? (await edgePlace(ctx, placing, columnId, issueId));
  const [rank] = await ranksAt(ctx, [place], issueId);
  return rank!;
}

async function edgePlace(ctx: InProject, { position }: Placing, columnId: string, issueId: string): Promise<Spot> {
  const top = position === "top";
  const spot = await edgeOf(ctx, columnId, top ? "top" : "bottom", issueId);
  return { spot, side: top && spot !== null ? "before" : "after" };
}

/**
 * Ranks for several places, all different, and in the order of the places where those are the same. `without` is the
 * issue that moves.
 */
export async function ranksAt(ctx: InProject, places: Place[], without: string | null): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const ranks = places.map((place) => ("rank" in place ? place.rank : ""));
    let tight: Gap | null = null;
    for (const { gap, members } of await gapsOf(ctx, places, without)) {
      const keys = keysIn(gap, members.length);
      if (!keys || keys.some((key) => key.length > LONG)) tight = gap;
      // Only if others keep making equal ranks meanwhile is there no room in the end; behind them is always some.
      (keys ?? keysIn({ low: gap.low, high: null }, members.length)!).forEach((key, n) => {
        ranks[members[n]!] = key;
      });
    }
    if (tight === null || attempt > places.length) return ranks;
    await respread(ctx, (tight.low ?? tight.high)!, without);
  }
}

/** The gaps that places lie in, each with the indexes of its places in their order. */
async function gapsOf(ctx: InProject, places: Place[], without: string | null) {
  const read = new Map<string, Gap>();
  const gaps = new Map<string, { gap: Gap; members: number[] }>();
  // What stands after one issue and before the next shares their gap.
  for (const wanted of ["after", "before"] as const) {
    for (const [index, place] of places.entries()) {
      if ("rank" in place || place.side !== wanted) continue;
      const spot = `${place.side} ${place.spot}`;
      const gap = read.get(spot) ?? (await gapAt(ctx, place, without));
      read.set(spot, gap);
      const key = `${gap.low} ${gap.high}`;
      gaps.set(key, { gap, members: [...(gaps.get(key)?.members ?? []), index] });
    }
  }
  return gaps.values();
}

const keysIn = ({ low, high }: Gap, count: number): string[] | null =>
  low === null || high === null || low < high ? keysBetween(low, high, count) : null;

/** Gives the issues around a rank, and all that share it, short ranks of their own in the order they have. */
async function respread(ctx: InProject, around: string, without: string | null): Promise<void> {
  for (let reach = SURROUNDINGS; ; reach *= 4) {
    const { issues, low, high, isWhole } = await surroundings(ctx, around, reach, without);
    const ranks = keysBetween(low, high, issues.length);
    if (isWhole || ranks.every((rank) => rank.length <= SHORT)) return setRanks(ctx, issues, ranks);
  }
}
