import { recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Plan } from "../../kernel/plans.ts";
import { workspaceUpdated } from "./events.ts";
import { updatePlan } from "./plan.sql.ts";
import { WorkspaceView } from "./view.ts";
import { readWorkspace } from "./workspaces.sql.ts";

/** Puts a workspace on a plan. Going down deletes nothing: what is beyond the new caps stays, and nothing is added. */
export async function setPlan(ctx: Writing, workspaceId: string, plan: Plan): Promise<WorkspaceView> {
  const before = await updatePlan(ctx.tx, workspaceId, plan, ctx.now);
  const row = await readWorkspace(ctx.tx, workspaceId, null);
  // Nobody's role: an operator does this from above.
  const data = WorkspaceView.parse({ ...row, role: null, url: `${ctx.settings.baseUrl}/w/${row.slug}` });
  if (before !== plan) recordChange({ ...ctx, workspace: data }, workspaceUpdated, { plan: before }, data);
  return data;
}
