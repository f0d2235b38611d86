import { projectList } from "../../access/identity/access.sql.ts";
import { type ProjectList, projectOf } from "../../access/identity/access-rows.ts";
import { throughInstrument } from "../../access/identity/act-as.ts";
import { type Cause, extended, type InProject, type Writing } from "../../kernel/context.ts";
import type { Workspace } from "../../kernel/rows.ts";
import type { Flow, RunRow } from "./rows.ts";

/** The context in which a run changes its issue. Events name the workflow as the actor. */
export type RunCtx = Writing & InProject;

const PLACE = {
  name: "place_of_run",
  text: `
    select json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan) as workspace,
           ${projectList} as project
    from workspace w join project p on p.workspace_id = w.id and p.id = $2
    left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
    left join project_member pm on false
    where w.id = $1`,
};

type Place = { workspace: Workspace; project: ProjectList };

/** The principal has no rights. What a run does with somebody's rights, it does as that person; see `actions.ts`. */
export async function asWorkflow(ctx: Writing, run: RunRow, flow: Flow): Promise<RunCtx> {
  const [place] = await ctx.tx.query<Place>(PLACE, [run.workspace_id, run.project_id]);
  const nobody = { user_name: null, user_email: null, role: null, maker_role: "guest", project_ids: null } as const;
  const person = { kind: "person", user_id: flow.created_by, user_kind: "person", ...nobody } as const;
  const through = instrumentOf(flow);
  return extended(ctx, {
    workspace: place!.workspace,
    project: projectOf(place!.project),
    principal: throughInstrument(person, through),
    actor: through,
    cause: causeOf(run),
  }) as RunCtx;
}

export const instrumentOf = ({ id, name }: Flow) => ({ kind: "workflow" as const, id, name });

/** The cause of everything that a run does. It continues the chain in which the run was started. */
export const causeOf = (run: RunRow): Cause => ({
  ...(run.automation_id === null ? {} : { automation_id: run.automation_id }),
  workflow_run_id: run.id,
  ...(run.root_event_id === null ? {} : { root_event_id: run.root_event_id, depth: run.depth }),
});
