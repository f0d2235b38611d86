import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { cancel } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { workflowRunErrors } from "./errors.ts";
import { openRun } from "./open-run.ts";
import { openRunOf } from "./runs.sql.ts";

/** Cancels the open run of an issue. @throws Refusal no_active_run */
export async function cancelRunOfIssue(ctx: InIssue & Writing) {
  const id = await openRunOf(ctx.tx, ctx.workspace.id, ctx.issue.id);
  if (!id || !(await cancelRun(ctx, ctx.workspace.id, id))) refuse(workflowRunErrors.no_active_run);
  return { issue_key: ctx.issue.key, cancelled: true as const, run_id: id };
}

/** Cancels a run. Returns false if it has ended already. */
export async function cancelRun(ctx: Writing, workspaceId: string, id: string): Promise<boolean> {
  const open = await openRun(ctx, workspaceId, id);
  if (open?.run.status !== "running") return false;
  await advanceRun(open, () => cancel(open.stages));
  return true;
}
