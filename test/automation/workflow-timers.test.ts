import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { endDue } from "../../src/domain/automation/workflow-runs/due.ts";
import { systemNow, transact } from "../support/acting.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { issue, nodeOf, type Run, start, statesOf, workflow } from "./flows.ts";

/** Stages that end by themselves: after a time, at a time in the issue, with an event, or because nobody came. */

const around = (here: World, kind: string, config: object, labels: readonly string[] = []) =>
  workflow(
    here,
    [
      { id: "stage", kind, config: { ...config } },
      { id: "good", kind: "end" },
      ...labels.map((id) => ({ id, kind: "end" })),
    ],
    [["start", "stage"], ["stage", "good"], ...labels.map((label) => ["stage", label, label] as const)],
  );

const readRun = async ({ owner }: World, { id }: Run): Promise<Run> =>
  (await owner.get(`W/workflow-runs/${id}`).expect(200)).data;

/** Moves the times of a run into the past. */
const pass = ({ sql }: World, { id }: Run, minutes: number) =>
  sql(
    `update workflow_stage set due_at = due_at - $2 * interval '1 minute', activated_at = activated_at - $2 * interval '1 minute'
     where run_id = $1 and state = 'active'`,
    [id, minutes],
  );

async function later(here: World, run: Run, minutes: number): Promise<Run> {
  await pass(here, run, minutes);
  await drain();
  return readRun(here, run);
}

describe("a wait", () => {
  test("ends after its minutes, not before", async () => {
    const here = await world();
    const run = await start(here, (await issue(here)).key, await around(here, "wait", { minutes: 30 }));
    expect(run).toMatchObject({ waiting: true, current_summary: "Waiting: stage" });
    const minutes = (Date.parse(nodeOf(run, "stage").due_at) - Date.parse(nodeOf(run, "stage").activated_at)) / 60_000;
    expect(minutes).toBe(30);
    expect((await later(here, run, 29)).status).toBe("running");
    expect(statesOf(await later(here, run, 1))).toMatchObject({ stage: "done, success", good: "done, success" });
    await here.owner.post(`W/workflow-runs/${run.id}/complete-stage`, {}).expect(409, "run_finished");
  });

  test("cannot be completed by somebody", async () => {
    const here = await world();
    const run = await start(here, (await issue(here)).key, await around(here, "wait", { minutes: 30 }));
    await here.owner.post(`W/workflow-runs/${run.id}/complete-stage`, {}).expect(409, "no_active_stage");
    await here.owner
      .post(`W/workflow-runs/${run.id}/complete-stage`, { node_id: "stage" })
      .expect(409, "no_active_stage");
  });

  test("for a time in the issue follows the field", async () => {
    const here = await world();
    const { key } = await issue(here);
    const run = await start(here, key, await around(here, "wait", { until_field: "due_at" }));
    expect(nodeOf(run, "stage").due_at).toBe(null);
    const due = new Date(Date.now() + 3_600_000).toISOString();
    await here.owner.patch(`P/issues/${key}`, { due_at: due }).expect(200);
    await drain();
    expect(nodeOf(await readRun(here, run), "stage").due_at).toBe(due);
    await here.owner.patch(`P/issues/${key}`, { due_at: null }).expect(200);
    await drain();
    expect(nodeOf(await readRun(here, run), "stage").due_at).toBe(null);
    await here.owner.patch(`P/issues/${key}`, { due_at: "2020-01-01" }).expect(200);
    await drain();
    expect((await readRun(here, run)).status).toBe("completed");
  });

  test("for a day ends when it begins in the workspace's zone", async () => {
    const here = await world();
    await here.owner.patch("W", { timezone: "Pacific/Kiritimati" }).expect(200);
    const { key } = await issue(here);
    const run = await start(here, key, await around(here, "wait", { until_field: "due_at" }));
    const due = async (due_at: string) => {
      await here.owner.patch(`P/issues/${key}`, { due_at }).expect(200);
      await drain();
      return nodeOf(await readRun(here, run), "stage").due_at;
    };
    expect(await due("2040-03-10")).toBe("2040-03-09T10:00:00.000Z");
    expect(await due("2040-03-10T05:00:00Z")).toBe("2040-03-10T05:00:00.000Z");
  });

  test("for a time in the issue notices a change that is committed while it begins", async () => {
    const here = await world();
    const { key, id } = await issue(here);
    const flow = await around(here, "wait", { until_field: "due_at" });
    let starting: Promise<Run> | undefined;
    await here.app.resources.database.transaction(async (tx) => {
      await tx.query({ text: "update issue set due_at = '2026-01-05T00:00:00Z' where id = $1" }, [id]);
      starting = start(here, key, flow);
      await sleep(500);
    });
    const run = (await starting)!;
    expect(nodeOf(run, "stage").due_at).toBe("2026-01-05T00:00:00.000Z");
    await drain();
    expect((await readRun(here, run)).status).toBe("completed");
  });

  test("for a custom field follows it too", async () => {
    const here = await world();
    const { data: field } = await here.owner.post("P/custom-field-defs", { name: "Launch", kind: "date" }).expect(201);
    const { key } = await issue(here);
    const run = await start(here, key, await around(here, "wait", { until_field: `custom_field:${field.id}` }));
    await here.owner.put(`P/issues/${key}/custom-fields/${field.id}`, { value: "2020-01-01" }).expect(200);
    await drain();
    expect((await readRun(here, run)).status).toBe("completed");
  });

  test("for an event ends with one about its issue, after it began", async () => {
    const here = await world();
    const [mine, other] = [await issue(here), await issue(here)];
    const flow = await around(here, "wait", { event: { type: "comment.created" } });
    await here.owner.post(`P/issues/${mine.key}/comments`, { body_md: "Too early" }).expect(201);
    const run = await start(here, mine.key, flow);
    await here.owner.post(`P/issues/${other.key}/comments`, { body_md: "Elsewhere" }).expect(201);
    await drain();
    expect((await readRun(here, run)).status).toBe("running");
    await here.owner.post(`P/issues/${mine.key}/comments`, { body_md: "Now" }).expect(201);
    await drain();
    expect((await readRun(here, run)).status).toBe("completed");
  });

  test("for an event about no issue ends with one of its project or workspace", async () => {
    const here = await world();
    const hidden = await here.hidden();
    const flow = await around(here, "wait", { event: { type: "label.created" } });
    const run = await start(here, (await issue(here)).key, flow);
    await hidden.owner.post("P/labels", { name: "Elsewhere" }).expect(201);
    await drain();
    expect((await readRun(here, run)).status).toBe("running");
    await here.owner.post("P/labels", { name: "Here" }).expect(201);
    await drain();
    expect((await readRun(here, run)).status).toBe("completed");
  });

  test("for an event that does not come times out", async () => {
    const here = await world();
    const config = { event: { type: "comment.created" }, timeout_minutes: 60 };
    const run = await start(here, (await issue(here)).key, await around(here, "wait", config, ["timeout"]));
    expect(statesOf(await later(here, run, 60))).toMatchObject({ stage: "failed, timeout", timeout: "done, success" });
  });
});

