import { refuse, refuseReference } from "../kernel/errors.ts";
import { readId } from "../kernel/ids.ts";
import { checkRank } from "./issues/ranks.ts";
import { evenRanks, rankBetween } from "./projects/ranks.ts";

/** Places among others that are few enough to be read all at once: a board's columns, a project's custom fields. */

export type Placing = { rank?: string | undefined; before?: string | undefined; after?: string | undefined };
export type Placed = { id: string; rank: string };
/** Stores new ranks. Whoever places something holds it with all its like. */
type SetRanks = (ranks: Placed[]) => Promise<void>;

const PLACING = ["rank", "before", "after"] as const;

/** A body names one place at most. @throws Refusal mutually_exclusive */
export function checkOnePlace(placing: Placing): void {
  const fields = PLACING.filter((field) => placing[field] !== undefined);
  if (fields.length > 1) refuse("mutually_exclusive", { message: `Send only one of ${fields.join(", ")}.`, fields });
}

/**
 * The rank for a place that a body names; null when it names none. `own` is what is to be placed, unless that is new.
 * @throws Refusal mutually_exclusive, invalid_reference, validation_failed
 */
export async function rankNamed(
  all: Placed[],
  own: Placed | null,
  placing: Placing,
  setRanks: SetRanks,
): Promise<string | null> {
  checkOnePlace(placing);
  if (placing.rank !== undefined) return checkRank(placing.rank);
  const named = placing.before ?? placing.after;
  if (named === undefined) return null;
  const side = placing.before === undefined ? "after" : "before";
  const others = all.filter(({ id }) => id !== own?.id);
  const spot = others.findIndex(({ id }) => id === readId(named));
  if (spot === -1) refuseReference(`/${side}`, named);
  const index = side === "before" ? spot : spot + 1;
  // Where it stands already, it stays as it is.
  if (own && all[index]?.id === own.id) return own.rank;
  return rankAt(others, index, setRanks);
}

/** A rank for the place with this index. Where there is no room for one, all get new ranks. */
export async function rankAt(others: Placed[], index: number, setRanks: SetRanks): Promise<string> {
  const rank = rankBetween(others[index - 1]?.rank ?? null, others[index]?.rank ?? null);
  if (rank !== null) return rank;

  const ranks = evenRanks(others.length + 1);
  const [own] = ranks.splice(index, 1);
  await setRanks(others.map(({ id }, at) => ({ id, rank: ranks[at] as string })));
  return own as string;
}
