import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { statesOf, workflow } from "./flows.ts";
import { addRule, runsOf, stateOf } from "./rules-by-sql.ts";
import { type Agent, agent, issue } from "./sessions.ts";

/** Loops that go through an agent: what the agent does when it is assigned or mentioned continues the chain. */

const retitle = ({ client }: Agent, key: string, title: string) =>
  client.patch(`P/issues/${key}`, { title }).expect(200);
const wakes = ({ sql, workspace }: World) =>
  sql<{
    agent_id: string;
    issue_id: string;
    automation_id: string | null;
    workflow_run_id: string | null;
    depth: number;
  }>(
    `select agent_id, issue_id, automation_id, workflow_run_id, depth from agent_wake where workspace_id = $1 order by id`,
    [workspace.id],
  );

/** Takes the agent out again, so that the next run assigns it anew. */
const takeBack = ({ owner }: World, key: string) => owner.patch(`P/issues/${key}`, { assignee_ids: [] }).expect(200);

test("an automation that assigns an agent does not run again for what the agent then does", async () => {
  const here = await world();
  const bot = await agent(here);
  const assign = { type: "assign_to", assign_target: "member", member_id: bot.id, target: "self" };
  const titled = { trigger: "issue.updated", trigger_config: { fields: ["title"] } };
  const rule = await addRule(here, { ...titled, allow_chaining: true, actions: [assign] });
  const careful = await addRule(here, { ...titled, actions: [{ type: "add_comment", comment: "x", target: "self" }] });
  const { key, id } = await issue(here);
  await here.owner.patch(`P/issues/${key}`, { title: "By a person" }).expect(200);
  await drain();
  expect(await wakes(here)).toEqual([
    { agent_id: bot.id, issue_id: id, automation_id: rule, workflow_run_id: null, depth: 1 },
  ]);
  await takeBack(here, key);
  await retitle(bot, key, "By the agent");
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([
    { status: "ok", depth: 1 },
    { status: "error", reason: "loop_stopped", depth: 3 },
  ]);
  expect(await runsOf(here, careful)).toHaveLength(1);
  expect((await stateOf(here, careful)).last_skipped_reason).toContain("An automation made the change");

  // On other issues the agent begins chains of its own.
  const other = await issue(here);
  await retitle(bot, other.key, "On its own");
  await drain();
  expect(await runsOf(here, careful)).toMatchObject([{ depth: 1 }, { issue_id: other.id, depth: 1 }]);
});

test("a comment of an automation that mentions an agent wakes it, and so does an issue that is created for it", async () => {
  const here = await world();
  const bot = await agent(here);
  const comment = `@[Bot](${bot.id}) please look`;
  const rule = await addRule(here, {
    trigger: "comment.added",
    allow_chaining: true,
    actions: [{ type: "add_comment", comment, target: "self" }],
  });
  const { key, id } = await issue(here);
  await here.owner.post(`P/issues/${key}/comments`, { body_md: "Hello" }).expect(201);
  await drain();
  expect(await wakes(here)).toMatchObject([{ agent_id: bot.id, issue_id: id, automation_id: rule, depth: 1 }]);
  const answered = await runsOf(here, rule);
  await bot.client.post(`P/issues/${key}/comments`, { body_md: "Looking" }).expect(201);
  await drain();
  const after = await runsOf(here, rule);
  expect(after.slice(answered.length)).toMatchObject([{ reason: "loop_stopped", depth: 3 }]);

  const created = { title: "Next", priority: "medium", assignee_ids: [bot.id] };
  const making = await addRule(here, {
    trigger: "issue.updated",
    trigger_config: { fields: ["title"] },
    actions: [{ type: "create_issue", issue: { type: "task", ...created } }],
  });
  await here.owner.patch(`P/issues/${key}`, { title: "Two" }).expect(200);
  await drain();
  const [next] = await here.sql<{ id: string }>(`select id from issue where workspace_id = $1 and title = 'Next'`, [
    here.workspace.id,
  ]);
  expect((await wakes(here)).slice(1)).toMatchObject([{ agent_id: bot.id, issue_id: next!.id, automation_id: making }]);
});

test("actions that name no agent wake nobody", async () => {
  const here = await world();
  await agent(here);
  const member = await here.as({ role: "member" });
  await addRule(here, {
    trigger: "issue.created",
    actions: [
      { type: "assign_to", assign_target: "member", member_id: member.userId, target: "self" },
      { type: "add_comment", comment: `@[You](${member.userId})`, target: "self" },
      { type: "set_priority", priority: "high", target: "self" },
    ],
  });
  await issue(here);
  await drain();
  expect(await wakes(here)).toEqual([]);
});

test("a workflow that an automation starts for an agent's stage does not start again for what the agent does", async () => {
  const here = await world();
  const bot = await agent(here);
  const flow = await workflow(
    here,
    [
      { id: "work", kind: "agent", assignee_user_id: bot.id },
      { id: "done", kind: "end", config: { result: "done" } },
    ],
    [
      ["start", "work"],
      ["work", "done"],
    ],
  );
  const rule = await addRule(here, {
    trigger: "issue.updated",
    trigger_config: { fields: ["title"] },
    allow_chaining: true,
    actions: [{ type: "start_workflow", workflow_id: flow, target: "self" }],
  });
  const { key, id } = await issue(here);
  await here.owner.patch(`P/issues/${key}`, { title: "By a person" }).expect(200);
  await drain();
  const [run] = await here.sql<{ id: string }>(`select id from workflow_run where workspace_id = $1`, [
    here.workspace.id,
  ]);
  expect(await wakes(here)).toMatchObject([
    { agent_id: bot.id, issue_id: id, automation_id: rule, workflow_run_id: run!.id, depth: 1 },
  ]);
  const one = (await bot.client.post("W/agent-sessions", { title: "x", issue_key: key }).expect(201)).data;
  await bot.client.patch(`W/agent-sessions/${one.id}`, { state: "done" }).expect(200);
  await drain();
  expect(statesOf((await here.owner.get(`W/workflow-runs/${run!.id}`).expect(200)).data)).toMatchObject({
    work: "done, success",
  });
  await retitle(bot, key, "By the agent");
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ depth: 1 }, { reason: "loop_stopped" }]);
});

test("the agent of a workflow that a person started begins chains like a person", async () => {
  const here = await world();
  const bot = await agent(here);
  const flow = await workflow(here, [{ id: "work", kind: "agent", assignee_user_id: bot.id }], [["start", "work"]]);
  const rule = await addRule(here, {
    trigger: "issue.updated",
    trigger_config: { fields: ["title"] },
    actions: [{ type: "add_comment", comment: "x", target: "self" }],
  });
  const { key } = await issue(here);
  await here.owner.post(`P/issues/${key}/workflow`, { workflow_id: flow }).expect(201);
  await retitle(bot, key, "By the agent");
  await drain();
  expect(await wakes(here)).toEqual([]);
  expect(await runsOf(here, rule)).toMatchObject([{ status: "ok", depth: 1 }]);
});
