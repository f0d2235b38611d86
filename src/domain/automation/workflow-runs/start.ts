import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockLive } from "../../work/issues/lock-live.ts";
import { lockBoardsBlockedBy } from "../../work/links/blockers.sql.ts";
import { begin } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { workflowRunErrors } from "./errors.ts";
import type { WorkflowStartInput } from "./inputs.ts";
import { opened } from "./open-run.ts";
import type { RunRow } from "./rows.ts";
import { insertRun, lockStartable, openRunOf, type Startable } from "./runs.sql.ts";
import type { WorkflowRunDetailView } from "./view.ts";

/**
 * Starts a run of a workflow for an issue.
 * @throws Refusal invalid_reference, workflow_not_enabled, archived, run_already_active
 */
export async function startRun(
  ctx: InIssue & Writing,
  { workflow_id, context = {}, note_md = "" }: WorkflowStartInput,
): Promise<{ run_id: string; run: WorkflowRunDetailView }> {
  const workflow = await startable(ctx, workflow_id);
  const { root_event_id = null, depth = 0, automation_id = null } = ctx.cause;
  const run: RunRow = {
    id: newId(),
    workspace_id: ctx.workspace.id,
    workflow_id: workflow.id,
    version: workflow.version,
    project_id: ctx.project.id,
    issue_id: ctx.issue.id,
    status: "running",
    context: JSON.stringify(context),
    note_md: note_md || null,
    started_by: ctx.principal.user_id,
    automation_id,
    root_event_id,
    depth,
    current_summary: null,
    waiting: false,
    error: null,
    started_at: ctx.now,
    ended_at: null,
    updated_at: ctx.now,
  };
  while (!(await insertRun(ctx, run))) {
    const run_id = await openRunOf(ctx.tx, ctx.workspace.id, ctx.issue.id);
    if (run_id) refuse(workflowRunErrors.run_already_active, { run_id });
  }
  const open = await opened(ctx, run, []);
  const { graph } = open.flow;
  // The run may reach its end at once.
  if (graph.order.some(({ config }) => config.set_status)) await lockBoardsBlockedBy(ctx);
  await lockLive(ctx);
  return { run_id: run.id, run: await advanceRun(open, (evaluate) => begin(graph, evaluate)) };
}

async function startable(ctx: InIssue & Writing, workflowId: string): Promise<Startable> {
  const id = readId(workflowId);
  const workflow = id && (await lockStartable(ctx, id));
  const isForProject = workflow && (workflow.project_id === null || workflow.project_id === ctx.project.id);
  if (!isForProject) refuseReference("/workflow_id", workflowId);
  if (workflow.status !== "enabled") refuse(workflowRunErrors.workflow_not_enabled);
  return workflow;
}
