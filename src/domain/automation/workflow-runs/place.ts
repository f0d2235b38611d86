import { projectOf } from "../../access/identity/access-rows.ts";
import { throughInstrument } from "../../access/identity/act-as.ts";
import { type Cause, extended, type InProject, type Writing } from "../../kernel/context.ts";
import { readPlace } from "./place.sql.ts";
import type { Flow, RunRow } from "./rows.ts";

/** The context in which a run changes its issue. Events name the workflow as the actor. */
export type RunCtx = Writing & InProject;

/** The principal has no rights. What a run does with somebody's rights, it does as that person; see `actions.ts`. */
export async function asWorkflow(ctx: Writing, run: RunRow, flow: Flow): Promise<RunCtx> {
  const { workspace, project } = await readPlace(ctx.tx, run);
  const nobody = {
    user_name: null,
    user_email: null,
    role: null,
    maker_role: "guest",
    project_ids: null,
    key: null,
  } as const;
  const person = { kind: "person", user_id: flow.created_by, user_kind: "person", ...nobody } as const;
  const through = instrumentOf(flow);
  return extended(ctx, {
    workspace,
    project: projectOf(project),
    principal: throughInstrument(person, through),
    actor: through,
    cause: causeOf(run),
  }) as RunCtx;
}

export const instrumentOf = ({ id, name }: Flow) => ({ kind: "workflow" as const, id, name });

/** The cause of everything that a run does. It continues the chain in which the run was started. */
export const causeOf = (run: Pick<RunRow, "id" | "automation_id" | "root_event_id" | "depth">): Cause => ({
  ...(run.automation_id === null ? {} : { automation_id: run.automation_id }),
  workflow_run_id: run.id,
  ...(run.root_event_id === null ? {} : { root_event_id: run.root_event_id, depth: run.depth }),
});
