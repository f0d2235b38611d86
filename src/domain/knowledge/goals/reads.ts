import { type Found, ofMembers } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { childrenOf, type GoalFilter, keyResultsOf, listGoals, readGoalDetail } from "./goals.sql.ts";
import type { GoalListQuery } from "./inputs.ts";
import { type GoalDetailView, type GoalView, goalView } from "./view.ts";

/** Reads of goals. Guests see none. */

/** Maximum number of goals below a goal that the goal shows. The list with `parent_goal_id` has all of them. */
const MAX_CHILDREN = 1_000;

const FORMULA = "sum(weight × progress) / sum(weight)";

/** Newest first. @throws Refusal mutually_exclusive, invalid_parameter */
export async function listPage(ctx: InWorkspace, query: GoalListQuery, paging: Paging) {
  if (query.portfolio_id !== undefined && query.scope !== undefined) {
    refuse("mutually_exclusive", {
      message: "Send portfolio_id or scope, not both.",
      fields: ["portfolio_id", "scope"],
    });
  }
  const filter = filterOf(query);
  const rows = ctx.principal.role === "guest" ? [] : await listGoals(ctx, filter, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map((row): GoalView => goalView(ctx, row)), next_cursor: page.next_cursor };
}

function filterOf({ portfolio_id, scope, parent_goal_id }: GoalListQuery): GoalFilter {
  const filter: GoalFilter = {};
  if (scope) filter.portfolio = scope;
  if (portfolio_id !== undefined) filter.portfolio = { id: idIn("portfolio_id", portfolio_id) };
  if (parent_goal_id !== undefined) filter.parent_goal_id = idIn("parent_goal_id", parent_goal_id);
  return filter;
}

/** The id in a parameter. One that no object has is a valid filter that matches nothing. */
const idIn = (parameter: string, text: string): string =>
  readId(text) ?? refuse("invalid_parameter", { message: `${parameter} must be an id.`, parameter });

/** Returns a goal with its key results and the goals below it. */
export async function read(ctx: InWorkspace, text: string): Promise<Found<GoalDetailView> | null> {
  const id = readId(text);
  const row = id && (await readGoalDetail(ctx, id));
  if (!row) return null;
  const { portfolio_name, parent_title, watcher_count, ...goal } = row;
  const key_results = await keyResultsOf(ctx, row.id);
  const below = (await childrenOf(ctx, row.id, MAX_CHILDREN)).map((child) => goalView(ctx, child));
  const inputs = [
    ...key_results.map((input) => ({ kind: "key_result" as const, ...inputOf(input) })),
    ...below.map((input) => ({ kind: "goal" as const, ...inputOf(input) })),
  ];
  return ofMembers({
    ...goalView(ctx, goal),
    portfolio_name,
    parent_title,
    key_results,
    children: below.map(({ id: child, title, progress_pct, status }) => ({ id: child, title, progress_pct, status })),
    watcher_count,
    rollup: { formula: FORMULA, inputs },
  });
}

type Input = { id: string; title: string; weight: number; progress_pct: number | null };
const inputOf = ({ id, title, weight, progress_pct }: Input): Input => ({ id, title, weight, progress_pct });
