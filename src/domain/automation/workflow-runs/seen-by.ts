import { appliedAsSeen } from "../seen/applied.ts";
import { visibleIssues } from "../seen/issues.sql.ts";
import { type Reading, seesAll } from "../seen/viewer.ts";
import type { WorkflowRunDetailView } from "./view.ts";

/** A run as a reader of its issue sees it: without what its actions did to issues that the reader does not see. */
export async function runSeenBy(ctx: Reading, run: WorkflowRunDetailView): Promise<WorkflowRunDetailView> {
  const all = seesAll(ctx);
  const applied = run.nodes.flatMap(({ actions_applied }) => actions_applied ?? []);
  if (all || applied.length === 0) return run;
  const others = applied.flatMap(({ issue_id: id }) => (id === null || id === run.issue_id ? [] : [id]));
  const visible = await visibleIssues(ctx, [...new Set(others)]);
  const sees = (id: string | null) => id === null || id === run.issue_id || visible.has(id);
  const nodes = run.nodes.map((node) => {
    if (node.actions_applied === null) return node;
    const { applied: actions_applied, hidden } = appliedAsSeen(node.actions_applied, { all, sees });
    // The stage repeats the detail of the action that failed.
    return { ...node, actions_applied, error: hidden.has(node.error) ? null : node.error };
  });
  return { ...run, nodes };
}
