import { projectColumns, projectJoin } from "../../access/identity/project-access.sql.ts";
import { isCredentialLive } from "../../access/identity/set-up-by.sql.ts";
import { actsFor } from "../../access/identity/set-up-by.ts";
import { type Viewer, visibility, visible, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Edge } from "./graph.ts";
import type { WorkflowNode } from "./nodes.ts";
import type { WorkflowDetailRow, WorkflowRow } from "./view.ts";

const isLive = isCredentialLive("v", "w.workspace_id");
const hasEnded = `w.status = 'enabled' and not ${isLive}`;

/**
 * A workflow with its present version `v`, and the number of its open runs that the caller sees. Parameters as for
 * `visible`. A version that a key defined acts for the key's user. Without the key it is disabled at once.
 */
const columns = (first: number): string => `
  w.id, w.name, w.description, case when ${hasEnded} then 'draft' else w.status end as status,
  case when ${hasEnded} then 'credential_ended' else w.disabled_reason end as disabled_reason, w.version, w.problems,
  case when v.key_id is null then w.created_by else v.created_by end as created_by, v.key_id, v.key_scopes,
  w.created_at, w.updated_at,
  (select count(*) from workflow_run r join project p on p.id = r.project_id
   where r.workflow_id = w.id and r.status = 'running' and ${visible(first)}) as in_flight_runs, ${projectColumns}`;

/** Workflows that the caller sees, newest first. */
export function listWorkflows(
  { db, workspace, principal }: InWorkspace,
  after: Cursor | null,
  limit: number,
): Promise<WorkflowRow[]> {
  const beyond = after ? "and (w.created_at, w.id) < ($7::timestamptz, $8::uuid)" : "";
  return db.query<WorkflowRow>(
    {
      name: `list_workflows${after ? "_after" : ""}`,
      text: `
        select ${columns(2)} from workflow w join workflow_version v on v.workflow_id = w.id and v.version = w.version
        ${projectJoin("w.project_id", 5)}
        where w.workspace_id = $1 and w.deleted_at is null and ${visibleObject(2)} ${beyond}
        order by w.created_at desc, w.id desc limit $6`,
    },
    [workspace.id, ...visibility(principal), limit, ...(after ?? [])],
  );
}

/** A workflow with its graph, whether or not the caller may see it. */
export async function readWorkflow(
  { db, workspace, principal }: Pick<InWorkspace, "db" | "workspace"> & { readonly principal: Viewer },
  id: string,
): Promise<WorkflowDetailRow | null> {
  const [row] = await db.query<WorkflowDetailRow>(
    {
      name: "read_workflow",
      text: `
        select ${columns(3)}, v.nodes, v.edges
        from workflow w join workflow_version v on v.workflow_id = w.id and v.version = w.version
        ${projectJoin("w.project_id", 6)}
        where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`,
    },
    [workspace.id, id, ...visibility(principal)],
  );
  return row ?? null;
}

/** Adds a version of a workflow's graph. The caller is its author: what it does keeps the limits of the caller's key. */
export async function insertVersion(
  ctx: InWorkspace & Writing,
  workflowId: string,
  { version, nodes, edges }: { version: number; nodes: readonly WorkflowNode[]; edges: readonly Edge[] },
): Promise<void> {
  const { created_by, key_id, key_scopes } = actsFor(ctx.principal);
  await ctx.tx.query(
    {
      name: "insert_workflow_version",
      text: `
        insert into workflow_version (workflow_id, version, nodes, edges, created_by, created_at, key_id, key_scopes)
        select id, $3, $4::jsonb, $5::jsonb, $6, $7, $8, $9 from workflow where workspace_id = $1 and id = $2`,
    },
    [
      ctx.workspace.id,
      workflowId,
      version,
      JSON.stringify(nodes),
      JSON.stringify(edges),
      created_by,
      ctx.now,
      key_id,
      key_scopes,
    ],
  );
}

export async function countEnabled({ db, workspace }: InWorkspace): Promise<number> {
  const text = `
    select count(*) as workflows
    from workflow w join workflow_version v on v.workflow_id = w.id and v.version = w.version
    where w.workspace_id = $1 and w.status = 'enabled' and w.deleted_at is null and ${isLive}`;
  const [row] = await db.query<{ workflows: number }>({ name: "count_enabled_workflows", text }, [workspace.id]);
  return row!.workflows;
}

/** The number of all open runs of a workflow. */
export async function countOpenRuns({ db }: InWorkspace, workflowId: string): Promise<number> {
  const text = "select count(*) as runs from workflow_run where workflow_id = $1 and status = 'running'";
  const [row] = await db.query<{ runs: number }>({ name: "count_open_workflow_runs", text }, [workflowId]);
  return row!.runs;
}
