import { actForInProject, unableText } from "../../access/identity/act-as.ts";
import { requireScopes } from "../../access/identity/set-up-by.ts";
import { extended } from "../../kernel/context.ts";
import { Refusal } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { change } from "../../work/issues/change.ts";
import { columnNamed } from "../actions/statuses.ts";
import type { OpenRun } from "./open-run.ts";
import { causeOf, instrumentOf } from "./place.ts";
import type { StageRow } from "./rows.ts";

/**
 * Moves the issue if the run has reached an end that says where to, with the rights of the admin who created the
 * workflow. Returns why that was not possible, or null. The run ends in any case.
 */
export async function moveIssue(open: OpenRun, stages: ReadonlyMap<string, StageRow>): Promise<string | null> {
  const { flow, stages: before } = open;
  const reached = flow.graph.order.filter(
    ({ id, kind }) => kind === "end" && stages.get(id)!.state === "done" && before.get(id)?.state !== "done",
  );
  const status = reached.findLast(({ config }) => config.set_status)?.config.set_status;
  if (!status) return null;
  const refusal = await move(open, status);
  return refusal && `The issue was not moved to ${status}: ${refusal}`;
}

async function move({ ctx, run, flow, issue }: OpenRun, status: string): Promise<string | null> {
  const creator = {
    workspaceId: run.workspace_id,
    userId: flow.created_by,
    by: flow,
    within: run.within,
    through: instrumentOf(flow),
    cause: causeOf(run),
  };
  const acting = await actForInProject(ctx, creator, run.project_id);
  if (acting === "credential_ended") return unableText(acting, "the workflow");
  if (acting === "rights" || !isAdmin(acting.principal.role)) {
    return "The admin who created the workflow is no admin any more.";
  }
  const { principal, project } = acting;
  const mark = ctx.recorded.length;
  const warned = ctx.warnings.length;
  try {
    requireScopes(principal, ["issues:write"], "Moving the issue");
    await ctx.tx.savepoint(async () => {
      const on = extended(ctx, { principal, project, issue });
      await change(on, await columnNamed(on, status));
    });
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.recorded.length = mark;
    ctx.warnings.length = warned;
    return error.message;
  }
}
