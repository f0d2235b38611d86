import { Webhook } from "standardwebhooks";
import { afterEach, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { drain } from "../support/jobs.ts";
import { startReceiver } from "../support/receiver.ts";
import { type World, world } from "../support/world.ts";
import { apply, problems, RULE } from "./acting.ts";
import { addRule } from "./rules-by-sql.ts";

/** The action that sends `automation.fired` to one receiver. */

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receiving() {
  const receiver = await startReceiver();
  cleanups.push(receiver.stop);
  return receiver;
}

async function hookTo(here: World, event_types: string[], more: object = {}) {
  const receiver = await receiving();
  const hook = (await here.owner.post("W/webhooks", { url: receiver.url, event_types, ...more }).expect(201)).data;
  const fired = () => receiver.requests.filter(({ json }) => json.type === "automation.fired");
  return { ...hook, receiver, fired };
}

const send = (to: object, more: object = {}) => ({ type: "send_webhook", ...to, ...more });

test("a named webhook gets the event once, whatever it subscribes to; others get it if they subscribe", async () => {
  const here = await world();
  const [deaf, all, named, other] = [
    await hookTo(here, ["doc.created"]),
    await hookTo(here, ["*"]),
    await hookTo(here, ["automation.fired"]),
    await hookTo(here, ["doc.created"]),
  ];
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  const run = { values: { "event.type": "issue.updated" } };
  expect(await apply(here, send({ webhook_id: deaf.id }), issue.id, run)).toMatchObject([{ result: "done" }]);
  await drain();
  expect([deaf, all, named, other].map(({ fired }) => fired().length)).toEqual([1, 1, 1, 0]);
  await apply(here, send({ webhook_id: named.id }), issue.id, run);
  await drain();
  expect([deaf, all, named, other].map(({ fired }) => fired().length)).toEqual([1, 2, 2, 0]);

  const [got] = deaf.fired();
  expect(new Webhook(deaf.secret).verify(got!.body, got!.headers)).toMatchObject({
    type: "automation.fired",
    actor: { id: RULE.id, kind: "automation", name: "Triage" },
    cause: { automation_id: RULE.id },
    data: {
      automation_id: RULE.id,
      workflow_id: null,
      name: "Triage",
      trigger: "issue.labelled",
      issue: { key: "WEB-1" },
    },
  });
  expect(got!.body).not.toContain(deaf.id);
});

test("an event about an issue stays in its project: a webhook for another one does not get it", async () => {
  const here = await world();
  const ops = await here.hidden("OPS");
  const limited = await hookTo(here, ["*"], { project_ids: ["OPS"] });
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  await expect(apply(here, send({ webhook_id: limited.id }), issue.id)).rejects.toMatchObject({
    code: "invalid_reference",
  });
  expect(await problems(here, [send({ webhook_id: limited.id })], here.project.id)).toMatchObject([
    { path: "/actions/0/webhook_id" },
  ]);
  expect(await problems(here, [send({ webhook_id: limited.id })], null)).toMatchObject([
    { path: "/actions/0/webhook_id" },
  ]);
  expect(await problems(here, [send({ webhook_id: limited.id })], ops.project.id)).toEqual([]);
  const secret = (await ops.owner.post("P/issues", { title: "Two" }).expect(201)).data;
  await apply(here, send({ webhook_id: limited.id }), secret.id);
  await drain();
  expect(limited.fired()).toHaveLength(1);
});

test("a deleted or disabled webhook is refused", async () => {
  const here = await world();
  const hook = await hookTo(here, ["*"]);
  const foreign = await hookTo(await world(), ["*"]);
  await here.owner.patch(`W/webhooks/${hook.id}`, { enabled: false }).expect(200);
  await expect(apply(here, send({ webhook_id: hook.id }), null)).rejects.toMatchObject({
    code: "invalid_state_change",
  });
  await here.owner.delete(`W/webhooks/${hook.id}`).expect(200);
  for (const webhook_id of [hook.id, foreign.id, "x"]) {
    await expect(apply(here, send({ webhook_id }), null)).rejects.toMatchObject({ code: "invalid_reference" });
    expect(await problems(here, [send({ webhook_id })], null)).toMatchObject([{ code: "invalid_reference" }]);
  }
});

test("an address gets the signed event through a webhook of the automation, which is in no list and counts for no limit", async () => {
  const here = await world({ plan: "free" });
  const receiver = await receiving();
  const to = send({ url: `${receiver.url}in?token=1` });
  const rule = await addRule(here, { trigger: "issue.archived", actions: [to] });
  const source = { source: { ...RULE, id: rule, runId: newId() } };
  for (let n = 0; n < 2; n++) await apply(here, to, null, source);
  await drain();
  expect(receiver.requests.map(({ path, json }) => [path, json.type, json.data.name])).toEqual([
    ["/in?token=1", "automation.fired", "Triage"],
    ["/in?token=1", "automation.fired", "Triage"],
  ]);
  expect((await here.owner.get("W/webhooks").expect(200)).data).toEqual([]);
  expect((await here.owner.get("W/usage").expect(200)).data.limits?.webhooks?.used ?? 0).toBe(0);

  // Admins know its id from the run.
  const [{ id }] = (await here.sql<{ id: string }>(`select id from webhook where workspace_id = $1`, [
    here.workspace.id,
  ])) as [{ id: string }];
  const { secret } = (await here.owner.post(`W/webhooks/${id}/rotate-secret`).expect(200)).data;
  await apply(here, to, null, source);
  await drain();
  const last = receiver.requests.at(-1)!;
  expect(new Webhook(secret).verify(last.body, last.headers)).toMatchObject({ type: "automation.fired" });
  for (let n = 0; n < 3; n++) {
    await here.owner.post("W/webhooks", { url: "https://hooks.example.com/in", event_types: ["*"] }).expect(201);
  }
});

test("an address that the actions of an automation no longer name gets nothing any more", async () => {
  const here = await world();
  const [a, b] = [await receiving(), await receiving()];
  const actions = [a, b].map(({ url }) => send({ url }));
  const body = { name: "Tell", trigger: "issue.archived", actions };
  const { id } = (await here.owner.post("W/automations", body).expect(201)).data;
  const source = { ...RULE, id, runId: newId() };
  for (const action of actions) await apply(here, action, null, { source });
  await here.owner.patch(`W/automations/${id}`, { actions: actions.slice(1) }).expect(200);
  await drain();
  expect([a.requests.length, b.requests.length]).toEqual([0, 1]);
  await apply(here, actions[1]!, null, { source });
  await here.owner.delete(`W/automations/${id}`).expect(200);
  await drain();
  expect(b.requests.length).toBe(1);
  // A run that is still open makes no new receivers.
  await expect(apply(here, actions[1]!, null, { source })).rejects.toThrow("The automation was deleted");
});

test("the addresses of a workflow are deleted with it", async () => {
  const here = await world();
  const receiver = await receiving();
  const { id } = (await here.owner.post("W/workflows", { name: "Tell" }).expect(201)).data;
  const source = { kind: "workflow" as const, id, name: "Tell", runId: newId() };
  await apply(here, send({ url: receiver.url }), null, { source });
  await here.owner.delete(`W/workflows/${id}`).expect(200);
  await drain();
  expect(receiver.requests).toEqual([]);
});

test.each([
  "http://example.com/",
  "https://10.0.0.1/",
  "https://192.168.1.1/",
  "ftp://example.com",
  "https://u:p@example.com/",
])("%s is refused when the action is saved", async (url) => {
  const here = await world();
  expect(await problems(here, [send({ url })], null)).toMatchObject([{ path: "/actions/0/url", code: "invalid_url" }]);
});
