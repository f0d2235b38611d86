import type { InProject } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { checkRank } from "../issues/ranks.ts";
import { checkOnePlace, type Placing } from "../places.ts";
import { evenRanks, rankBetween } from "../projects/ranks.ts";
import { gapBeside, idsInOrder, setRanks, type Table } from "./planning.sql.ts";

/** Where milestones, sprints and releases stand among their like. All of it runs while the board is held. */

/** The rank for a new one: where the body says, else behind all. @throws Refusal */
export async function rankForNew(ctx: InProject, table: Table, placing: Placing): Promise<string> {
  const named = await rankNamed(ctx, table, placing, null);
  return named ?? (await rankBeside(ctx, table, null, "after", null))!;
}

/** The rank that the body asks for; undefined when it asks for none. @throws Refusal */
export async function rankNamed(
  ctx: InProject,
  table: Table,
  placing: Placing,
  own: { id: string; rank: string } | null,
): Promise<string | undefined> {
  checkOnePlace(placing);
  if (placing.rank !== undefined) return checkRank(placing.rank);
  const side = placing.before === undefined ? "after" : "before";
  const named = placing[side];
  if (named === undefined) return undefined;
  const id = readId(named);
  const rank = id && (await rankBeside(ctx, table, id, side, own));
  return rank ?? refuseReference(`/${side}`, named);
}

/** Null when the neighbour is not there; without one, the rank behind all. */
async function rankBeside(
  ctx: InProject,
  table: Table,
  neighbour: string | null,
  side: "before" | "after",
  own: { id: string; rank: string } | null,
): Promise<string | null> {
  const without = own?.id ?? null;
  const gap = await gapBeside(ctx, table, { neighbour, side }, without);
  if (!gap) return null;
  const { low, high } = gap;
  // Where it stands already, it stays as it is.
  if (own && (low === null || low < own.rank) && (high === null || own.rank < high)) return own.rank;
  return rankBetween(low, high) ?? spread(ctx, table, neighbour, side, without);
}

/** There is no room: gives all of them ranks of their own, and one to the place. */
async function spread(
  ctx: InProject,
  table: Table,
  neighbour: string | null,
  side: "before" | "after",
  without: string | null,
): Promise<string> {
  const ids = await idsInOrder(ctx, table, without);
  const index = neighbour === null ? ids.length : ids.indexOf(neighbour) + (side === "before" ? 0 : 1);
  const ranks = evenRanks(ids.length + 1);
  const [own] = ranks.splice(index, 1);
  await setRanks(ctx, table, ids, ranks);
  return own!;
}
