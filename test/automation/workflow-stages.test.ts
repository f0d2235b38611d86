import { describe, expect, test } from "vitest";
import { workOnRun } from "../../src/domain/automation/workflow-runs/due.ts";
import { tellRuns } from "../../src/domain/automation/workflow-runs/tell.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { issue, nodeOf, type Run, start, statesOf, type TestNode, workflow } from "./flows.ts";

/** Stages of workflow runs: people, agents, actions and conditions. */

/** A workflow of one node, whose outcomes lead to ends of the same names. */
const around = (here: World, node: Omit<TestNode, "id">, labels: readonly string[] = ["failure"]) =>
  workflow(
    here,
    [{ id: "stage", ...node }, { id: "good", kind: "end" }, ...labels.map((id) => ({ id, kind: "end" }))],
    [["start", "stage"], ["stage", "good"], ...labels.map((label) => ["stage", label, label] as const)],
  );

const readRun = async ({ owner }: World, { id }: Run): Promise<Run> =>
  (await owner.get(`W/workflow-runs/${id}`).expect(200)).data;

const complete = (client: World["owner"], { id }: Run, body: Record<string, unknown> = {}) =>
  client.post(`W/workflow-runs/${id}/complete-stage`, body);

describe("a stage for a person", () => {
  test("is theirs or an admin's to complete", async () => {
    const here = await world();
    const [ada, bob, admin] = [
      await here.as({ role: "member" }),
      await here.as({ role: "member" }),
      await here.as({ role: "admin" }),
    ];
    const flow = await around(here, { kind: "person", assignee_user_id: ada.userId });
    const run = await start(here, (await issue(here)).key, flow);
    expect(nodeOf(run, "stage")).toMatchObject({ state: "active", assignee_user_id: ada.userId });
    await complete(bob, run).expect(403, "not_stage_actor");
    await complete(bob, run, { node_id: "stage" }).expect(403, "not_stage_actor");
    await complete(ada, run, { node_id: "nowhere" }).expect(400, "invalid_reference");
    await complete(ada, run, { node_id: "good" }).expect(409, "no_active_stage");
    await complete(ada, run, { outcome: "approved" }).expect(400, "validation_failed");
    const body = { note_md: "Done **well**", output: { score: 5 } };
    const { data } = await complete(ada, run, body).expect(200);
    expect(nodeOf(data, "stage")).toMatchObject({
      state: "done",
      outcome: "success",
      completed_by: ada.userId,
      ...body,
    });
    expect(statesOf(data)).toMatchObject({ good: "done, success", failure: "skipped" });
    await complete(ada, run).expect(409, "run_finished");

    const next = await start(here, (await issue(here)).key, flow);
    const failed = await complete(admin, next, { outcome: "failure" }).expect(200);
    expect(statesOf(failed.data)).toMatchObject({
      stage: "failed, failure",
      good: "skipped",
      failure: "done, success",
    });
    expect(nodeOf(failed.data, "stage").branch_taken).toBe("failure");
  });

  test("without a person is for everybody with the role, or for the issue's assignees", async () => {
    const here = await world();
    const [ada, viewer] = [await here.as({ role: "member" }), await here.as({ role: "viewer" })];
    const ofRole = await around(here, { kind: "person", config: { role: "member" } });
    await complete(ada, await start(here, (await issue(here)).key, ofRole)).expect(200);
    const ofAdmins = await around(here, { kind: "person", config: { role: "admin" } });
    await complete(ada, await start(here, (await issue(here)).key, ofAdmins)).expect(403, "not_stage_actor");

    const flow = await around(here, { kind: "person" });
    const { key } = await issue(here);
    const run = await start(here, key, flow);
    await complete(ada, run).expect(403, "not_stage_actor");
    await complete(viewer, run).expect(403, "insufficient_role");
    await here.owner.patch(`P/issues/${key}`, { assignee: ada.userId }).expect(200);
    await complete(ada, run).expect(200);
  });

  test("is not the assigned agent's to complete", async () => {
    const here = await world();
    const [agent, ada] = [await newAgent(here), await here.as({ role: "member" })];
    const { key } = await issue(here);
    await here.owner.patch(`P/issues/${key}`, { assignee_ids: [agent.userId, ada.userId] }).expect(200);
    const run = await start(here, key, await around(here, { kind: "person" }));
    await complete(agent, run).expect(403, "not_stage_actor");
    await complete(ada, run).expect(200);
  });

  test("assigns the issue while it is active, and leaves those who were assigned before", async () => {
    const here = await world();
    const [ada, bob, cy] = await Promise.all([1, 2, 3].map(() => here.as({ role: "member" })));
    const flow = await workflow(
      here,
      [
        { id: "a", kind: "person", assignee_user_id: ada!.userId },
        { id: "b", kind: "person", assignee_user_id: bob!.userId },
        { id: "c", kind: "person", assignee_user_id: cy!.userId, config: { assign: false } },
        { id: "d", kind: "person", assignee_user_id: ada!.userId },
      ],
      [
        ["start", "a"],
        ["a", "b"],
        ["b", "c"],
        ["b", "d"],
      ],
    );
    const { key } = await issue(here, { assignee: bob!.userId });
    const assignees = async () => (await here.owner.get(`P/issues/${key}`).expect(200)).data.assignees;
    const run = await start(here, key, flow);
    expect(await assignees()).toEqual([ada!.userId, bob!.userId]);
    await complete(ada!, run).expect(200);
    expect(await assignees()).toEqual([bob!.userId]);
    await complete(bob!, run).expect(200);
    expect(await assignees()).toEqual([bob!.userId, ada!.userId]);
    await complete(ada!, run).expect(200);
    expect(await assignees()).toEqual([bob!.userId]);
    expect((await complete(cy!, run).expect(200)).data.status).toBe("completed");
    expect(await assignees()).toEqual([bob!.userId]);
  });

  test("stays assigned to somebody who still works on another stage", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const nodes = ["a", "b", "c"].map((id) => ({ id, kind: "person", assignee_user_id: ada.userId }));
    const flow = await workflow(here, nodes, [
      ["start", "a"],
      ["start", "b"],
      ["start", "c"],
    ]);
    const { key } = await issue(here);
    const assignees = async () => (await here.owner.get(`P/issues/${key}`).expect(200)).data.assignees;
    const run = await start(here, key, flow);
    for (const node_id of ["a", "b", "c"]) {
      expect(await assignees()).toEqual([ada.userId]);
      await complete(ada, run, { node_id }).expect(200);
    }
    expect(await assignees()).toEqual([]);
  });

  test("notifies its person once", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const flow = await around(here, { kind: "person", label: "Review", assignee_user_id: ada.userId });
    const { key } = await issue(here);
    await start(here, key, flow);
    await drain();
    const { data } = await ada.get("W/notifications").expect(200);
    expect(data.map(({ kind, title, issue_key }: Record<string, string>) => [kind, title, issue_key])).toEqual([
      ["stage_assigned", `A stage is assigned to you: Review (${key})`, key],
    ]);
  });

  test("whose person left the workspace waits for an admin", async () => {
    const here = await world();
    const ada = await here.as({ role: "member" });
    const flow = await around(here, { kind: "person", assignee_user_id: ada.userId });
    await here.owner.delete(`W/members/${ada.userId}`).expect(200);
    const run = await start(here, (await issue(here)).key, flow);
    expect(nodeOf(run, "stage")).toMatchObject({
      state: "active",
      error: "The assignee cannot see the project any more.",
    });
    await complete(here.owner, run).expect(200);
  });
});

