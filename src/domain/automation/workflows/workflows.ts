import { foundIn, projectOf, readProjectAccess } from "../../access/identity/project-access.sql.ts";
import { actsFor, takeOver } from "../../access/identity/set-up-by.ts";
import { roleOf } from "../../access/identity/users.sql.ts";
import { audit, changesBetween } from "../../events/audit/audit.ts";
import { record, recordChange } from "../../events/record.ts";
import { type Audience, type Found, found, type ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace, WithCredential, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { lockMembers } from "../../tenancy/workspaces/roles.ts";
import { deleteReceivers, lockReceivers } from "../actions/receivers.sql.ts";
import { mayChange } from "../seen/viewer.ts";
import { checkGraphScopes, problemsOf, refuseInvalid, savable, shownProblems, type WorkflowGraph } from "./check.ts";
import { WorkflowEntity } from "./entities.ts";
import { workflowErrors } from "./errors.ts";
import { workflowCreated, workflowDeleted, workflowDisabled, workflowEnabled, workflowUpdated } from "./events.ts";
import type { WorkflowCreateInput, WorkflowPatchInput } from "./inputs.ts";
import { nodeNames } from "./node-names.ts";
import { withPeople } from "./people.ts";
import { nodesSeenBy, restoredNodes } from "./seen-nodes.ts";
import {
  detailView,
  type WorkflowDeletedView,
  type WorkflowDetailRow,
  type WorkflowDetailView,
  type WorkflowView,
  workflowView,
} from "./view.ts";
import { countEnabled, countOpenRuns, insertVersion, listWorkflows, readWorkflow } from "./workflows.sql.ts";

/** Workflows. Every change locks the workspace, so that enabling counts every other enabled workflow. */

/** Returns a page of the workflows that the caller sees, newest first. */
export async function listPage(ctx: InWorkspace, paging: Paging) {
  const rows = await listWorkflows(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map(workflowView), next_cursor: page.next_cursor };
}

/** Returns a workflow with its graph. */
export async function read(ctx: InWorkspace & WithCredential, text: string): Promise<Found<WorkflowDetailView> | null> {
  const id = readId(text);
  const row = id && (await readWorkflow(ctx, id));
  return row ? foundIn(row, await detailSeenBy(ctx, row), audienceOf(row)) : null;
}

/** A workflow with its graph, as the caller sees it. */
export async function detailSeenBy(
  ctx: InWorkspace & WithCredential,
  row: WorkflowDetailRow,
): Promise<WorkflowDetailView> {
  const nodes = await nodesSeenBy(ctx, row.nodes, { addresses: mayChange(ctx, "workflows:write") });
  return detailView({ ...row, nodes });
}

/** Locks the workspace, then the workflow, and returns it. @throws Refusal insufficient_role */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<WorkflowEntity> | null> {
  const id = readId(text);
  if (!id) return null;
  await lockReceivers(ctx, id);
  await lockMembers(ctx);
  const workflow = await lockEntity(ctx, WorkflowEntity, { id, deleted_at: null });
  const project = workflow?.project_id ? await readProjectAccess(ctx, workflow.project_id) : null;
  return workflow && found(workflow, project, audienceOf(workflow));
}

/** Guests see the workflows of their projects. */
const audienceOf = ({ project_id }: { project_id: string | null }): Audience => (project_id ? "everyone" : "members");

/**
 * Creates a draft.
 * @param project the project that the body names, checked
 * @throws Refusal insufficient_role, graph_invalid, invalid_reference
 */
export async function create(
  ctx: InWorkspace & Writing,
  { name, description, nodes, edges }: WorkflowCreateInput,
  { project, events }: { project: ProjectAccess | null; events: ReadonlySet<string> },
): Promise<WorkflowView> {
  const graph = savable({ nodes: await withPeople(ctx, restoredNodes(nodes, [])), edges });
  checkGraphScopes(ctx, graph);
  await lockMembers(ctx);
  const { id } = ctx.em.create(WorkflowEntity, {
    name,
    description,
    project_id: project?.id ?? null,
    status: "draft",
    version: 1,
    problems: shownProblems(await problemsOf(ctx, graph, { project, events })),
    id: newId(),
    workspace_id: ctx.workspace.id,
    created_by: ctx.principal.user_id,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  await insertVersion(ctx, id, { version: 1, ...graph });
  const view = workflowView((await readWorkflow(ctx, id))!);
  audit(ctx, workflowCreated, view, { nodes: [null, nodeNames(graph)] });
  return view;
}

/**
 * Changes, enables or disables a workflow. A call that changes nothing records nothing.
 * @param project the project that the body names, checked
 * @throws Refusal mutually_exclusive, graph_invalid, plan_limit_reached
 */
export async function change(
  ctx: InWorkspace & Writing,
  workflow: WorkflowEntity,
  { name, description, project_id, ...state }: WorkflowPatchInput,
  { project, events }: { project: ProjectAccess | null; events: ReadonlySet<string> },
): Promise<WorkflowView> {
  const before = (await readWorkflow(ctx, workflow.id))!;
  const status = statusOf(state);
  const given = { name, description, status, project_id: project_id === undefined ? undefined : (project?.id ?? null) };
  const changes = changesTo(before, given);
  if (Object.keys(changes).length === 0) return workflowView(before);
  const ofProject = changes.project_id === undefined ? projectOf(before) : project;
  const problems = await problemsOf(ctx, before, { project: ofProject, events });
  if ((changes.status ?? before.status) === "enabled" && (changes.status || changes.project_id !== undefined)) {
    refuseInvalid(problems);
  }
  if (changes.status === "enabled" || changes.project_id !== undefined) await adopt(ctx, workflow, before, changes);
  if (changes.status === "enabled") await enforcePlanLimit(ctx, "enabled_workflows", () => countEnabled(ctx));
  const { disabled_reason } = changes.status ? { disabled_reason: null } : before;
  // The row says that it is enabled also when its credential has ended.
  const shown = { status: before.status, disabled_reason };
  Object.assign(workflow, shown, changes, { problems: shownProblems(problems), updated_at: ctx.now });
  await ctx.em.flush();
  const after = workflowView((await readWorkflow(ctx, workflow.id))!);
  if (changes.status) recordStatus(ctx, workflowView(before), after);
  else audit(ctx, workflowUpdated, after, changesBetween(before, after, Object.keys(changes)));
  return after;
}

/**
 * Checks that the caller may have done what a workflow does, before it is enabled or moved. Runs act with the rights of the
 * workflow's creator, within the limits of the key that defined the graph. If the creator is no admin any more, if the key
 * has ended, or if the graph reaches further than the caller's key, the caller becomes the author of the same graph.
 * @throws Refusal insufficient_scope
 */
async function adopt(
  ctx: InWorkspace & Writing,
  workflow: WorkflowEntity,
  before: WorkflowDetailRow,
  { status }: { status?: WorkflowView["status"] },
): Promise<void> {
  checkGraphScopes(ctx, before);
  const hasRights = status !== "enabled" || isAdmin(await roleOf(ctx.tx, ctx.workspace.id, before.created_by));
  const taken = hasRights ? await takeOver(ctx, before, { redefined: false }) : actsFor(ctx.principal);
  if (taken.created_by) await becomeAuthor(ctx, workflow, before);
}

/** Makes the caller the author of a graph, which becomes the next version. Open runs keep the version that they have. */
export async function becomeAuthor(
  ctx: InWorkspace & Writing,
  workflow: WorkflowEntity,
  { nodes, edges }: WorkflowGraph,
): Promise<void> {
  workflow.version++;
  // A graph without a key acts for the creator of the workflow, also in open runs. A key must not take their place.
  if (ctx.principal.key === null) workflow.created_by = ctx.principal.user_id;
  await ctx.em.flush();
  await insertVersion(ctx, workflow.id, { version: workflow.version, nodes, edges });
}

/** @throws Refusal mutually_exclusive */
function statusOf({ status, enabled }: WorkflowPatchInput): WorkflowView["status"] | undefined {
  const other = enabled === undefined ? undefined : enabled ? "enabled" : "draft";
  if (status && other && status !== other) {
    refuse("mutually_exclusive", {
      message: `status ${status} and enabled ${enabled} contradict each other. Send one of them.`,
      fields: ["status", "enabled"],
    });
  }
  return status ?? other;
}

/** Records that a workflow was enabled or disabled. */
export function recordStatus(
  ctx: Writing & Pick<InWorkspace, "workspace">,
  before: WorkflowView,
  after: WorkflowView,
): void {
  const event = after.status === "enabled" ? workflowEnabled : workflowDisabled;
  recordChange({ ...ctx, project: { id: after.project_id } }, event, before, after);
}

/**
 * Deletes a workflow. Its open runs are cancelled after the commit, because there may be thousands.
 * @throws Refusal workflow_runs_in_flight
 */
export async function remove(
  ctx: InWorkspace & Writing,
  workflow: WorkflowEntity,
  { cancelRuns }: { cancelRuns: boolean },
): Promise<WorkflowDeletedView> {
  // The workflow is locked, so no run can start from here on.
  const last = workflowView((await readWorkflow(ctx, workflow.id))!);
  const { id } = last;
  const in_flight = await countOpenRuns(ctx, id);
  if (in_flight > 0 && !cancelRuns) refuse(workflowErrors.workflow_runs_in_flight, { in_flight });
  await deleteReceivers(ctx, id, []);
  Object.assign(workflow, { deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  record({ ...ctx, project: { id: last.project_id } }, workflowDeleted, last);
  return { id, deleted: true, cancelled_runs: in_flight };
}
