import type { InProject } from "../context.ts";
import { refuseReference } from "../errors.ts";
import { readId } from "../ids.ts";
import { checkRank } from "../issues/ranks.ts";
import { CATEGORIES, type Category } from "../issues/rows.ts";
import { evenRanks, rankBetween } from "./ranks.ts";
import { setRanks } from "./statuses.sql.ts";

/** Where a column stands. All of it runs while the board is held. */

export type Placing = { rank?: string | undefined; before?: string | undefined; after?: string | undefined };
type Placed = { id: string; rank: string; category: Category };

/** The rank for a place that a body names among the other columns, or null when it names none. */
export async function rankNamed(ctx: InProject, others: Placed[], placing: Placing): Promise<string | null> {
  if (placing.rank !== undefined) return checkRank(placing.rank);
  const named = placing.before ?? placing.after;
  if (named === undefined) return null;
  const side = placing.before === undefined ? "after" : "before";
  const spot = others.findIndex((column) => column.id === readId(named));
  if (spot === -1) refuseReference(`/${side}`, named);
  return rankAt(ctx, others, side === "before" ? spot : spot + 1);
}

/** The rank for a new column: behind its category, or where the category has its natural place. */
export function rankInCategory(ctx: InProject, others: Placed[], category: Category): Promise<string> {
  const same = others.findLastIndex((column) => column.category === category);
  const order = CATEGORIES.indexOf(category);
  const earlier = others.findLastIndex((column) => CATEGORIES.indexOf(column.category) < order);
  return rankAt(ctx, others, (same === -1 ? earlier : same) + 1);
}

async function rankAt(ctx: InProject, others: Placed[], index: number): Promise<string> {
  const rank = rankBetween(others[index - 1]?.rank ?? null, others[index]?.rank ?? null);
  if (rank !== null) return rank;

  const ranks = evenRanks(others.length + 1);
  const [own] = ranks.splice(index, 1);
  const moved = others.map(({ id }, at) => ({ id, rank: ranks[at] as string }));
  await setRanks(ctx.db, ctx.workspace.id, moved);
  return own as string;
}
