import type { Writing } from "../../kernel/context.ts";
import { type ClaimedRun, LEASE_END } from "./runs.sql.ts";
import type { Applied, EndedRunRow, RunReason, RunStatus } from "./view.ts";

/** Where a run stands. */
export type Progress = {
  next_action: number;
  next_target: number;
  /** The issues on which the next action acts; null in the list stands for no issue. Null before it has begun. */
  targets: (string | null)[] | null;
  actions_applied: Applied[] | null;
  /** Faults of the action that is next. */
  attempts: number;
};

const LOCK = {
  name: "automation_run_lock",
  text: `
    select next_action, next_target, targets, actions_applied, attempts from automation_run
    where workspace_id = $1 and id = $2 and due_at = $3 and status is null for update`,
};

/** Locks a run. Null if this process no longer has it. */
export async function lockRun(ctx: Writing, run: ClaimedRun): Promise<Progress | null> {
  const [row] = await ctx.tx.query<Progress>(LOCK, [run.workspace_id, run.id, run.lease_until]);
  ctx.waited();
  return row ?? null;
}

const ADVANCE = {
  name: "automation_run_advance",
  text: `
    update automation_run
    set next_action = $3, next_target = $4, targets = $5::uuid[], attempts = 0, due_at = ${LEASE_END},
        actions_applied = coalesce(actions_applied, '[]') || $6::jsonb
    where workspace_id = $1 and id = $2 returning due_at as lease_until`,
};

/** Stores what an action did and which one is next. Returns the end of the new lease. The row is locked. */
export async function advanceRun(
  ctx: Writing,
  run: ClaimedRun,
  { next_action, next_target, targets }: Pick<Progress, "next_action" | "next_target" | "targets">,
  applied: Applied,
): Promise<string> {
  const values = [run.workspace_id, run.id, next_action, next_target, targets, JSON.stringify([applied])];
  const [row] = await ctx.tx.query<{ lease_until: string }>(ADVANCE, values);
  return row!.lease_until;
}

export type Ending = { status: RunStatus; reason: RunReason | null; detail: string | null; applied: Applied | null };

const END = {
  name: "automation_run_end",
  text: `
    with ended as (
      update automation_run
      set status = $3, reason = $4, detail = $5, finished_at = $7, due_at = null, held_by = null, targets = null,
          plan = '{}', actions_applied = case when $6::jsonb is null then actions_applied
                                              else coalesce(actions_applied, '[]') || $6::jsonb end
      where workspace_id = $1 and id = $2 and status is null
      returning id, automation_id, issue_id, trigger, event_id, depth, status, reason, actions_applied, detail,
                created_at, started_at, finished_at
    ),
    counted as (
      update automation_tally t
      set failure_count = failure_count + (e.status = 'error')::int,
          failures_in_a_row = case when e.status = 'error' then failures_in_a_row + 1 else 0 end
      from ended e where t.automation_id = e.automation_id
      returning t.failures_in_a_row
    )
    select e.*, i.key as issue_key, coalesce(i.project_id, a.project_id) as project_id,
           coalesce((select failures_in_a_row from counted), 0) as failures_in_a_row
    from ended e join automation a on a.id = e.automation_id left join issue i on i.id = e.issue_id`,
};

export type EndedRun = EndedRunRow & { project_id: string | null; failures_in_a_row: number };

/** Ends a run and counts how it ended. The row is locked. */
export async function endRun(
  ctx: Writing,
  run: Pick<ClaimedRun, "workspace_id" | "id">,
  { status, reason, detail, applied }: Ending,
): Promise<EndedRun> {
  const entry = applied && JSON.stringify([applied]);
  const values = [run.workspace_id, run.id, status, reason, detail, entry, ctx.now];
  const [row] = await ctx.tx.query<EndedRun>(END, values);
  return row!;
}
