import { projectColumns, projectJoin, type WithProject } from "../../access/identity/project-access.sql.ts";
import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { RunRow } from "./rows.ts";

export type ShownRun = RunRow & { issue_key: string };

const columns = `
  r.id, r.workspace_id, r.workflow_id, r.version, r.project_id, r.issue_id, r.status, r.context, r.note_md, r.started_by,
  r.within, r.automation_id, r.root_event_id, r.depth, r.current_summary, r.waiting, r.error, r.started_at, r.ended_at, r.updated_at,
  i.key as issue_key`;

/** A run with its project. */
export async function readRun({ db, workspace, principal }: InWorkspace, id: string) {
  const text = `
    select ${columns}, ${projectColumns} from workflow_run r join issue i on i.id = r.issue_id
    ${projectJoin("r.project_id", 3)}
    where r.workspace_id = $1 and r.id = $2`;
  const values = [workspace.id, id, principal.user_id];
  const [row] = await db.query<ShownRun & WithProject>({ name: "read_workflow_run", text }, values);
  return row ?? null;
}

/** A workflow with its project. */
export async function readWorkflowOfRuns({ db, workspace, principal }: InWorkspace, id: string) {
  const text = `
    select w.id, ${projectColumns} from workflow w ${projectJoin("w.project_id", 3)}
    where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`;
  const values = [workspace.id, id, principal.user_id];
  const [row] = await db.query<{ id: string } & WithProject>({ name: "workflow_of_runs", text }, values);
  return row ?? null;
}

/** Returns the runs of a workflow whose issues the caller sees, newest first. */
export function listRuns(
  { db, workspace, principal }: InWorkspace,
  workflowId: string,
  after: Cursor | null,
  limit: number,
): Promise<ShownRun[]> {
  const beyond = after ? "and (r.started_at, r.id) < ($8::timestamptz, $9::uuid)" : "";
  const text = `
    select ${columns.replace("r.context", "'{}' as context")} from workflow_run r join issue i on i.id = r.issue_id join project p on p.id = r.project_id
    where r.workspace_id = $1 and r.workflow_id = $2 and ${visible(3)} ${beyond}
    order by r.started_at desc, r.id desc limit $7`;
  const values = [workspace.id, workflowId, ...visibility(principal), limit, ...(after ?? [])];
  return db.query<ShownRun>({ name: `list_workflow_runs${after ? "_after" : ""}`, text }, values);
}
