import { projectOf } from "../../access/identity/project-access.sql.ts";
import { audit, changesBetween } from "../../events/audit/audit.ts";
import type { InWorkspace, WithCredential, Writing } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { checkGraphScopes, problemsOf, refuseInvalid, savable, shownProblems } from "./check.ts";
import type { WorkflowEntity } from "./entities.ts";
import { workflowGraphReplaced } from "./events.ts";
import type { WorkflowGraphInput } from "./inputs.ts";
import { nodeNames } from "./node-names.ts";
import { withPeople } from "./people.ts";
import { restoredNodes } from "./seen-nodes.ts";
import type { WorkflowDetailView } from "./view.ts";
import { readWorkflow } from "./workflows.sql.ts";
import { becomeAuthor, detailSeenBy } from "./workflows.ts";

/**
 * Replaces the graph of a workflow. A graph that differs becomes the next version; open runs keep theirs. The graph of
 * an enabled workflow must stay one that can be enabled.
 * @param events the names of all events
 * @throws Refusal version_conflict, graph_invalid
 */
export async function replaceGraph(
  ctx: InWorkspace & WithCredential & Writing,
  workflow: WorkflowEntity,
  { nodes, edges, if_version }: WorkflowGraphInput,
  events: ReadonlySet<string>,
): Promise<WorkflowDetailView> {
  const { id, version } = workflow;
  if (if_version !== undefined && if_version !== version) refuse("version_conflict", { version });
  const before = (await readWorkflow(ctx, id))!;
  // Without its credential a workflow is disabled, and a new graph does not enable it.
  const { status, disabled_reason } = before;
  const graph = { nodes: await withPeople(ctx, restoredNodes(nodes, before.nodes)), edges };
  if (isSame(graph, { nodes: before.nodes, edges: before.edges })) return detailSeenBy(ctx, before);
  if (status === "draft") savable(graph);
  const problems = await problemsOf(ctx, graph, { project: projectOf(before), events });
  if (status === "enabled") refuseInvalid(problems);
  checkGraphScopes(ctx, graph);
  Object.assign(workflow, { status, disabled_reason, problems: shownProblems(problems), updated_at: ctx.now });
  await becomeAuthor(ctx, workflow, graph);
  const old = { version, nodes: nodeNames(before) };
  const now = { version: version + 1, nodes: nodeNames(graph) };
  audit(ctx, workflowGraphReplaced, before, changesBetween(old, now, ["version", "nodes"]));
  return detailSeenBy(ctx, (await readWorkflow(ctx, id))!);
}
