import { workflow } from "../../automation/flows.ts";
import type { World } from "../../support/world.ts";
import { type Case, issue } from "./case.ts";

/** What is recorded when an issue goes through a workflow. */

const review = (world: World) => workflow(world, [{ id: "review", kind: "person" }], [["start", "review"]]);

export const workflowChanges: Readonly<Record<string, Case[]>> = {
  "workflow-runs.start": [
    {
      does: "waits",
      body: async (world) => ({ workflow_id: await review(world) }),
      says: ["workflow_run.started", "issue.updated"],
      lines: ["workflow_started"],
      again: 409,
    },
    { does: "ends at once", says: ["workflow_run.started", "workflow_run.completed"] },
  ],
  "workflow-runs.cancel": [
    {
      params: async (world) => {
        const params = await issue(world);
        const body = { workflow_id: await review(world) };
        await world.owner.post(`P/issues/${params.issueKey}/workflow`, body).expect(201);
        return params;
      },
      says: ["workflow_run.cancelled", "issue.updated"],
      lines: ["workflow_ended"],
    },
  ],
};