describe("a time-out", () => {
  test("of a person or an agent follows its edge, else one for failures, else fails the run", async () => {
    const here = await world();
    const config = { role: "member", timeout_minutes: 60 };
    const states: Record<string, unknown> = {};
    for (const labels of [["timeout", "failure"], ["failure"], []]) {
      const run = await start(here, (await issue(here)).key, await around(here, "person", config, labels));
      const ended = await later(here, run, 60);
      states[labels.join()] = { status: ended.status, ...statesOf(ended) };
      if (labels.length === 0) expect(ended.error).toBe("stage timed out.");
    }
    const shared = { start: "done, success", stage: "failed, timeout", good: "skipped" };
    expect(states).toEqual({
      "timeout,failure": { status: "completed", ...shared, timeout: "done, success", failure: "skipped" },
      failure: { status: "completed", ...shared, failure: "done, success" },
      "": { status: "failed", ...shared },
    });
  });

  test.each([
    ["reject", ["rejected"], "done, rejected"],
    ["approve", [], "done, approved"],
    ["fail", ["failure"], "failed, timeout"],
    ["approve", ["timeout"], "failed, timeout"],
  ])("of an approval with %s and the edges %j is %s", async (on_timeout, labels, outcome) => {
    const here = await world();
    const config = { approver_role: "member", timeout_minutes: 60, on_timeout };
    const run = await start(here, (await issue(here)).key, await around(here, "approval", config, labels));
    const ended = await later(here, run, 60);
    expect(statesOf(ended).stage).toBe(outcome);
    expect(ended.status).toBe("completed");
  });

  test("that comes while somebody completes the stage changes nothing", async () => {
    const here = await world();
    const config = { role: "member", timeout_minutes: 60 };
    for (let n = 0; n < 5; n++) {
      const run = await start(here, (await issue(here)).key, await around(here, "person", config, ["timeout"]));
      await pass(here, run, 60);
      const due = new Date(Date.now()).toISOString();
      const timeUp = () =>
        transact(here.app, systemNow(here.app), here.workspace.id, (ctx) =>
          endDue(ctx, here.workspace.id, run.id, due),
        );
      await Promise.all([timeUp(), here.owner.post(`W/workflow-runs/${run.id}/complete-stage`, {}), timeUp()]);
      const ended = await readRun(here, run);
      expect(ended.status).toBe("completed");
      expect(["done, success", "failed, timeout"]).toContain(statesOf(ended).stage);
      expect(nodeOf(ended, "stage").attempts).toBe(1);
    }
  });
});

test("a time by which a person is asked to be done is shown, and ends nothing", async () => {
  const here = await world();
  const run = await start(
    here,
    (await issue(here)).key,
    await around(here, "person", { due_in_hours: 2, role: "member" }),
  );
  const { due_at, activated_at } = nodeOf(run, "stage");
  expect(Date.parse(due_at) - Date.parse(activated_at)).toBe(2 * 3_600_000);
  expect((await later(here, run, 180)).status).toBe("running");
});
