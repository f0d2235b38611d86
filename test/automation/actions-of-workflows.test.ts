import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { world } from "../support/world.ts";
import { apply, problems, ROOT, RULE } from "./acting.ts";
import { issue, workflow } from "./flows.ts";

/** The action that starts a workflow. */

const STAGES = [{ id: "review", kind: "person" }];
const startOf = (workflow_id: string) => ({ type: "start_workflow", workflow_id });

test("a rule starts a run, which continues its chain of causes", async () => {
  const here = await world();
  const { id, key } = await issue(here);
  const flow = await workflow(here, STAGES, [["start", "review"]]);
  expect(await apply(here, startOf(flow), id)).toEqual([{ result: "done", detail: "Started Review and release." }]);
  const { active_workflow_run_id: run } = (await here.owner.get(`P/issues/${key}`).expect(200)).data;
  expect(await here.sql(`select automation_id, root_event_id, depth from workflow_run where id = $1`, [run])).toEqual([
    { automation_id: RULE.id, root_event_id: ROOT, depth: 1 },
  ]);
  await expect(apply(here, startOf(flow), id)).rejects.toMatchObject({ code: "run_already_active" });
});

test("a workflow has to exist and to be for the project when the action is saved, and to be enabled when it runs", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const { id } = await issue(here);
  const draft = await workflow(here, STAGES, [["start", "review"]], { status: "draft" });
  const elsewhere = await workflow(here, STAGES, [["start", "review"]], { project_id: hidden.project.id });
  const problemsOf = async (flow: string, projectId: string | null) =>
    (await problems(here, [startOf(flow)], projectId)).map(({ path }) => path);
  expect(await problemsOf(draft, here.project.id)).toEqual([]);
  expect(await problemsOf(elsewhere, hidden.project.id)).toEqual([]);
  expect(await problemsOf(elsewhere, here.project.id)).toEqual(["/actions/0/workflow_id"]);
  expect(await problemsOf(newId(), null)).toEqual(["/actions/0/workflow_id"]);
  await expect(apply(here, startOf(draft), id)).rejects.toMatchObject({ code: "workflow_not_enabled" });
  await expect(apply(here, startOf(elsewhere), id)).rejects.toMatchObject({ code: "invalid_reference" });
});
