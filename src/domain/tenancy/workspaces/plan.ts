import { recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Plan } from "../../kernel/plans.ts";
import { workspaceUpdated } from "./events.ts";
import { updatePlan } from "./plan.sql.ts";
import { WorkspaceView } from "./view.ts";
import { readWorkspace } from "./workspaces.sql.ts";

/**
 * Changes the plan of a workspace. A downgrade deletes nothing: objects above the new limits stay, but none can be
 * added.
 */
export async function setPlan(ctx: Writing, workspaceId: string, plan: Plan): Promise<WorkspaceView> {
  const before = await updatePlan(ctx.tx, workspaceId, plan, ctx.now);
  const row = await readWorkspace(ctx.tx, workspaceId, null);
  // An operator does this and has no role in the workspace.
  const data = WorkspaceView.parse({ ...row, role: null, url: `${ctx.settings.baseUrl}/w/${row.slug}` });
  if (before !== plan) recordChange({ ...ctx, workspace: data }, workspaceUpdated, { plan: before }, data);
  return data;
}
