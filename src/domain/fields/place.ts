import type { InProject } from "../context.ts";
import { refuseReference } from "../errors.ts";
import { readId } from "../ids.ts";
import { checkRank } from "../issues/ranks.ts";
import { evenRanks, rankBetween } from "../projects/ranks.ts";
import { setRanks } from "./fields.sql.ts";

/** Where a field stands among the others. All of it runs while the project is held. */

export type Placing = { rank?: string | undefined; before?: string | undefined; after?: string | undefined };
type Placed = { id: string; rank: string };

/** The rank for a place that a body names among the other fields, or null when it names none. */
export async function rankNamed(ctx: InProject, others: Placed[], placing: Placing): Promise<string | null> {
  if (placing.rank !== undefined) return checkRank(placing.rank);
  const named = placing.before ?? placing.after;
  if (named === undefined) return null;
  const side = placing.before === undefined ? "after" : "before";
  const spot = others.findIndex((field) => field.id === readId(named));
  if (spot === -1) refuseReference(`/${side}`, named);
  return rankAt(ctx, others, side === "before" ? spot : spot + 1);
}

/** The rank behind all others. */
export const rankBehind = (ctx: InProject, others: Placed[]): Promise<string> => rankAt(ctx, others, others.length);

async function rankAt(ctx: InProject, others: Placed[], index: number): Promise<string> {
  const rank = rankBetween(others[index - 1]?.rank ?? null, others[index]?.rank ?? null);
  if (rank !== null) return rank;

  const ranks = evenRanks(others.length + 1);
  const [own] = ranks.splice(index, 1);
  await setRanks(
    ctx,
    others.map(({ id }, at) => ({ id, rank: ranks[at] as string })),
  );
  return own as string;
}
