import type { Writing } from "../../kernel/context.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import type { Plan } from "../../kernel/plans.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { ASYNC_COMMIT } from "../../kernel/transaction-settings.ts";
import type { Candidate } from "./candidate.ts";
import { IS_LIVE } from "./rules.sql.ts";
import { type ClaimedRun, LEASE_END, RUN_COLUMNS, type RunPlan } from "./runs.sql.ts";

/** What is known before runs start. The row of the workspace's hour is locked, so nothing of it changes meanwhile. */

/** The calendar month, in UTC. */
const MONTH = "date_trunc('month', $3::timestamptz at time zone 'UTC')::date";
const HOUR = "date_trunc('hour', $2::timestamptz, 'UTC')";

const LOCK_HOUR = {
  name: "automation_hour_lock",
  text: `
    insert into automation_hour as h (workspace_id, hour, runs)
    select $1, ${HOUR}, 0 from (select ${ASYNC_COMMIT}) u
    on conflict (workspace_id) do update
    set hour = excluded.hour, runs = case when h.hour = excluded.hour then h.runs else 0 end
    returning h.runs`,
};

/**
 * Locks the workspace's count of this hour, so that no other worker starts runs. Returns the runs of the hour. The
 * transaction does not wait for the disk: if it is lost, so is all that follows from it, and the event starts the runs again.
 */
export async function lockHour(ctx: Writing, workspaceId: string): Promise<number> {
  const [row] = await ctx.tx.query<{ runs: number }>(LOCK_HOUR, [workspaceId, ctx.now]);
  ctx.waited();
  return row!.runs;
}

/** Counts and times of an automation. */
export type Tally = {
  automation_id: string;
  run_count: number;
  runs_in_minute: number;
  /** The last times at which its runs were stopped because of a loop, newest first. */
  loops_at: string[];
  /** The run of this minute that stands for everything that was refused. */
  refused_run_id: string | null;
  refused_count: number;
};

export type Standing = Pick<RunPlan, "name" | "actions" | "on_error" | "key_id" | "key_scopes"> &
  Tally & {
    creator_id: string;
    plan: Plan;
    /** Runs of the workspace in this calendar month. */
    runs_in_month: number;
    reporter: string | null;
    /** A run for this event and issue exists. */
    exists: boolean;
    /** Depth of the first run of this automation for the issue in the same chain. Null: there is none. */
    earlier_depth: number | null;
  };

const STANDING = {
  name: "automation_standing",
  text: `
    select c.place, a.id as automation_id, a.name, a.actions, a.on_error, a.created_by as creator_id, a.key_id, a.key_scopes,
           w.plan,
           coalesce((select m.runs from automation_month m where m.workspace_id = $1 and m.month = ${MONTH}), 0) as runs_in_month,
           coalesce(t.run_count, 0) as run_count,
           case when t.minute = ${minute("$3")} then t.runs_in_minute else 0 end as runs_in_minute,
           array_to_json(coalesce(t.loops_at, '{}')) as loops_at,
           case when t.refused_minute = ${minute("$3")} then t.refused_run_id end as refused_run_id,
           case when t.refused_minute = ${minute("$3")} then t.refused_count else 0 end as refused_count,
           (select u.name from issue i join app_user u on u.id = i.reporter_id
            where i.workspace_id = $1 and i.id = c.issue_id) as reporter,
           exists (select from automation_run r
                   where r.automation_id = a.id and r.event_id = c.event_id
                     and r.issue_id is not distinct from c.issue_id) as exists,
           (select min(r.depth) from automation_run r
            where r.root_event_id = c.root_event_id and r.automation_id = a.id
              and r.issue_id is not distinct from c.issue_id
              and (r.reason is null or r.reason = 'rights')) as earlier_depth
    from jsonb_to_recordset($2::jsonb) as c(
      place int, automation_id uuid, event_id uuid, issue_id uuid, root_event_id uuid)
    join automation a on a.workspace_id = $1 and a.id = c.automation_id and ${IS_LIVE}
    join workspace w on w.id = a.workspace_id
    left join automation_tally t on t.automation_id = a.id
    order by c.place`,
};

function minute(now: string): string {
  return `date_trunc('minute', ${now}::timestamptz, 'UTC')`;
}

/** What is known of candidates whose automations are still enabled, by the candidate's place. */
export async function standingOf(
  ctx: Writing,
  workspaceId: string,
  candidates: readonly Candidate[],
): Promise<Map<number, Standing>> {
  const asked = candidates.map(({ automation_id, event_id, issue_id, root_event_id }, place) => ({
    ...{ place, automation_id, event_id, issue_id, root_event_id },
  }));
  const rows = await ctx.tx.query<Standing & { place: number }>(STANDING, [
    workspaceId,
    JSON.stringify(asked),
    ctx.now,
  ]);
  return new Map(rows.map((row) => [row.place, row]));
}

