import { describe, expect, test } from "vitest";
import { followSession } from "../../src/domain/automation/workflow-runs/follow-session.ts";
import { tellRuns } from "../../src/domain/automation/workflow-runs/tell.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { systemNow, transact } from "../support/acting.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { issue, nodeOf, type Run, start, statesOf, workflow } from "./flows.ts";

/** What runs pass on: the chain of causes, and the sessions of agents. */

const readRun = async ({ owner }: World, { id }: Pick<Run, "id">): Promise<Run> =>
  (await owner.get(`W/workflow-runs/${id}`).expect(200)).data;

test("everything that a run does continues the chain in which it was started", async () => {
  const here = await world();
  const actions = [{ type: "set_priority", priority: "high" }];
  const flow = await workflow(
    here,
    [
      { id: "act", kind: "action", config: { actions } },
      { id: "end", kind: "end", config: { set_status: "done" } },
    ],
    [
      ["start", "act"],
      ["act", "end"],
    ],
  );
  const { key, id } = await issue(here);
  const run = await start(here, key, flow);
  const [root, automation] = [newId(), newId()];
  await here.sql("update workflow_run set root_event_id = $2, depth = 3, automation_id = $3 where id = $1", [
    run.id,
    root,
    automation,
  ]);
  await drain();
  const events = await here.sql<{ type: string; cause: object; actor_kind: string }>(
    "select type, cause, actor_kind from event where issue_id = $1 and type <> 'issue.created' order by id",
    [id],
  );
  const late = events.slice(events.findIndex(({ type }) => type === "issue.priority_changed"));
  expect(late.map(({ type }) => type)).toEqual([
    "issue.priority_changed",
    "issue.updated",
    "issue.status_changed",
    "issue.updated",
    "workflow_run.completed",
    "issue.updated",
  ]);
  const cause = { automation_id: automation, workflow_run_id: run.id, root_event_id: root, depth: 3 };
  for (const event of late) expect(event).toMatchObject({ cause, actor_kind: "workflow" });
  // A person started this run, so no chain led to it.
  expect(events[0]).toMatchObject({ type: "workflow_run.started", actor_kind: "user" });
  expect(events[0]!.cause).not.toHaveProperty("root_event_id");
});

test("workflows that start each other without end stop", async () => {
  const here = await world();
  const first = await issue(here);
  const second = await issue(here);
  await here.owner
    .post(`P/issues/${first.key}/links`, { kind: "relates_to", direction: "out", target_key: second.key })
    .expect(201);
  const flow = await workflow(here, [{ id: "act", kind: "action" }], [["start", "act"]]);
  const actions = [{ type: "start_workflow", workflow_id: flow, target: "linked:relates_to" }];
  await here.sql("update workflow_version set nodes = jsonb_set(nodes, '{1,config}', $2) where workflow_id = $1", [
    flow,
    JSON.stringify({ actions }),
  ]);
  await start(here, first.key, flow);
  await drain();
  const runs = await here.sql<{ depth: number; status: string; error: string | null }>(
    "select depth, status, error from workflow_run where workspace_id = $1 order by depth",
    [here.workspace.id],
  );
  // Either the other issue is still in its run, or the chain has become too long.
  expect(runs.length).toBeLessThanOrEqual(6);
  expect(runs.at(-1)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/run_already_active|chain_too_long/),
  });
});

describe("the stage of an agent", () => {
  async function waiting() {
    const here = await world();
    const { data } = await here.owner
      .post("W/api-keys", { name: "Builder", kind: "agent", agent_name: "Builder", scopes: ["write"] })
      .expect(201);
    const flow = await workflow(
      here,
      [
        { id: "build", kind: "agent", assignee_user_id: data.agent_id },
        { id: "good", kind: "end" },
        { id: "bad", kind: "end" },
      ],
      [
        ["start", "build"],
        ["build", "good"],
        ["build", "bad", "failure"],
      ],
    );
    const run = await start(here, (await issue(here)).key, flow);
    const session = { id: newId(), agent_id: data.agent_id as string };
    const follow = (state: string, more: { id?: string; agent_id?: string } = {}, at = new Date().toISOString()) =>
      transact(here.app, systemNow(here.app), here.workspace.id, (ctx) =>
        followSession(ctx, {
          workspaceId: here.workspace.id,
          runId: run.id,
          session: { ...session, ...more, state },
          at,
        }),
      );
    return { here, run, session, follow };
  }

  test("follows a session until it is done, also through a review", async () => {
    const { here, run, session, follow } = await waiting();
    expect(await follow("running", { agent_id: here.owner.userId })).toBe(false);
    expect(await follow("done", {}, "2026-01-01T00:00:00.000Z")).toBe(false);
    for (const state of ["running", "needs_input", "review", "running"]) {
      expect(await follow(state)).toBe(true);
      expect(nodeOf(await readRun(here, run), "build")).toMatchObject({ state: "active", session_id: session.id });
    }
    expect(await follow("done", { id: newId() })).toBe(false);
    expect(await follow("done")).toBe(true);
    const ended = await readRun(here, run);
    expect(statesOf(ended)).toMatchObject({ build: "done, success", good: "done, success" });
    expect(nodeOf(ended, "build")).toMatchObject({ completed_by: session.agent_id, session_id: session.id });
    expect(await follow("done")).toBe(false);
  });

  test.each(["failed", "cancelled"])(
    "fails with a session that is %s, even if nobody saw its beginning",
    async (state) => {
      const { here, run, follow } = await waiting();
      await follow(state);
      expect(statesOf(await readRun(here, run))).toMatchObject({ build: "failed, failure", bad: "done, success" });
    },
  );

  test("hears of the session by its events, in any order and twice", async () => {
    const { here, run, session } = await waiting();
    const happened = async (type: string, state: string) => {
      const id = newId();
      await here.sql(
        `insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, cause, data, created_at)
         values ($1, $2, $3, $4, $5, $6, 'agent', '{}', $7, now())`,
        [
          ...[id, here.workspace.id, type, here.project.id, run.issue_id, session.agent_id],
          JSON.stringify({ ...session, state }),
        ],
      );
      return id;
    };
    const created = await happened("agent_session.created", "running");
    const done = await happened("agent_session.state_changed", "done");
    const tell = (id: string) =>
      tellRuns(backgroundOf(here.app.resources, new Date().toISOString()), here.workspace.id, [id]);
    for (const id of [done, created, done]) await tell(id);
    expect(statesOf(await readRun(here, run))).toMatchObject({ build: "done, success", good: "done, success" });
  });
});

test("an agent's session ends its stage, over the API", async () => {
  const here = await world();
  const key = { name: "Builder", kind: "agent", agent_name: "Builder", scopes: ["write"] };
  const { agent_id, plaintext } = (await here.owner.post("W/api-keys", key).expect(201)).data;
  const headers = { authorization: `Bearer ${plaintext}` };
  const flow = await workflow(here, [{ id: "build", kind: "agent", assignee_user_id: agent_id }], [["start", "build"]]);
  const run = await start(here, (await issue(here)).key, flow);
  const body = { title: "Build it", issue_key: run.issue_key };
  const { data } = await here.nobody.post("W/agent-sessions", body, { headers }).expect(201);
  await drain();
  expect(nodeOf(await readRun(here, run), "build")).toMatchObject({ state: "active", session_id: data.id });
  for (const state of ["review", "done"]) {
    await here.nobody.patch(`W/agent-sessions/${data.id}`, { state }, { headers }).expect(200);
  }
  await drain();
  expect(await readRun(here, run)).toMatchObject({ status: "completed" });
});
