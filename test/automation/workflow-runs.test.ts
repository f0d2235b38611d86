import { describe, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { eventsOf, undefinedEvents } from "../support/events.ts";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { world } from "../support/world.ts";
import { issue, nodeOf, type Run, start, statesOf, workflow } from "./flows.ts";

/** Runs of workflows: how they start and end, and who sees them. */

const REVIEW = [
  [
    { id: "review", kind: "person" },
    { id: "end", kind: "end" },
  ],
  [
    ["start", "review"],
    ["review", "end"],
  ],
] as const;

describe("starting a run", () => {
  test("answers with the run, and the issue names it until it has ended", async () => {
    const here = await world();
    const { owner } = here;
    const flow = await workflow(here, ...REVIEW);
    const { key, id } = await issue(here);
    const body = { workflow_id: flow, context: { ticket: "A-17" }, note_md: "Please hurry." };
    const { data } = await owner.post(`P/issues/${key}/workflow`, body).expect(201);
    expect(data.run_id).toBe(data.run.id);
    expect(data.run).toMatchObject({
      issue_id: id,
      issue_key: key,
      workflow_id: flow,
      workflow_name: "Review and release",
      workflow_version: 1,
      status: "running",
      waiting: true,
      current_summary: "Waiting: review",
      context: { ticket: "A-17" },
      note_md: "Please hurry.",
      started_by: owner.userId,
      ended_at: null,
      error: null,
    });
    expect(statesOf(data.run)).toEqual({ start: "done, success", review: "active", end: "pending" });
    expect((await owner.get(`P/issues/${key}`).expect(200)).data.active_workflow_run_id).toBe(data.run.id);

    const completed = await owner
      .post(`W/workflow-runs/${data.run.id}/complete-stage`, { node_id: "review" })
      .expect(200);
    expect(completed.data).toMatchObject({ status: "completed", waiting: false, current_summary: "Completed" });
    expect(completed.data.ended_at).toEqual(expect.any(String));
    expect(statesOf(completed.data)).toEqual({ start: "done, success", review: "done, success", end: "done, success" });
    expect((await owner.get(`W/workflow-runs/${data.run.id}`).expect(200)).data).toEqual(completed.data);
    expect((await owner.get(`P/issues/${key}`).expect(200)).data.active_workflow_run_id).toBe(null);

    expect((await eventsOf(here, "workflow_run.%")).map(({ type }) => type)).toEqual([
      "workflow_run.started",
      "workflow_run.completed",
    ]);
    const { data: activity } = await owner.get(`P/issues/${key}/activity`).expect(200);
    const kinds = activity.map(({ kind, actor_kind }: Record<string, string>) => `${kind} by ${actor_kind}`);
    expect(kinds).toEqual(["workflow_ended by workflow", "workflow_started by workflow", "created by user"]);
    expect(await undefinedEvents(here)).toEqual([]);
  });

  test("keeps any JSON of the context exactly, up to 16 KiB", async () => {
    const here = await world();
    const flow = await workflow(here, ...REVIEW);
    const context = '{"big":12345678901234567890,"nul":"\\u0000","half":"\\ud800","deep":{"1.50":1.50}}';
    const { key } = await issue(here);
    const raw = `{"workflow_id":"${flow}","context":${context}}`;
    const { data } = await here.owner.post(`P/issues/${key}/workflow`, undefined, { raw }).expect(201);
    const { text } = await here.owner.get(`W/workflow-runs/${data.run_id}`).expect(200);
    expect(text).toContain(`"context":${context}`);
    const { key: other } = await issue(here);
    const big = { workflow_id: flow, context: { text: "x".repeat(16 * 1024) } };
    await here.owner.post(`P/issues/${other}/workflow`, big).expect(400, "validation_failed");
  });

  test("is refused for drafts, other projects' workflows, archived issues, and issues in a run", async () => {
    const here = await world();
    const { owner } = here;
    const [draft, flow] = [await workflow(here, ...REVIEW, { status: "draft" }), await workflow(here, ...REVIEW)];
    const foreign = await workflow(here, ...REVIEW, { project_id: (await here.hidden()).project.id });
    const elsewhere = await workflow(await here.other(), ...REVIEW);
    const { key } = await issue(here);
    const path = `P/issues/${key}/workflow`;
    await owner.post(path, { workflow_id: draft }).expect(409, "workflow_not_enabled");
    for (const workflow_id of [foreign, elsewhere, newId(), "nonsense"]) {
      await owner.post(path, { workflow_id }).expect(400, "invalid_reference");
    }
    const run = await start(here, key, flow);
    const { body } = await owner.post(path, { workflow_id: flow }).expect(409, "run_already_active");
    expect(body.error.details.run_id).toBe(run.id);
    await owner.delete(path).expect(200);
    await owner.delete(`P/issues/${key}`).expect(200);
    await owner.post(path, { workflow_id: flow }).expect(409, "archived");
  });

  test("by several callers at once makes one run", async () => {
    const here = await world();
    const flow = await workflow(here, ...REVIEW);
    const { key } = await issue(here);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => here.owner.post(`P/issues/${key}/workflow`, { workflow_id: flow })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await here.sql("select from workflow_run where workspace_id = $1", [here.workspace.id])).toHaveLength(1);
  });

  test("needs workflow.run or issues:write, and a member", async () => {
    const here = await world();
    const flow = await workflow(here, ...REVIEW);
    const begin = async (scopes: string[], role: "member" | "viewer") => {
      const { key } = await issue(here);
      return (await here.as({ role, scopes })).post(`P/issues/${key}/workflow`, { workflow_id: flow });
    };
    await (await here.as({ role: "member" })).get("P/issues").expect(200);
    expect((await begin(["workflow.run"], "member")).status).toBe(201);
    expect((await begin(["issues:write"], "member")).status).toBe(201);
    expect((await begin(["issues:read", "workflows:read"], "member")).body.code).toBe("insufficient_scope");
    expect((await begin(["workflow.run"], "viewer")).body.code).toBe("insufficient_role");
  });

  test("of a workflow that needs nobody ends it at once", async () => {
    const here = await world();
    const flow = await workflow(here, [{ id: "end", kind: "end", config: { result: "failed" } }], [["start", "end"]]);
    const { key } = await issue(here);
    const run = await start(here, key, flow);
    expect(run).toMatchObject({ status: "failed", error: "The run has reached the end end." });
    expect((await here.owner.get(`P/issues/${key}`).expect(200)).data.active_workflow_run_id).toBe(null);
    expect((await eventsOf(here, "workflow_run.%")).map(({ type }) => type)).toEqual([
      "workflow_run.started",
      "workflow_run.failed",
    ]);
  });
});

