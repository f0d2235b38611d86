import { unableText } from "../../access/identity/act-as.ts";
import type { InIssue } from "../../access/identity/issue-row.ts";
import { isKeyLive } from "../../access/identity/set-up-by.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockLive } from "../../work/issues/lock-live.ts";
import { lockBoardsBlockedBy } from "../../work/links/blockers.sql.ts";
import { MAX_DEPTH } from "../automation-runs/limits.ts";
import { begin } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { workflowRunErrors } from "./errors.ts";
import type { WorkflowStartInput } from "./inputs.ts";
import { opened } from "./open-run.ts";
import type { RunRow } from "./rows.ts";
import { insertRun, lockStartable, openRunOf, type Startable } from "./runs.sql.ts";
import { runSeenBy } from "./seen-by.ts";
import type { WorkflowRunDetailView } from "./view.ts";

/**
 * Starts a run of a workflow for an issue.
 * @throws Refusal invalid_reference, workflow_not_enabled, archived, run_already_active, chain_too_long
 */
export async function startRun(
  ctx: InIssue & Writing,
  { workflow_id, context = {}, note_md = "" }: WorkflowStartInput,
): Promise<{ run_id: string; run: WorkflowRunDetailView }> {
  const workflow = await startable(ctx, workflow_id);
  const chain = chainOf(ctx);
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
    within: ctx.principal.project_ids,
    ...chain,
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
  if (!(await isKeyLive(ctx, open.flow))) {
    refuse(workflowRunErrors.workflow_not_enabled, { message: unableText("credential_ended", "the workflow") });
  }
  const { graph } = open.flow;
  // The run may reach its end at once.
  if (graph.order.some(({ config }) => config.set_status)) await lockBoardsBlockedBy(ctx);
  await lockLive(ctx);
  return { run_id: run.id, run: await runSeenBy(ctx, await advanceRun(open, (evaluate) => begin(graph, evaluate))) };
}

/**
 * The chain of causes that a run continues. A run that another one starts is one step further than that one, so that
 * workflows which start each other stop. @throws Refusal chain_too_long
 */
function chainOf({ cause }: Pick<Writing, "cause">): Pick<RunRow, "automation_id" | "root_event_id" | "depth"> {
  const { automation_id = null, workflow_run_id, root_event_id, depth = 0 } = cause;
  if (workflow_run_id === undefined) return { automation_id, root_event_id: root_event_id ?? null, depth };
  if (depth >= MAX_DEPTH) refuse(workflowRunErrors.chain_too_long, { maximum: MAX_DEPTH });
  // A run that a person started has no event that led to it. Its own id stands for the beginning of the chain.
  return { automation_id, root_event_id: root_event_id ?? workflow_run_id, depth: depth + 1 };
}

async function startable(ctx: InIssue & Writing, workflowId: string): Promise<Startable> {
  const id = readId(workflowId);
  const workflow = id && (await lockStartable(ctx, id));
  const isForProject = workflow && (workflow.project_id === null || workflow.project_id === ctx.project.id);
  if (!isForProject) refuseReference("/workflow_id", workflowId);
  if (workflow.status !== "enabled") refuse(workflowRunErrors.workflow_not_enabled);
  return workflow;
}
