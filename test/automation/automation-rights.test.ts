import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { startMailbox } from "../support/mailbox.ts";
import { type World, world } from "../support/world.ts";
import { addRule, runsOf, stateOf } from "./rules-by-sql.ts";

/** Automations act with the rights that their creator has when they run. */

const mailbox = await startMailbox();

const RAISE = { type: "set_priority", priority: "critical", target: "self" };
const COMMENT = { type: "add_comment", comment: "Seen", target: "self" };

const issue = async ({ owner }: World) => (await owner.post("P/issues", { title: "An issue" }).expect(201)).data;

const agentKey = async ({ owner }: World) =>
  (await owner.post("W/api-keys", { name: "Bot", scopes: ["write"], kind: "agent", agent_name: "Bot" }).expect(201))
    .data;

/** The automation was disabled for rights, and admins learn of it. */
async function expectDisabled(here: World, rule: string, others: string[]) {
  expect(await stateOf(here, rule)).toMatchObject({ enabled: false, disabled_reason: "rights", failure_count: 1 });
  const events = await here.sql<{ type: string; data: Record<string, unknown> }>(
    `select type, data from event where workspace_id = $1 and type in ('automation.disabled', 'automation_run.failed') order by id`,
    [here.workspace.id],
  );
  expect(events.map(({ type }) => type).sort()).toEqual(["automation.disabled", "automation_run.failed"]);
  expect(events.find(({ type }) => type === "automation.disabled")!.data).toMatchObject({
    id: rule,
    enabled: false,
    disabled_reason: "rights",
  });
  const { data } = await here.owner.get("W/notifications").expect(200);
  expect(data).toMatchObject([
    { kind: "automation_disabled", title: "The automation Rule was disabled", actor_id: null },
  ]);
  for (const address of [here.owner.email, ...others]) {
    const mail = await mailbox.latest(address);
    expect(mail.text).toContain("Automation: Rule");
    expect(mail.text).toContain("acts with the rights of its creator");
  }
}

const WAYS: Record<string, (here: World, userId: string) => Promise<unknown>> = {
  removed: ({ owner }, userId) => owner.delete(`W/members/${userId}`).expect(200),
  suspended: ({ sql }, userId) => sql("update member set status = 'suspended' where user_id = $1", [userId]),
  "a viewer": ({ owner }, userId) => owner.patch(`W/members/${userId}`, { role: "viewer" }).expect(200),
};

for (const [state, become] of Object.entries(WAYS)) {
  test(`the automation of a creator who is ${state} changes nothing, is disabled at once, and says why`, async () => {
    const here = await world();
    const admin = await here.as({ role: "admin" });
    const other = await here.as({ role: "admin" });
    const rule = await addRule(here, { trigger: "issue.created", actions: [RAISE, COMMENT], created_by: admin.userId });
    await become(here, admin.userId);
    const { key } = await issue(here);
    await drain();
    expect((await here.owner.get(`P/issues/${key}`)).data).toMatchObject({
      priority: "medium",
      counts: { comments: 0 },
    });
    const [run, ...more] = await runsOf(here, rule);
    expect(more).toEqual([]);
    expect(run).toMatchObject({ status: "error", reason: "rights" });
    expect(run!.detail).toContain("creator");
    await expectDisabled(here, rule, [other.email]);
    await issue(here);
    await drain();
    expect(await runsOf(here, rule)).toHaveLength(1);
  });
}

test("an agent's automation stops when its last key is revoked", async () => {
  const here = await world();
  const { id, agent_id } = await agentKey(here);
  const rule = await addRule(here, { trigger: "issue.created", actions: [COMMENT], created_by: agent_id });
  await issue(here);
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ status: "ok" }]);
  await here.owner.delete(`W/api-keys/${id}`).expect(200);
  await issue(here);
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([
    { status: "ok" },
    { status: "error", reason: "rights", actions_applied: null },
  ]);
  expect(await stateOf(here, rule)).toMatchObject({ enabled: false, disabled_reason: "rights" });
});

test("an automation says nothing about issues that its creator no longer sees", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const admin = await here.as({ role: "admin" });
  const channel = (await here.owner.post("W/chat/channels", { name: "open" }).expect(201)).data.id;
  const rule = await addRule(here, {
    trigger: "issue.created",
    actions: [{ type: "post_message", channel_id: channel, body_md: "{{issue.title}}" }],
    created_by: admin.userId,
  });
  await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  await hidden.owner.post("P/issues", { title: "A secret" }).expect(201);
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ status: "error", reason: "rights", actions_applied: null }]);
  expect((await here.owner.get(`W/chat/channels/${channel}/messages`).expect(200)).data).toEqual([]);
});

test("an admin who enables it again becomes its creator, and it runs", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const rule = await addRule(here, { trigger: "issue.created", actions: [COMMENT], created_by: admin.userId });
  await here.owner.delete(`W/members/${admin.userId}`).expect(200);
  await issue(here);
  await drain();
  await here.owner.patch(`W/automations/${rule}`, { enabled: true }).expect(200);
  await issue(here);
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ reason: "rights" }, { status: "ok" }]);
});
