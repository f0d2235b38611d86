import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { RunRow, StageRow } from "./rows.ts";

/** Reads and writes of runs and their stages. */

const runColumns = `
  r.id, r.workspace_id, r.workflow_id, r.version, r.project_id, r.issue_id, r.status, r.context, r.note_md, r.started_by,
  r.within, r.automation_id, r.root_event_id, r.depth, r.current_summary, r.waiting, r.error, r.started_at, r.ended_at, r.updated_at`;

const LOCK = {
  name: "lock_workflow_run",
  text: `select ${runColumns} from workflow_run r where r.workspace_id = $1 and r.id = $2 for no key update`,
};

/** Locks a run, which also keeps its stages as they are. Null if there is none. */
export async function lockRun(ctx: Writing, workspaceId: string, id: string): Promise<RunRow | null> {
  const [row] = await ctx.tx.query<RunRow>(LOCK, [workspaceId, id]);
  ctx.waited(row?.updated_at);
  return row ?? null;
}

/** The open run of an issue. */
export async function openRunOf(db: Db, workspaceId: string, issueId: string): Promise<string | null> {
  const text = `select id from workflow_run where workspace_id = $1 and issue_id = $2 and status = 'running'`;
  const [row] = await db.query<{ id: string }>({ name: "open_workflow_run", text }, [workspaceId, issueId]);
  return row?.id ?? null;
}

export type Startable = { id: string; project_id: string | null; status: "draft" | "enabled"; version: number };

const LOCK_WORKFLOW = {
  name: "lock_workflow_to_start",
  text: `
    select id, project_id, status, version from workflow
    where workspace_id = $1 and id = $2 and deleted_at is null for share`,
};

/** Locks a workflow, so that it is not disabled or deleted before a new run can be seen. */
export async function lockStartable(ctx: InWorkspace & Writing, id: string): Promise<Startable | null> {
  const [row] = await ctx.tx.query<Startable>(LOCK_WORKFLOW, [ctx.workspace.id, id]);
  ctx.waited();
  return row ?? null;
}

const INSERT = {
  name: "insert_workflow_run",
  text: `
    insert into workflow_run (id, workspace_id, workflow_id, version, project_id, issue_id, status, context, note_md,
      started_by, automation_id, root_event_id, depth, waiting, started_at, updated_at, within)
    values ($1, $2, $3, $4, $5, $6, 'running', $7, $8, $9, $10, $11, $12, false, $13, $13, $14)
    on conflict (issue_id) where status = 'running' do nothing
    returning id`,
};

/** Creates a run without stages. Returns false if the issue has an open run. */
export async function insertRun(ctx: Writing, run: RunRow): Promise<boolean> {
  const rows = await ctx.tx.query(INSERT, [
    run.id,
    run.workspace_id,
    run.workflow_id,
    run.version,
    run.project_id,
    run.issue_id,
    run.context,
    run.note_md,
    run.started_by,
    run.automation_id,
    run.root_event_id,
    run.depth,
    run.started_at,
    run.within,
  ]);
  ctx.waited();
  return rows.length > 0;
}

const UPDATE = {
  name: "update_workflow_run",
  text: `
    update workflow_run set status = $2, current_summary = $3, waiting = $4, error = $5, ended_at = $6, updated_at = $7
    where id = $1`,
};

export async function updateRun(ctx: Writing, run: RunRow): Promise<void> {
  const { id, status, current_summary, waiting, error, ended_at, updated_at } = run;
  await ctx.tx.query(UPDATE, [id, status, current_summary, waiting, error, ended_at, updated_at]);
}

const stageColumns = `
  run_id, node_id, workspace_id, state, outcome, branch_taken, assignee_user_id, assigned, session_id, approvals, note_md,
  output, next_action, next_target, targets, actions_applied, attempts, faults, due_at, awaits, activated_at, ended_at,
  completed_by, error`;

const STAGES = { name: "workflow_stages", text: `select ${stageColumns} from workflow_stage where run_id = $1` };

/** The stages of a run. The run is locked, or the stages may be older than the run. */
export const stagesOf = (db: Db, runId: string): Promise<StageRow[]> => db.query<StageRow>(STAGES, [runId]);

const columns = stageColumns.split(",").map((column) => column.trim());

const WRITE = {
  name: "write_workflow_stages",
  text: `
    insert into workflow_stage (${stageColumns})
    select ${stageColumns} from jsonb_populate_recordset(null::workflow_stage, $1::jsonb)
    on conflict (run_id, node_id) do update set
      ${columns
        .slice(3)
        .map((column) => `${column} = excluded.${column}`)
        .join(", ")}`,
};

/** Stores stages of a locked run. */
export async function writeStages(ctx: Writing, stages: readonly StageRow[]): Promise<void> {
  if (stages.length > 0) await ctx.tx.query(WRITE, [JSON.stringify(stages)]);
}

/** Makes a run that has ended the open one of its issue again. Returns the id of another open run, if there is one. */
export async function makeOpen(ctx: Writing, run: RunRow): Promise<string | null> {
  const text = `
    update workflow_run set status = 'running' where id = $1
      and not exists (select from workflow_run o where o.issue_id = $2 and o.status = 'running')
    returning id`;
  try {
    const rows = await ctx.tx.savepoint(() => ctx.tx.query({ text }, [run.id, run.issue_id]));
    if (rows.length > 0) return null;
  } catch (error) {
    // Another call has started a run at the same time.
    if ((error as { code?: string }).code !== "23505") throw error;
  }
  return (await openRunOf(ctx.tx, run.workspace_id, run.issue_id)) ?? run.id;
}

/** Stores in an archived issue that it is in no run, or in this one. */
export async function nameRunInIssue(ctx: InWorkspace & Writing, issueId: string, runId: string | null): Promise<void> {
  const text = `update issue set active_workflow_run_id = $3 where workspace_id = $1 and id = $2`;
  await ctx.tx.query({ text }, [ctx.workspace.id, issueId, runId]);
}

/** How many runs of the same workflow have started before, up to a thousand. */
export async function earlierRuns({ db }: InWorkspace, run: RunRow): Promise<number> {
  const text = `
    select count(*)::int as runs from (
      select from workflow_run where workflow_id = $1 and started_at < $2 limit 1000) r`;
  const [row] = await db.query<{ runs: number }>({ name: "earlier_workflow_runs", text }, [
    run.workflow_id,
    run.started_at,
  ]);
  return row!.runs;
}
