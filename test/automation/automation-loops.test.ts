import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { workflow } from "./flows.ts";
import { addRule, runsOf, stateOf } from "./rules-by-sql.ts";

/** Automations that cause what starts them. */

const RETITLE = { type: "set_field", field: "title", value: "{{issue.title}}!", target: "self" };
const priority = (value: string) => ({ type: "set_priority", priority: value, target: "self" });
const titled = { trigger: "issue.updated", trigger_config: { fields: ["title"] }, actions: [RETITLE] };

const issue = async ({ owner }: World) => (await owner.post("P/issues", { title: "An issue" }).expect(201)).data;

test("an automation ignores what automations changed, and says when and why", async () => {
  const here = await world();
  const rule = await addRule(here, titled);
  const { key } = await issue(here);
  await here.owner.patch(`P/issues/${key}`, { title: "Two" }).expect(200);
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ status: "ok", depth: 1 }]);
  expect((await here.owner.get(`P/issues/${key}`)).data.title).toBe("Two!");
  const state = await stateOf(here, rule);
  expect(state).toMatchObject({ enabled: true, run_count: 1 });
  expect(state.last_skipped_reason).toContain("An automation made the change");
  expect(Date.now() - Date.parse(String(state.last_skipped_at))).toBeLessThan(60_000);
});

test("one that starts itself is stopped after its first run, and disabled the third time", async () => {
  const here = await world();
  const rule = await addRule(here, { ...titled, allow_chaining: true });
  const { key } = await issue(here);
  for (const round of [1, 2, 3]) {
    await here.owner.patch(`P/issues/${key}`, { title: `Round ${round}` }).expect(200);
    await drain();
    expect((await here.owner.get(`P/issues/${key}`)).data.title).toBe(`Round ${round}!`);
  }
  const runs = await runsOf(here, rule);
  expect(runs.map(({ status, reason, depth }) => [status, reason, depth])).toEqual(
    [1, 2, 3].flatMap(() => [
      ["ok", null, 1],
      ["error", "loop_stopped", 2],
    ]),
  );
  for (const { detail, actions_applied } of runs.filter(({ reason }) => reason)) {
    expect(detail).toContain("caused the change");
    expect(actions_applied).toBeNull();
  }
  expect(await stateOf(here, rule)).toMatchObject({ enabled: false, disabled_reason: "loop", run_count: 3 });
  await here.owner.patch(`P/issues/${key}`, { title: "Round 4" }).expect(200);
  await drain();
  expect(await runsOf(here, rule)).toHaveLength(6);
});

test("two that start each other run once each, and the first is stopped", async () => {
  const here = await world();
  const raised = { trigger: "issue.priority_changed", allow_chaining: true };
  const down = await addRule(here, { ...raised, trigger_config: { to: ["critical"] }, actions: [priority("low")] });
  const up = await addRule(here, { ...raised, trigger_config: { to: ["low"] }, actions: [priority("critical")] });
  const { key } = await issue(here);
  await here.owner.patch(`P/issues/${key}`, { priority: "critical" }).expect(200);
  await drain();
  expect(await runsOf(here, down)).toMatchObject([
    { status: "ok", depth: 1 },
    { reason: "loop_stopped", depth: 3 },
  ]);
  expect(await runsOf(here, up)).toMatchObject([{ status: "ok", depth: 2 }]);
  const [first, second] = [(await runsOf(here, down))[0]!, (await runsOf(here, up))[0]!];
  expect(second.root_event_id).toBe(first.root_event_id);
  expect(first.event_id).toBe(first.root_event_id);
});

test("a chain through new issues ends after five automations", async () => {
  const here = await world();
  const rule = await addRule(here, {
    trigger: "issue.created",
    allow_chaining: true,
    actions: [{ type: "create_issue", issue: { type: "task", title: "Next", priority: "medium" } }],
  });
  await issue(here);
  await drain();
  const runs = await runsOf(here, rule);
  expect(runs.map(({ depth, status, reason }) => [depth, status, reason])).toEqual([
    ...[1, 2, 3, 4, 5].map((depth) => [depth, "ok", null]),
    [6, "error", "loop_stopped"],
  ]);
  expect(runs.at(-1)!.detail).toContain("more than 5 automations");
});

test("two changes of the same automation start another one once for the issue, and that is no loop", async () => {
  const here = await world();
  await addRule(here, { trigger: "issue.created", actions: [priority("high"), RETITLE] });
  const rule = await addRule(here, {
    trigger: "issue.updated",
    allow_chaining: true,
    actions: [{ type: "add_comment", comment: "Changed", target: "self" }],
  });
  await issue(here);
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ status: "ok", depth: 2 }]);
  const state = await stateOf(here, rule);
  expect(state).toMatchObject({ enabled: true, failure_count: 0 });
  expect(state.last_skipped_reason).toContain("already ran");
});

