import type { Db } from "../../kernel/ports/ports.ts";
import type { RunRow, StageRow } from "./rows.ts";

/** Stages whose timer ends, or whose actions a worker continues. */

/** The rows of the queue. Workers do not claim them: each step locks its run and finds out whether it is still due. */
export const dueStages = {
  table: "workflow_stage",
  open: "state = 'active' and due_at is not null",
  due: "state = 'active' and due_at <= now()",
  later: "state = 'active' and due_at > now()",
} as const;

/** How far ahead jobs for timers are added. */
const AHEAD_MS = 10_000;
const AT_ONCE = 1_000;

export type DueRun = { workspace_id: string; run_id: string; due_at: string; wait_ms: number };

const LOST = {
  name: "workflow_runs_due",
  text: `
    select workspace_id, run_id, min(due_at) as due_at,
           greatest(0, ceil(extract(epoch from min(due_at) - now()) * 1000))::int as wait_ms
    from (select workspace_id, run_id, due_at from workflow_stage
          where state = 'active' and due_at <= now() + ${AHEAD_MS} * interval '1 ms'
          order by due_at limit ${AT_ONCE}) s
    group by workspace_id, run_id`,
};

/** Returns runs in which something is due now or within seconds. */
export const dueRuns = (db: Db): Promise<DueRun[]> => db.query<DueRun>(LOST);

const IN_EVENTS = {
  name: "workflow_runs_of_events",
  text: `
    select distinct (data ->> 'id')::uuid as id from event
    where workspace_id = $1 and id = any($2::uuid[]) and type like 'workflow\\_run.%'`,
};

/** The runs that events are about. */
export async function runsOfEvents(db: Db, workspaceId: string, eventIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(IN_EVENTS, [workspaceId, eventIds]);
  return rows.map(({ id }) => id);
}

const NEXT = {
  name: "workflow_run_next",
  text: `
    select r.workflow_id, r.version, r.within, r.id, r.workspace_id, r.automation_id, r.root_event_id, r.depth,
           s.node_id, s.due_at, s.next_action, s.next_target,
           greatest(0, ceil(extract(epoch from s.due_at - now()) * 1000))::int as wait_ms
    from workflow_run r join workflow_stage s on s.run_id = r.id and s.state = 'active' and s.due_at is not null
    where r.workspace_id = $1 and r.id = $2 and r.status = 'running'
    order by s.due_at, s.node_id limit 1`,
};

export type NextStage = Pick<
  RunRow,
  "id" | "workspace_id" | "workflow_id" | "version" | "within" | "automation_id" | "root_event_id" | "depth"
> &
  Pick<StageRow, "node_id" | "next_action" | "next_target"> & { due_at: string; wait_ms: number };

/** The stage of an open run that is due first. */
export async function nextStage(db: Db, workspaceId: string, runId: string): Promise<NextStage | null> {
  const [row] = await db.query<NextStage>(NEXT, [workspaceId, runId]);
  return row ?? null;
}