describe("cancelling a run", () => {
  test("ends it, and another one can start", async () => {
    const here = await world();
    const { owner } = here;
    const flow = await workflow(here, ...REVIEW);
    const { key } = await issue(here);
    const path = `P/issues/${key}/workflow`;
    await owner.delete(path).expect(404, "no_active_run");
    const run = await start(here, key, flow);
    const { data } = await owner.delete(path).expect(200);
    expect(data).toEqual({ issue_key: key, cancelled: true, run_id: run.id });
    const { data: after } = await owner.get(`W/workflow-runs/${run.id}`).expect(200);
    expect(after).toMatchObject({ status: "cancelled", current_summary: "Cancelled", waiting: false });
    expect(statesOf(after)).toEqual({ start: "done, success", review: "cancelled, cancelled", end: "skipped" });
    await owner.delete(path).expect(404, "no_active_run");
    await owner.post(`W/workflow-runs/${run.id}/complete-stage`, {}).expect(409, "run_finished");
    await owner.post(`W/workflow-runs/${run.id}/advance`).expect(409, "run_finished");
    await start(here, key, flow);
  });
});

describe("advancing a run", () => {
  test("ends all active stages along their good path, but approves none", async () => {
    const here = await world();
    const flow = await workflow(
      here,
      [
        { id: "a", kind: "person" },
        { id: "b", kind: "approval", config: { approver_role: "owner" } },
        { id: "good", kind: "end" },
        { id: "bad", kind: "end", config: { result: "failed" } },
      ],
      [
        ["start", "a"],
        ["start", "b"],
        ["a", "good"],
        ["a", "bad", "failure"],
        ["b", "good", "approved"],
        ["b", "bad", "rejected"],
      ],
    );
    const run = await start(here, (await issue(here)).key, flow);
    const { data } = await here.owner.post(`W/workflow-runs/${run.id}/advance`).expect(200);
    expect(statesOf(data)).toMatchObject({
      a: "done, forced",
      b: "done, forced",
      good: "done, success",
      bad: "done, failure",
    });
    expect(data.status).toBe("failed");
    expect(nodeOf(data, "a").completed_by).toBe(here.owner.userId);
    await here.owner.post(`W/workflow-runs/${run.id}/advance`).expect(409, "run_finished");
  });

  test("reopens the failed stage of a failed run", async () => {
    const here = await world();
    const { owner } = here;
    const flow = await workflow(here, ...REVIEW);
    const { key } = await issue(here);
    const run = await start(here, key, flow);
    const failed = await owner.post(`W/workflow-runs/${run.id}/complete-stage`, { outcome: "failure" }).expect(200);
    expect(failed.data).toMatchObject({
      status: "failed",
      error: "review failed.",
      current_summary: "Failed: review failed.",
    });
    expect(statesOf(failed.data)).toEqual({ start: "done, success", review: "failed, failure", end: "skipped" });
    const ended = await owner.post(`W/workflow-runs/${run.id}/complete-stage`, {}).expect(409, "run_finished");
    expect(ended.body.detail).toContain("Advance it to open its failed stages again");

    const { data } = await owner.post(`W/workflow-runs/${run.id}/advance`).expect(200);
    expect(data).toMatchObject({ status: "running", error: null, ended_at: null });
    expect(statesOf(data)).toEqual(statesOf(run));
    expect(nodeOf(data, "review")).toMatchObject({ attempts: 2, completed_by: null, ended_at: null });
    expect((await owner.get(`P/issues/${key}`).expect(200)).data.active_workflow_run_id).toBe(run.id);

    await owner.post(`W/workflow-runs/${run.id}/complete-stage`, { outcome: "failure" }).expect(200);
    const next = await start(here, key, flow);
    const refused = await owner.post(`W/workflow-runs/${run.id}/advance`).expect(409, "run_already_active");
    expect(refused.body.error.details.run_id).toBe(next.id);
  });

  test("reopens nothing if the run has failed at its end, or its workflow was deleted", async () => {
    const here = await world();
    const { owner } = here;
    const flow = await workflow(
      here,
      [
        { id: "review", kind: "person" },
        { id: "end", kind: "end", config: { result: "failed" } },
      ],
      [
        ["start", "review"],
        ["review", "end"],
      ],
    );
    const run = await start(here, (await issue(here)).key, flow);
    await owner.post(`W/workflow-runs/${run.id}/complete-stage`, {}).expect(200);
    await owner.post(`W/workflow-runs/${run.id}/advance`).expect(409, "run_finished");
    expect(await eventsOf(here, "workflow_run.failed")).toHaveLength(1);

    const other = await start(here, (await issue(here)).key, flow);
    await owner.post(`W/workflow-runs/${other.id}/complete-stage`, { outcome: "failure" }).expect(200);
    await owner.delete(`W/workflows/${flow}`).expect(200);
    await owner.post(`W/workflow-runs/${other.id}/advance`).expect(409, "run_finished");
  });

  test("is for admins and the one who started it", async () => {
    const here = await world();
    const run = await start(here, (await issue(here)).key, await workflow(here, ...REVIEW));
    const [member, admin] = [await here.as({ role: "member" }), await here.as({ role: "admin" })];
    await member.post(`W/workflow-runs/${run.id}/advance`).expect(403, "insufficient_role");
    await admin.post(`W/workflow-runs/${run.id}/advance`).expect(200);
    const own = await start({ owner: member }, (await issue(here)).key, run.workflow_id as string);
    await member.post(`W/workflow-runs/${own.id}/advance`).expect(200);
  });
});