describe("a stage for an agent", () => {
  test("tells the agent, which completes it", async () => {
    const here = await world();
    const agent = await newAgent(here);
    const config = { title: "Fix it", instructions: "Use the branch main." };
    const flow = await around(here, { kind: "agent", assignee_user_id: agent.userId, config });
    const { key, id } = await issue(here);
    const run = await start(here, key, flow);
    expect(nodeOf(run, "stage")).toMatchObject({ state: "active", assignee_user_id: agent.userId });
    expect(run.waiting).toBe(false);
    expect((await here.owner.get(`P/issues/${key}`).expect(200)).data.assignees).toEqual([agent.userId]);
    const told = () =>
      here.sql<{ type: string; context: object; issue_id: string }>(
        "select type, context, issue_id from event where workspace_id = $1 and person_id = $2 order by id",
        [here.workspace.id, agent.userId],
      );
    const context = { node_id: "stage", issue_key: key, ...config };
    expect(await told()).toEqual([{ type: "workflow.stage_activated", context, issue_id: id }]);
    const { data } = await complete(agent, run).expect(200);
    expect(data.status).toBe("completed");

    const next = await start(here, (await issue(here)).key, flow);
    await here.owner.delete(`P/issues/${next.issue_key}/workflow`).expect(200);
    expect((await told()).map(({ type }) => type)).toEqual([
      "workflow.stage_activated",
      "workflow.stage_activated",
      "workflow.stage_cancelled",
    ]);
  });

  test("is for the issue's assignee if nobody is named, and fails if that is no agent", async () => {
    const here = await world();
    const agent = await newAgent(here);
    const flow = await around(here, { kind: "agent" });
    const run = await start(here, (await issue(here, { assignee: agent.userId })).key, flow);
    expect(nodeOf(run, "stage").assignee_user_id).toBe(agent.userId);
    const failed = await start(here, (await issue(here, { assignee: here.owner.userId })).key, flow);
    expect(statesOf(failed)).toMatchObject({ stage: "failed, failure", failure: "done, success" });
    expect(nodeOf(failed, "stage").error).toBe("No agent is assigned to the issue.");
    const only = await workflow(here, [{ id: "stage", kind: "agent" }], [["start", "stage"]]);
    const dead = await start(here, (await issue(here)).key, only);
    expect(dead).toMatchObject({ status: "failed", error: "stage failed: No agent is assigned to the issue." });
  });
});

