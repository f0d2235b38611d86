import type { InProject, Writing } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { checkRank } from "../issues/ranks.ts";
import { checkOnePosition, type PositionInput } from "../positions.ts";
import { evenRanks, rankBetween } from "../projects/ranks.ts";
import { giveRanks } from "./new-ranks.ts";
import { gapBeside, idsInOrder, type Table } from "./planning.sql.ts";

/** Ranks of milestones, sprints and releases. The caller has locked the board. */

/** Returns the rank for a new one: at the requested position, or else at the end. @throws Refusal */
export async function rankForNew(ctx: InProject & Writing, table: Table, placing: PositionInput): Promise<string> {
  const named = await requestedRank(ctx, table, placing, null);
  return named ?? (await rankBeside(ctx, table, null, "after", null))!;
}

/** Returns the rank that the body requests, or undefined if it requests none. @throws Refusal */
export async function requestedRank(
  ctx: InProject & Writing,
  table: Table,
  placing: PositionInput,
  own: { id: string; rank: string } | null,
): Promise<string | undefined> {
  checkOnePosition(placing);
  if (placing.rank !== undefined) return checkRank(placing.rank);
  const side = placing.before === undefined ? "after" : "before";
  const named = placing[side];
  if (named === undefined) return undefined;
  const id = readId(named);
  const rank = id && (await rankBeside(ctx, table, id, side, own));
  return rank ?? refuseReference(`/${side}`, named);
}

/** Returns null if the neighbour does not exist. If `neighbour` is null, returns a rank at the end. */
async function rankBeside(
  ctx: InProject & Writing,
  table: Table,
  neighbour: string | null,
  side: "before" | "after",
  own: { id: string; rank: string } | null,
): Promise<string | null> {
  const without = own?.id ?? null;
  const gap = await gapBeside(ctx, table, { neighbour, side }, without);
  if (!gap) return null;
  const { low, high } = gap;
  // An object that is at this position already keeps its rank.
  if (own && (low === null || low < own.rank) && (high === null || own.rank < high)) return own.rank;
  return rankBetween(low, high) ?? rebalance(ctx, table, neighbour, side, without);
}

/** Gives all of them new ranks, because there is no room between two of them. Returns the rank for the position. */
async function rebalance(
  ctx: InProject & Writing,
  table: Table,
  neighbour: string | null,
  side: "before" | "after",
  without: string | null,
): Promise<string> {
  const ids = await idsInOrder(ctx, table, without);
  const index = neighbour === null ? ids.length : ids.indexOf(neighbour) + (side === "before" ? 0 : 1);
  const ranks = evenRanks(ids.length + 1);
  const [own] = ranks.splice(index, 1);
  await giveRanks(ctx, table, new Map(ids.map((id, n) => [id, ranks[n]!])));
  return own!;
}