describe("runs", () => {
  test("are listed newest first, without those of issues that the reader does not see", async () => {
    const here = await world();
    const flow = await workflow(here, ...REVIEW);
    const hidden = await here.hidden();
    const first = await start(here, (await issue(here)).key, flow);
    const second = await start(here, (await issue(here)).key, flow);
    const secret = await start(hidden, (await issue(hidden)).key, flow);
    const idsFor = async (client: typeof here.owner, query = "") =>
      (await client.get(`W/workflows/${flow}/runs${query}`).expect(200)).data.map(({ id }: { id: string }) => id);
    expect(await idsFor(here.owner)).toEqual([secret.id, second.id, first.id]);
    const member = await here.as({ role: "member" });
    expect(await idsFor(member)).toEqual([second.id, first.id]);
    const countFor = async (client: typeof here.owner) => [
      (await client.get(`W/workflows/${flow}`).expect(200)).data.in_flight_runs,
      (await client.get("W/workflows").expect(200)).data[0].in_flight_runs,
    ];
    expect([await countFor(here.owner), await countFor(member)]).toEqual([
      [3, 3],
      [2, 2],
    ]);
    await member.get(`W/workflow-runs/${secret.id}`).expect(404);
    await member.post(`W/workflow-runs/${secret.id}/complete-stage`, {}).expect(404);
    const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
    await limited.get(`W/workflow-runs/${secret.id}`).expect(404);
    await limited.get(`W/workflow-runs/${first.id}`).expect(200);
    const page = await here.owner.get(`W/workflows/${flow}/runs?limit=2`).expect(200);
    const rest = await here.owner.get(`W/workflows/${flow}/runs?limit=2&cursor=${page.body.pagination.next_cursor}`);
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([first.id]);
    await (await here.other()).owner.get(`W/workflows/${flow}/runs`).expect(404);
  });
});

test("a run of 200 nodes starts, and all its stages are completed, in short turns of the event loop", async () => {
  const here = await world();
  const middle = Array.from({ length: 197 }, (_, n) => ({ id: `n${n}`, kind: "person", config: { role: "member" } }));
  const flow = await workflow(
    here,
    [...middle, { id: "join", kind: "parallel" }, { id: "end", kind: "end" }],
    [...middle.flatMap(({ id }) => [["start", id] as const, [id, "join"] as const]), ["join", "end"]],
  );
  const web = await startWatched(here.app.config);
  try {
    const { key } = here.owner;
    const W = `${web.url}/v1/workspaces/${here.workspace.slug}`;
    const send = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const reply = await fetch(`${W}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      expect(reply.ok).toBe(true);
      return (await reply.json()) as { data: { run: Run } & Run };
    };
    await expectShortTurns(web, "a large run", async () => {
      const target = await issue(here);
      const { data } = await send(`projects/WEB/issues/${target.key}/workflow`, { workflow_id: flow });
      expect(data.run.nodes.filter(({ state }) => state === "active")).toHaveLength(197);
      expect((await send(`workflow-runs/${data.run.id}/complete-stage`, {})).data.status).toBe("completed");
    });
  } finally {
    await web.kill();
  }
});