describe("a condition", () => {
  test("looks at the issue as it is when the run reaches it", async () => {
    const here = await world();
    const rules = [{ field: "priority", op: "is", value: "high" }];
    const flow = await workflow(
      here,
      [
        { id: "first", kind: "person" },
        { id: "urgent", kind: "condition", config: { match: "all", rules } },
        { id: "yes", kind: "end" },
        { id: "no", kind: "end" },
      ],
      [
        ["start", "first"],
        ["first", "urgent"],
        ["urgent", "yes", "true"],
        ["urgent", "no", "false"],
      ],
    );
    const { key } = await issue(here);
    const run = await start(here, key, flow);
    await here.owner.patch(`P/issues/${key}`, { priority: "high" }).expect(200);
    const { data } = await complete(here.owner, run).expect(200);
    expect(statesOf(data)).toMatchObject({ urgent: "done, true", yes: "done, success", no: "skipped" });
    expect(nodeOf(data, "urgent").branch_taken).toBe("true");
    const other = await start(here, (await issue(here)).key, flow);
    expect(statesOf((await complete(here.owner, other).expect(200)).data)).toMatchObject({
      yes: "skipped",
      no: "done, success",
    });
  });
});

describe("an end", () => {
  test("moves the issue, as the workflow", async () => {
    const here = await world();
    const flow = await workflow(here, [{ id: "end", kind: "end", config: { set_status: "done" } }], [["start", "end"]]);
    const { key } = await issue(here);
    const run = await start(here, key, flow);
    expect(run).toMatchObject({ status: "completed", error: null });
    expect((await here.owner.get(`P/issues/${key}`).expect(200)).data.status).toBe("done");
    const moved = (await here.owner.get(`P/issues/${key}/activity`).expect(200)).data.find(
      ({ kind }: { kind: string }) => kind === "status_changed",
    );
    expect(moved).toMatchObject({ actor_kind: "workflow", payload: { cause: { workflow_run_id: run.id } } });
  });

  test("says why it could not, and ends the run", async () => {
    const here = await world();
    const flow = await workflow(
      here,
      [{ id: "end", kind: "end", config: { set_status: "Nowhere" } }],
      [["start", "end"]],
    );
    const run = await start(here, (await issue(here)).key, flow);
    expect(run).toMatchObject({
      status: "completed",
      error: "The issue was not moved to Nowhere: The board has no such column.",
    });
  });
});

