import { issueAfter, lockIssue, updateIssue, watch } from "../../work/issues/change.sql.ts";
import { recordIssueChange } from "../../work/issues/history.ts";
import type { RunCtx } from "./place.ts";
import { nameRunInIssue } from "./runs.sql.ts";

/** What a step changes in the issue. */
export type IssueEffects = {
  /** People and agents whose stages have begun. */
  assign: readonly string[];
  /** Whether they come before the other assignees. */
  first: boolean;
  /** Those whose stages have ended. */
  unassign: readonly string[];
  /** The run that the issue is in afterwards. */
  activeRunId: string | null;
};

const MAX_ASSIGNEES = 20;

/**
 * Changes the issue under its lock. Returns those who were not assignees before. An archived issue keeps its assignees.
 */
export async function changeIssue(ctx: RunCtx, issueId: string, effects: IssueEffects): Promise<string[]> {
  const before = await lockIssue(ctx, issueId);
  if (before.archived_at) {
    await nameRunInIssue(ctx, issueId, effects.activeRunId);
    return [];
  }
  const assignee_ids = assigneesAfter(before.assignee_ids, effects);
  const added = assignee_ids.filter((id) => !before.assignee_ids.includes(id));
  const changes = {
    ...(isSameList(assignee_ids, before.assignee_ids) ? {} : { assignee_ids }),
    ...(before.active_workflow_run_id === effects.activeRunId ? {} : { active_workflow_run_id: effects.activeRunId }),
  };
  if (Object.keys(changes).length === 0) return [];
  await updateIssue(ctx, issueId, changes);
  await watch(ctx, issueId, added);
  await recordIssueChange(ctx, before, await issueAfter(ctx, before, changes), [], { of_stage: true });
  return added;
}

function assigneesAfter(before: readonly string[], { assign, first, unassign }: IssueEffects): string[] {
  const kept = before.filter((id) => assign.includes(id) || !unassign.includes(id));
  const added = [...new Set(assign)]
    .filter((id) => !kept.includes(id))
    .slice(0, Math.max(0, MAX_ASSIGNEES - kept.length));
  if (!first) return [...kept, ...added];
  const [primary] = assign;
  const others = [...kept, ...added].filter((id) => id !== primary);
  return kept.includes(primary!) || added.includes(primary!) ? [primary!, ...others] : others;
}

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, at) => id === b[at]);
