import type { InProject, Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { keyBetween, keyNear, keysBetween } from "../../kernel/rank-keys.ts";
import type { Ranked } from "../positions.ts";
import { LONG, makeRoom } from "./make-room.ts";
import { type Beside, edgeOf, type Gap, gapAt, holdersOf, rankAbove } from "./ranks.sql.ts";
import type { Found } from "./references.sql.ts";

/**
 * Ranks of issues on a board. The rank of a new issue is derived from its number (see the SQL function rank_of), so
 * appending an issue reads nothing.
 *
 * Moves and new issues with a position lock the project's counter row, so no two of them get the same rank. If another
 * issue has the rank that a client sends, the issue goes right behind that one. Equal ranks that are there nevertheless,
 * because they are older or because a new issue's number gave it one, stay until an issue moves between them.
 */

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

/**
 * Returns the rank for the requested position; by default, the bottom of the column. The caller has locked the board.
 * @param column may come with its end
 */
export async function rankFor(
  ctx: InProject & Writing,
  placing: PositionInput,
  found: Found,
  column: { id: string; end?: Gap | null },
  { id: issueId, rank }: Ranked,
): Promise<string> {
  const named = requestedPosition(placing, found, issueId);
  // A client may send back the rank that it has read.
  if (named && "rank" in named && named.rank === rank) return rank;
  const known = named || placing.position === "top" || !column.end ? null : rankIn(column.end, "after");
  if (known) return known;
  const position = named ?? (await edgePosition(ctx, placing, column.id, issueId));
  const near = named ? null : rankIn(await gapAt(ctx, position as Beside, issueId), (position as Beside).side);
  return near ?? (await ranksAt(ctx, [position], issueId))[0]!;
}

/** Returns a rank close to the issue at the end of a column; null if there is no room for a short one. */
export function rankIn({ low, high }: Gap, side: Beside["side"]): string | null {
  if (low !== null && high !== null && low >= high) return null;
  const rank = keyNear(low, high, side === "before" ? "high" : "low");
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
  // Looked up once, because making room gives the ranks to other issues.
  const places = await placesOf(ctx, positions, without);
  for (let attempt = 0; ; attempt++) {
    const ranks = places.map((place) => ("rank" in place ? place.rank : ""));
    let tight: { gap: Gap; at: Beside } | null = null;
    for (const { gap, members } of await gapsOf(ctx, places, without)) {
      const at = places[members[0]!] as Exclude<Place, { rank: string }>;
      const keys = keysIn(gap, members.length, "near" in at);
      if (!("behind" in at) && (!keys || keys.some((key) => key.length > LONG))) tight = { gap, at };
      // After the last attempt there is no room only if other calls keep creating equal ranks. Then the issues go behind
      // them, where there is always room.
      (keys ?? keysIn({ low: gap.low, high: null }, members.length)!).forEach((key, n) => {
        ranks[members[n]!] = key;
      });
    }
    if (tight === null || attempt > positions.length) return ranks;
    await makeRoom(ctx, tight.gap, tight.at, without);
  }
}

/**
 * Where an issue goes: at a rank that is free, beside an issue (`near` it, because others will follow), or behind an earlier
 * position of the same call that has the free rank.
 */
type Place = { rank: string } | (Beside & { near?: true }) | { behind: string };

/** A rank that a client sends is kept if it is free. Otherwise the issue goes right behind the one that has it. */
async function placesOf(ctx: InProject, positions: Position[], without: string | null): Promise<Place[]> {
  const given = new Set(positions.flatMap((position) => ("rank" in position ? [position.rank] : [])));
  if (given.size === 0) return positions;
  const holders = await holdersOf(ctx, [...given], without);
  return positions.map((position) => {
    if (!("rank" in position)) return position;
    const neighbour = holders.get(position.rank);
    if (neighbour) return { neighbour, side: "after", near: true };
    return given.delete(position.rank) ? position : { behind: position.rank };
  });
}

/** Returns the gaps of the places, each with the indexes of its places in order. No gap contains a rank of the call. */
async function gapsOf(ctx: InProject, places: Place[], without: string | null) {
  const given = places.flatMap((place) => ("rank" in place ? [place.rank] : [])).sort();
  const read = new Map<string, Gap>();
  const gaps = new Map<string, { gap: Gap; members: number[] }>();
  // A position after one issue and a position before the next issue are in the same gap.
  for (const wanted of ["after", "before"] as const) {
    for (const [index, place] of places.entries()) {
      if ("rank" in place || ("behind" in place ? "after" : place.side) !== wanted) continue;
      const name = "behind" in place ? `behind ${place.behind}` : `${place.side} ${place.neighbour}`;
      const gap = read.get(name) ?? upTo(given, await gapOf(ctx, place, without));
      read.set(name, gap);
      const key = `${gap.low} ${gap.high}`;
      gaps.set(key, { gap, members: [...(gaps.get(key)?.members ?? []), index] });
    }
  }
  return gaps.values();
}

const gapOf = async (ctx: InProject, place: Beside | { behind: string }, without: string | null): Promise<Gap> =>
  "behind" in place
    ? { low: place.behind, high: await rankAbove(ctx, place.behind, without) }
    : gapAt(ctx, place, without);

/** The gap as far as the first of these ranks in it. */
function upTo(ranks: string[], { low, high }: Gap): Gap {
  const first = ranks.find((rank) => (low === null || rank > low) && (high === null || rank < high));
  return { low, high: first ?? high };
}

function keysIn({ low, high }: Gap, count: number, near = false): string[] | null {
  if (low !== null && high !== null && low >= high) return null;
  return near && count === 1 ? [keyNear(low, high, "high")] : keysBetween(low, high, count);
}