describe("a stage with actions", () => {
  const actions = [
    { type: "set_priority", priority: "high" },
    { type: "add_comment", comment: "{{issue.key}} by {{actor.name}}" },
  ];

  test("takes them in order, and once", async () => {
    const here = await world();
    const flow = await around(here, { kind: "action", config: { actions } });
    const { key, id } = await issue(here);
    const started = await start(here, key, flow);
    expect(nodeOf(started, "stage")).toMatchObject({ state: "active", due_at: null });
    await drain();
    const run = await readRun(here, started);
    expect(run.status).toBe("completed");
    expect(nodeOf(run, "stage").actions_applied).toEqual([
      { type: "set_priority", ok: true, detail: "Priority: high.", issue_id: id },
      { type: "add_comment", ok: true, detail: "Comment added.", issue_id: id },
    ]);
    expect((await here.owner.get(`P/issues/${key}`).expect(200)).data.priority).toBe("high");
    const { data } = await here.owner.get(`P/issues/${key}/comments`).expect(200);
    expect(data.map(({ body_md }: { body_md: string }) => body_md)).toEqual([`${key} by Olive Owner`]);
  });

  test("fails at the first that is refused, and is continued there when it is reopened", async () => {
    const here = await world();
    const refused = { type: "set_status", status: "Testing" };
    const flow = await workflow(
      here,
      [{ id: "stage", kind: "action", config: { actions: [...actions, refused] } }],
      [["start", "stage"]],
    );
    const { key } = await issue(here);
    const column = here.columns["In Review"];
    const started = await start(here, key, flow);
    await drain();
    const failed = await readRun(here, started);
    expect(failed).toMatchObject({
      status: "failed",
      error: "stage failed: invalid_reference: The board has no such column.",
    });
    const { actions_applied } = nodeOf(failed, "stage");
    expect(actions_applied.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false]);
    expect(actions_applied[2]).toMatchObject({ type: "set_status", issue_id: failed.issue_id });
    await here.sql("update board_status set name = 'Testing' where id = $1", [column]);
    await here.owner.post(`W/workflow-runs/${started.id}/advance`).expect(200);
    await drain();
    const run = await readRun(here, started);
    expect(run.status).toBe("completed");
    expect((await here.owner.get(`P/issues/${key}/comments`).expect(200)).data).toHaveLength(1);
    expect((await here.owner.get(`P/issues/${key}`).expect(200)).data.status).toBe("in_review");
  });

  test("fails if the workflow's creator is no admin any more", async () => {
    const here = await world();
    const admin = await here.as({ role: "admin" });
    const flow = await around(here, { kind: "action", config: { actions } });
    await here.sql("update workflow set created_by = $2 where id = $1", [flow, admin.userId]);
    await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
    const started = await start(here, (await issue(here)).key, flow);
    await drain();
    const run = await readRun(here, started);
    expect(nodeOf(run, "stage")).toMatchObject({
      state: "failed",
      error: "insufficient_role: The admin who created the workflow is no admin any more.",
    });
    expect(statesOf(run).failure).toBe("done, success");
  });

  test("takes each of them once, however many workers try", async () => {
    const here = await world();
    const comments = ["a", "b", "c", "d", "e"].map((comment) => ({ type: "add_comment", comment }));
    const { key } = await issue(here);
    const run = await start(here, key, await around(here, { kind: "action", config: { actions: comments } }));
    const workers = Array.from({ length: 4 }, () =>
      workOnRun(backgroundOf(here.app.resources, new Date().toISOString()), {
        workspaceId: here.workspace.id,
        runId: run.id,
        goesOn: () => true,
      }),
    );
    await Promise.all(workers);
    const { data } = await here.owner.get(`P/issues/${key}/comments`).expect(200);
    expect(data.map(({ body_md }: { body_md: string }) => body_md)).toEqual(["a", "b", "c", "d", "e"]);
    expect((await readRun(here, run)).status).toBe("completed");
  });

  test("is about as many issues as the action's target names", async () => {
    const here = await world();
    const { key } = await issue(here);
    for (let n = 0; n < 3; n++) await issue(here, { parent: key });
    const config = { actions: [{ type: "set_priority", priority: "low", target: "children" }] };
    const started = await start(here, key, await around(here, { kind: "action", config }));
    await drain();
    expect(nodeOf(await readRun(here, started), "stage").actions_applied).toHaveLength(3);
  });
});