/** An agent that changes the title of an issue whenever an automation wakes it. */
async function withAgent(here: World, allow_chaining: boolean) {
  const created = await here.owner
    .post("W/api-keys", { name: "Bot", scopes: ["write"], kind: "agent", agent_name: "Bot" })
    .expect(201);
  const { key, agent_id } = { key: created.data.plaintext, agent_id: created.data.agent_id };
  const rule = await addRule(here, {
    trigger: "issue.updated",
    allow_chaining,
    actions: [{ type: "notify_agent", agent_user_id: agent_id, prompt: "Look" }],
  });
  const retitle = async (issueKey: string, title: string) => {
    const url = here.owner.url(`P/issues/${issueKey}`);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const reply = await fetch(url, { method: "PATCH", headers, body: JSON.stringify({ title }) });
    expect(reply.status).toBe(200);
  };
  return { rule, retitle };
}

test("what a woken agent does continues the chain, so the automation that woke it does not run again", async () => {
  const here = await world();
  const { rule, retitle } = await withAgent(here, false);
  const { key } = await issue(here);
  await here.owner.patch(`P/issues/${key}`, { title: "By a person" }).expect(200);
  await drain();
  await retitle(key, "By the agent");
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ status: "ok", depth: 1 }]);
  expect((await stateOf(here, rule)).last_skipped_reason).toContain("An automation made the change");
  // Other issues, on which nobody woke it, begin chains of their own.
  const other = await issue(here);
  await retitle(other.key, "On its own");
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ depth: 1 }, { issue_id: other.id, depth: 1 }]);
});

test("a loop through a woken agent is stopped, and says why", async () => {
  const here = await world();
  const { rule, retitle } = await withAgent(here, true);
  const { key } = await issue(here);
  await here.owner.patch(`P/issues/${key}`, { title: "By a person" }).expect(200);
  await drain();
  for (const round of [1, 2, 3]) {
    await retitle(key, `By the agent ${round}`);
    await drain();
  }
  expect((await runsOf(here, rule)).map(({ reason, depth }) => [reason, depth])).toEqual([
    [null, 1],
    ["loop_stopped", 3],
    ["loop_stopped", 3],
    ["loop_stopped", 3],
  ]);
  expect(await stateOf(here, rule)).toMatchObject({ enabled: false, disabled_reason: "loop" });
});

test("an issue that a woken agent creates belongs to the chain too", async () => {
  const here = await world();
  const { data: bot } = await here.owner
    .post("W/api-keys", { name: "Bot", scopes: ["write"], kind: "agent", agent_name: "Bot" })
    .expect(201);
  const wake = { type: "notify_agent", agent_user_id: bot.agent_id, prompt: "Split it" };
  const rule = await addRule(here, { trigger: "issue.created", actions: [wake] });
  const create = async () => {
    const headers = { authorization: `Bearer ${bot.plaintext}`, "content-type": "application/json" };
    const body = JSON.stringify({ title: "By the agent" });
    const reply = await fetch(here.owner.url("P/issues"), { method: "POST", headers, body });
    expect(reply.status).toBe(201);
    await drain();
  };
  await create();
  expect(await runsOf(here, rule), "nobody had woken it").toHaveLength(1);
  await create();
  expect(await runsOf(here, rule)).toMatchObject([{ status: "ok", depth: 1 }]);
  expect((await stateOf(here, rule)).last_skipped_reason).toContain("An automation made the change");
});

test("what a workflow does that an automation started belongs to the chain, and a loop through it is stopped", async () => {
  const here = await world();
  const actions = [{ type: "set_field", field: "title", value: "{{issue.title}}!", target: "self" }];
  const flow = await workflow(
    here,
    [
      { id: "act", kind: "action", config: { actions } },
      { id: "end", kind: "end" },
    ],
    [
      ["start", "act"],
      ["act", "end"],
    ],
  );
  const starts = { ...titled, actions: [{ type: "start_workflow", workflow_id: flow, target: "self" }] };
  const rule = await addRule(here, { ...starts, allow_chaining: true });
  const quiet = await addRule(here, { ...titled, actions: [{ type: "add_comment", comment: "x", target: "self" }] });
  const { key } = await issue(here);
  await here.owner.patch(`P/issues/${key}`, { title: "By a person" }).expect(200);
  await drain();
  expect((await here.owner.get(`P/issues/${key}`)).data.title).toBe("By a person!");
  expect((await runsOf(here, rule)).map(({ status, reason }) => [status, reason])).toEqual([
    ["ok", null],
    ["error", "loop_stopped"],
  ]);
  expect(await runsOf(here, quiet)).toHaveLength(1);
  expect((await stateOf(here, quiet)).last_skipped_reason).toContain("An automation made the change");
});
