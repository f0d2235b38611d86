import type { Ctx, InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { percentOf } from "./fraction.sql.ts";
import type { GoalRow, KeyResultOfGoal } from "./view.ts";

const ZONE = "(select known_zone(timezone) from workspace where id = $1)";

/** Columns of `goal g` for `goalView`. `$1` is the workspace. No year after 9999 can be shown. */
export const goalColumns = `
  starts_at(g.cycle_start_at, g.cycle_start_on, ${ZONE}) as cycle_starts,
  case when g.cycle_due_on < '9999-12-31' then ends_at(g.cycle_due_at, g.cycle_due_on, ${ZONE}) else g.cycle_due_at end
    as cycle_ends,
  g.id, g.workspace_id, g.title, g.description_md, g.portfolio_id, g.parent_goal_id, g.owner_user_id, g.cycle_start_at,
  g.cycle_start_on, g.cycle_due_at, g.cycle_due_on, g.status_override, g.status, g.progress, ${percentOf("g.progress")} as progress_pct, g.created_by,
  g.created_at, g.updated_at, g.weight, g.progress_override, g.version`;

export type GoalFilter = {
  /** The goals of one portfolio, or of the company: those without a portfolio. */
  portfolio?: { id: string } | "company";
  parent_goal_id?: string;
};

/** Returns goals, newest first. */
export function listGoals(
  { db, workspace }: InWorkspace,
  { portfolio, parent_goal_id }: GoalFilter,
  after: Cursor | null,
  limit: number,
): Promise<GoalRow[]> {
  const values: unknown[] = [workspace.id, limit];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    portfolio === "company" && "g.portfolio_id is null",
    typeof portfolio === "object" && `g.portfolio_id = ${parameter(portfolio.id)}::uuid`,
    parent_goal_id && `g.parent_goal_id = ${parameter(parent_goal_id)}::uuid`,
    after && `(g.created_at, g.id) < (${parameter(after[0])}::timestamptz, ${parameter(after[1])}::uuid)`,
  ].filter(Boolean);
  const kind = typeof portfolio === "object" ? "portfolio" : (portfolio ?? "all");
  return db.query<GoalRow>(
    {
      name: `list_goals_${kind}${parent_goal_id ? "_below" : ""}${after ? "_after" : ""}`,
      text: `
        select ${goalColumns} from goal g
        where ${["g.workspace_id = $1", "g.deleted_at is null", ...conditions].join(" and ")}
        order by g.created_at desc, g.id desc limit $2`,
    },
    values,
  );
}

/** Returns goals by id. Deleted ones are left out. */
export function readGoals(
  { db, workspace }: Pick<Ctx, "db"> & { workspace: { id: string } },
  ids: readonly string[],
): Promise<GoalRow[]> {
  return db.query<GoalRow>(
    {
      name: "read_goals",
      text: `select ${goalColumns} from goal g where g.workspace_id = $1 and g.id = any($2::uuid[]) and g.deleted_at is null`,
    },
    [workspace.id, ids],
  );
}

export type GoalDetailRow = GoalRow & {
  portfolio_name: string | null;
  parent_title: string | null;
  watcher_count: number;
};

export async function readGoalDetail({ db, workspace }: InWorkspace, id: string): Promise<GoalDetailRow | null> {
  const [row] = await db.query<GoalDetailRow>(
    {
      name: "read_goal",
      text: `
        select ${goalColumns}, o.name as portfolio_name, parent.title as parent_title,
               (select count(*) from goal_watcher where workspace_id = $1 and goal_id = g.id) as watcher_count
        from goal g
        left join portfolio o on o.id = g.portfolio_id
        left join goal parent on parent.id = g.parent_goal_id
        where g.workspace_id = $1 and g.id = $2 and g.deleted_at is null`,
    },
    [workspace.id, id],
  );
  return row ?? null;
}

/** Returns the goals directly below a goal, newest first. */
export function childrenOf({ db, workspace }: InWorkspace, id: string, limit: number): Promise<GoalRow[]> {
  return db.query<GoalRow>(
    {
      name: "goal_children",
      text: `
        select ${goalColumns} from goal g
        where g.workspace_id = $1 and g.parent_goal_id = $2 and g.deleted_at is null
        order by g.created_at desc, g.id desc limit $3`,
    },
    [workspace.id, id, limit],
  );
}

/** Returns the key results of a goal, newest first, as the goal shows them. */
export function keyResultsOf({ db, workspace }: InWorkspace, id: string): Promise<KeyResultOfGoal[]> {
  return db.query<KeyResultOfGoal>(
    {
      name: "goal_key_results",
      text: `
        select k.id, k.title, k.kind, k.unit, k.start_value, k.target_value, k.current_value, k.weight, k.scope,
               ${percentOf("k.progress")} as progress_pct
        from key_result k
        where k.workspace_id = $1 and k.goal_id = $2 and k.deleted_at is null
        order by k.created_at desc, k.id desc`,
    },
    [workspace.id, id],
  );
}

export async function countGoals({ db, workspace }: InWorkspace): Promise<number> {
  const [row] = await db.query<{ goals: number }>(
    { name: "count_goals", text: `select count(*) as goals from goal where workspace_id = $1 and deleted_at is null` },
    [workspace.id],
  );
  return row!.goals;
}

/** Removes the parent or the portfolio of the goals that have it. Returns their ids. */
export async function clearFromGoals(
  ctx: InWorkspace,
  field: "parent_goal_id" | "portfolio_id",
  id: string,
): Promise<string[]> {
  const rows = await ctx.db.query<{ id: string }>(
    {
      text: `
        update goal set ${field} = null, version = version + 1, updated_at = $3
        where workspace_id = $1 and ${field} = $2 and deleted_at is null returning id`,
    },
    [ctx.workspace.id, id, ctx.now],
  );
  return rows.map((row) => row.id);
}

/** Deletes the key results of a goal that is deleted. */
export async function deleteKeyResultsOf(ctx: InWorkspace, id: string): Promise<void> {
  await ctx.db.query(
    {
      text: `
        update key_result set deleted_at = $3, updated_at = $3
        where workspace_id = $1 and goal_id = $2 and deleted_at is null`,
    },
    [ctx.workspace.id, id, ctx.now],
  );
}

/** Lets people watch a goal. Those who watch already stay as they are. */
export async function watchGoal(ctx: InWorkspace, goalId: string, userIds: readonly (string | null)[]): Promise<void> {
  const people = [...new Set(userIds.filter((id) => id !== null))];
  if (people.length === 0) return;
  await ctx.db.query(
    {
      name: "watch_goal",
      text: `
        insert into goal_watcher (goal_id, user_id, workspace_id, created_at)
        select $2, unnest($3::uuid[]), $1, $4 on conflict do nothing`,
    },
    [ctx.workspace.id, goalId, people, ctx.now],
  );
}
