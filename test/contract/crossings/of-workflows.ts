import { type TestEdge, type TestNode, workflow } from "../../automation/flows.ts";
import type { World } from "../../support/world.ts";
import { issue } from "../changes/case.ts";
import type { Params } from "../examples.ts";
import { crossing, patch, post, put, remove } from "./crossing.ts";

/** Runs that start, proceed or end while their workflow, issue or assignees change. */

const NODES: TestNode[] = [
  { id: "review", kind: "person", config: { role: "member" } },
  { id: "end", kind: "end" },
];
const EDGES: TestEdge[] = [
  ["start", "review"],
  ["review", "end"],
];

const ready = async (world: World): Promise<Params> => ({
  id: await workflow(world, NODES, EDGES),
  ...(await issue(world)),
});
const running = async (world: World): Promise<Params> => {
  const { id, issueKey } = await ready(world);
  const { data } = await world.owner.post(`P/issues/${issueKey}/workflow`, { workflow_id: id }).expect(201);
  return { id: id!, issueKey: issueKey!, runId: data.run_id };
};
const assigning = async (world: World): Promise<Params> => {
  const { userId } = await world.as({ role: "member" });
  const nodes = [{ id: "review", kind: "person", assignee_user_id: userId }];
  return { id: await workflow(world, nodes, [["start", "review"]]), userId, ...(await issue(world)) };
};

const start = post("P/issues/:issueKey/workflow", ({ id }) => ({ workflow_id: id }));
const cancel = remove("P/issues/:issueKey/workflow");
const complete = post("W/workflow-runs/:runId/complete-stage", { node_id: "review" });
const archive = remove("P/issues/:issueKey");
const assign = patch("P/issues/:issueKey", (_, { owner }) => ({ assignee_ids: [owner.userId] }));
const { edges, nodes } = {
  nodes: [{ id: "start", kind: "start" }, ...NODES],
  edges: EDGES.map(([source_node_id, target_node_id], n) => ({ id: `e${n}`, source_node_id, target_node_id })),
};

export const workflows = [
  crossing("a workflow is disabled, and a run starts", ready, patch("W/workflows/:id", { status: "draft" }), start),
  crossing("a workflow is deleted, and a run starts", ready, remove("W/workflows/:id"), start),
  crossing("a graph is replaced, and a run starts", ready, put("W/workflows/:id/graph", { nodes, edges }), start),
  crossing("an issue is archived, and a run starts", ready, archive, start),
  crossing("an issue is assigned, and a run starts", assigning, assign, start),
  crossing("a member is removed, and a run assigns them", assigning, remove("W/members/:userId"), start),
  crossing("a run is cancelled, and its stage completed", running, cancel, complete),
  crossing("a stage is completed twice", running, complete, complete),
  crossing("an issue is archived, and its stage completed", running, archive, complete),
  crossing("a project is archived, and a stage completed", running, remove("P"), complete),
];