/** A run to be stored: one that starts, or one that was refused and has ended. */
export type NewRun = Omit<Candidate, "values" | "reads" | "triggering_user_id" | "weight"> & {
  id: string;
  plan: RunPlan | Record<string, never>;
  reason: "loop_stopped" | "throttled" | "plan" | null;
  detail: string | null;
};

/** What changes in the counts of an automation when runs start or are refused. */
export type TallyChange = {
  automation_id: string;
  started: number;
  runs_in_minute: number;
  loops_at: string[];
  refused_run_id: string | null;
  refused_count: number;
  /** Refusals that count as errors. */
  errors: number;
};

const STORE = {
  name: "automation_runs_store",
  text: `
    with stored as (
      insert into automation_run (id, workspace_id, automation_id, event_id, issue_id, trigger, root_event_id, depth, plan,
                                  status, reason, detail, due_at, held_by, started_at, finished_at, created_at)
      select n.id, $1, n.automation_id, n.event_id, n.issue_id, n.trigger, n.root_event_id, n.depth, n.plan,
             case when n.reason is not null then 'error' end, n.reason, n.detail,
             case when n.reason is not null then null when $5::uuid is null then now() else ${LEASE_END} end,
             case when n.reason is null then $5::uuid end, $3, case when n.reason is not null then $3::timestamptz end, $3
      from jsonb_to_recordset($2::jsonb) as n(
        place int, id uuid, automation_id uuid, event_id uuid, issue_id uuid, trigger text, root_event_id uuid,
        depth smallint, plan jsonb, reason text, detail text)
      order by n.place
      on conflict (id) do update set detail = excluded.detail
      returning ${RUN_COLUMNS}, status, id as lease_key, due_at as lease_until
    ),
    tallied as (
      insert into automation_tally as t (automation_id, run_count, failure_count, last_run_at, minute, runs_in_minute,
                                         loops_at, refused_run_id, refused_minute, refused_count)
      select c.automation_id, c.started, c.errors, case when c.started > 0 then $3::timestamptz end, ${minute("$3")},
             c.runs_in_minute, c.loops_at, c.refused_run_id, ${minute("$3")}, c.refused_count
      from jsonb_to_recordset($4::jsonb) as c(
        automation_id uuid, started int, runs_in_minute int, loops_at timestamptz(3)[], refused_run_id uuid,
        refused_count int, errors int)
      order by c.automation_id
      on conflict (automation_id) do update set
        run_count = t.run_count + excluded.run_count, failure_count = t.failure_count + excluded.failure_count,
        last_run_at = coalesce(excluded.last_run_at, t.last_run_at), minute = excluded.minute,
        runs_in_minute = excluded.runs_in_minute, loops_at = excluded.loops_at,
        refused_run_id = excluded.refused_run_id, refused_minute = excluded.refused_minute,
        refused_count = excluded.refused_count
    ),
    in_hour as (update automation_hour set runs = runs + $6::int where workspace_id = $1 and $6::int > 0),
    in_month as (
      insert into automation_month as m (workspace_id, month, runs) select $1, ${MONTH}, $6::int where $6::int > 0
      on conflict (workspace_id, month) do update set runs = m.runs + excluded.runs
    )
    select * from stored`,
};

/**
 * Stores runs and counts them. A refused run that is stored again gets another detail. Returns the runs that start, in their
 * order.
 * @param processId the worker process that works on them at once. Null: they wait.
 */
export async function storeRuns(
  ctx: Writing,
  workspaceId: string,
  { runs, tallies, started }: { runs: readonly NewRun[]; tallies: readonly TallyChange[]; started: number },
  processId: string | null,
): Promise<ClaimedRun[]> {
  const placed = runs.map((run, place) => ({ ...run, place }));
  const rows = await ctx.tx.query<ClaimedRun & Lease & { status: string | null }>(STORE, [
    ...[workspaceId, JSON.stringify(placed), ctx.now, JSON.stringify(tallies)],
    ...[processId, started],
  ]);
  const places = new Map(placed.map(({ id, place }) => [id, place]));
  return rows.filter(({ status }) => status === null).sort((a, b) => places.get(a.id)! - places.get(b.id)!);
}

const SKIPPED = {
  name: "automation_tally_skipped",
  text: `
    insert into automation_tally as t (automation_id, last_skipped_at, last_skipped_reason)
    select id, $3, $4 from unnest($2::uuid[]) as s(id)
    where exists (select from automation a where a.workspace_id = $1 and a.id = s.id)
    order by id
    on conflict (automation_id) do update set
      last_skipped_at = excluded.last_skipped_at, last_skipped_reason = excluded.last_skipped_reason`,
};

/** Notes why automations did not run although they matched. */
export async function noteSkipped(
  ctx: { db: Db; now: string },
  workspaceId: string,
  automationIds: readonly string[],
  reason: string,
): Promise<void> {
  if (automationIds.length > 0) await ctx.db.query(SKIPPED, [workspaceId, automationIds, ctx.now, reason]);
}
