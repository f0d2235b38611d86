import { refuse, refuseReference } from "../kernel/errors.ts";
import { readId } from "../kernel/ids.ts";
import { checkRank } from "./issues/ranks.ts";
import { evenRanks, rankBetween } from "./projects/ranks.ts";

/** Ranks of objects that are few enough to be read all at once: the columns of a board, the custom fields of a project. */

export type PositionInput = { rank?: string | undefined; before?: string | undefined; after?: string | undefined };
export type Ranked = { id: string; rank: string };
/** Stores new ranks, and records each as a change of its object. The caller has locked all objects of the list. */
export type SetRanks = (ranks: Ranked[]) => Promise<void>;

const POSITION_FIELDS = ["rank", "before", "after"] as const;

/** Checks that a body requests at most one position. @throws Refusal mutually_exclusive */
export function checkOnePosition(placing: PositionInput): void {
  const fields = POSITION_FIELDS.filter((field) => placing[field] !== undefined);
  if (fields.length > 1) refuse("mutually_exclusive", { message: `Send only one of ${fields.join(", ")}.`, fields });
}

/**
 * Returns the rank for the position that a body requests, or null if it requests none. `own` is the object that moves;
 * null if it is new.
 * @throws Refusal mutually_exclusive, invalid_reference, validation_failed
 */
export async function requestedRank(
  all: Ranked[],
  own: Ranked | null,
  placing: PositionInput,
  setRanks: SetRanks,
): Promise<string | null> {
  checkOnePosition(placing);
  if (placing.rank !== undefined) return checkRank(placing.rank);
  const named = placing.before ?? placing.after;
  if (named === undefined) return null;
  const side = placing.before === undefined ? "after" : "before";
  const others = all.filter(({ id }) => id !== own?.id);
  const neighbour = others.findIndex(({ id }) => id === readId(named));
  if (neighbour === -1) refuseReference(`/${side}`, named);
  const index = side === "before" ? neighbour : neighbour + 1;
  // An object that is at this position already keeps its rank.
  if (own && all[index]?.id === own.id) return own.rank;
  return rankAt(others, index, setRanks);
}

/** Returns a rank for the position with this index. If there is no room for one, the other objects get new ranks. */
export async function rankAt(others: Ranked[], index: number, setRanks: SetRanks): Promise<string> {
  const rank = rankBetween(others[index - 1]?.rank ?? null, others[index]?.rank ?? null);
  if (rank !== null) return rank;

  const ranks = evenRanks(others.length + 1);
  const [own] = ranks.splice(index, 1);
  const next = others.map(({ id }, at) => ({ id, rank: ranks[at] as string }));
  await setRanks(next.filter(({ rank }, at) => rank !== others[at]!.rank));
  return own as string;
}