test("a stage that acts on many issues shows what the first actions did, and the newest", async () => {
  const here = await world();
  const { key } = await issue(here);
  for (let n = 0; n < 26; n++) await issue(here, { parent: key });
  const config = {
    actions: [
      { type: "set_priority", priority: "low", target: "children" },
      { type: "add_comment", comment: "Done.", target: "children" },
    ],
  };
  const started = await start(here, key, await around(here, { kind: "action", config }));
  await drain();
  const run = await readRun(here, started);
  expect(run.status).toBe("completed");
  const types = nodeOf(run, "stage").actions_applied.map(({ type }: { type: string }) => type);
  expect(types).toEqual([...Array(26).fill("set_priority"), ...Array(24).fill("add_comment")]);
  const [made] = await here.sql("select count(*) from comment where workspace_id = $1", [here.workspace.id]);
  expect(Number(made!.count)).toBe(26);
});

describe("an issue or a project that is archived", () => {
  test.each(["issue", "project"])("takes its runs with it: %s", async (what) => {
    const here = await world();
    const { key } = await issue(here);
    const run = await start(here, key, await around(here, { kind: "person" }));
    await here.owner.delete(what === "issue" ? `P/issues/${key}` : "P").expect(200);
    await drain();
    expect((await readRun(here, run)).status).toBe("cancelled");
    const { data } = await here.owner.get(`P/issues/${key}`).expect(200);
    expect(data.active_workflow_run_id).toBe(null);
  });

  test("and restored may start another run, which an event that comes late does not cancel", async () => {
    const here = await world();
    const { key } = await issue(here);
    await here.owner.delete(`P/issues/${key}`).expect(200);
    await here.owner.post(`P/issues/${key}/restore`).expect(200);
    const run = await start(here, key, await around(here, { kind: "person" }));
    const [archived] = await here.sql<{ id: string }>(
      "select id from event where workspace_id = $1 and type = 'issue.archived'",
      [here.workspace.id],
    );
    await tellRuns(backgroundOf(here.app.resources, new Date().toISOString()), here.workspace.id, [archived!.id]);
    expect((await readRun(here, run)).status).toBe("running");
  });

  test("by the run itself does not end the run", async () => {
    const here = await world();
    const config = { actions: [{ type: "archive_issue" }, { type: "set_priority", priority: "low" }] };
    const run = await start(here, (await issue(here)).key, await around(here, { kind: "action", config }));
    await drain();
    const ended = await readRun(here, run);
    expect(ended.status).toBe("completed");
    expect(nodeOf(ended, "stage").actions_applied[1]).toMatchObject({
      ok: true,
      detail: "Skipped: The issue is archived.",
    });
  });
});

/** A new agent, and a client with its key. */
async function newAgent(here: World): Promise<World["owner"]> {
  const key = { name: "Builder", kind: "agent", agent_name: "Builder", scopes: ["write"] };
  const { agent_id, plaintext } = (await here.owner.post("W/api-keys", key).expect(201)).data;
  const W = `/v1/workspaces/${here.workspace.slug}`;
  const places = { W, P: `${W}/projects/${here.project.key}` };
  return new Client(here.app.baseUrl, places, { key: plaintext, userId: agent_id, email: "" });
}
