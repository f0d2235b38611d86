import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createKey } from "../../src/domain/access/keys/create.ts";
import { byId, end } from "../../src/domain/access/keys/keys.ts";
import { workflow } from "../automation/flows.ts";
import { actingAs, transact } from "../support/acting.ts";
import { agentIn } from "../support/agents.ts";
import { lettersTo } from "../support/invites.ts";
import { endAgentsNow } from "../support/jobs.ts";
import { startMailbox } from "../support/mailbox.ts";
import { connect, newClient, post, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** When agents are connected and revoked: with their first, last and next credential. */

await startMailbox();
await servePublicly();

type Happened = { type: string; reason: string | null; key_revoked: boolean };
const lifeOf = (here: World, agentId: string) =>
  here
    .sql<Happened>(
      `select type, context->>'reason' as reason, (data->>'key_revoked')::boolean as key_revoked from event
       where workspace_id = $1 and type in ('agent.connected', 'agent.revoked') and data->>'id' = $2 order by id`,
      [here.workspace.id, agentId],
    )
    .then((rows) => rows.map(({ type, reason, key_revoked }) => [type.slice("agent.".length), reason, key_revoked]));

const CONNECTED = ["connected", null, false];
const revoked = (reason: string) => ["revoked", reason, true];

test("an agent is revoked with its last key, and a new one brings it back", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const second = (await here.owner.post("W/api-keys", { name: "Other", agent_id: bot.id }).expect(201)).data;
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED]);
  await here.owner.delete(`W/api-keys/${bot.key_id}`).expect(200);
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED]);
  await here.owner.delete(`W/api-keys/${second.id}?reason=Lost`).expect(200);
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED, revoked("Lost")]);
  expect((await here.owner.get(bot.path).expect(200)).data.key_revoked).toBe(true);
  await here.owner.post("W/api-keys", { name: "Third", agent_id: bot.id }).expect(201);
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED, revoked("Lost"), CONNECTED]);
  expect((await here.owner.get(bot.path).expect(200)).data.key_revoked).toBe(false);
});

test("of two last keys that end at once, one ends the agent", async () => {
  const here = await world();
  for (let round = 0; round < 5; round++) {
    const bot = await agentIn(here, { agent_name: `Bot ${round}` });
    const keys = [bot.key_id];
    for (const name of ["b", "c"])
      keys.push((await here.owner.post("W/api-keys", { name, agent_id: bot.id }).expect(201)).data.id);
    const ends = [...keys.map((id) => here.owner.delete(`W/api-keys/${id}`)), here.owner.delete(bot.path)];
    for (const { status } of await Promise.all(ends)) expect([200, 404]).toContain(status);
    const [first, last, ...more] = await lifeOf(here, bot.id);
    expect([first, last?.[0], more]).toEqual([CONNECTED, "revoked", []]);
  }
});

test("a last key that ends while another one's end is not committed yet waits, and ends the agent", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const second = (await here.owner.post("W/api-keys", { name: "b", agent_id: bot.id }).expect(201)).data;
  const base = await actingAs(here, { userId: here.owner.userId });
  let other: Promise<unknown> = Promise.resolve();
  await transact(here.app, base, here.workspace.id, async (ctx) => {
    await end(ctx, (await byId(ctx, bot.key_id))!.object, "user");
    other = here.owner.delete(`W/api-keys/${second.id}`).expect(200);
    await Promise.race([other, sleep(300)]);
  });
  await other;
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED, revoked("user")]);
});

test("a key that comes while the last one ends leaves an agent that is as its keys are", async () => {
  const here = await world();
  for (let round = 0; round < 5; round++) {
    const bot = await agentIn(here, { agent_name: `Bot ${round}` });
    const [made] = await Promise.all([
      here.owner.post("W/api-keys", { name: "New", agent_id: bot.id }),
      here.owner.delete(`W/api-keys/${bot.key_id}`),
    ]);
    expect(made.status).toBe(201);
    const [agent] = await here.sql<{ revoked_at: string | null }>("select revoked_at from agent where user_id = $1", [
      bot.id,
    ]);
    expect(agent!.revoked_at).toBeNull();
    expect((await lifeOf(here, bot.id)).at(-1)).toEqual(CONNECTED);
  }
});

test("a key for the same name brings the caller's own agent back, once", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const bot = await agentIn(here, { agent_name: "Sorter", agent_kind: "kimi", spend_cap_usd: 5 });
  await here.owner.patch(bot.path, { description: "Sorts", paused: true }).expect(200);
  const other = await agentIn(here, { agent_name: "Sorter" });
  expect(other.id).not.toBe(bot.id);
  await here.owner.delete(`W/api-keys/${bot.key_id}`).expect(200);
  expect((await agentIn(here, { agent_name: "sorter", by: admin })).id).not.toBe(bot.id);
  const again = await agentIn(here, { agent_name: "SORTER", field_policy: ["title"] });
  expect(again.id).toBe(bot.id);
  expect((await here.owner.get(bot.path).expect(200)).data).toMatchObject({
    name: "Sorter",
    kind: "kimi",
    description: "Sorts",
    spend_cap_usd: 5,
    field_policy: ["title"],
    paused: true,
    key_revoked: false,
  });
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED, revoked("user"), CONNECTED]);
  await again.client.get("/v1/me").expect(200);

  await here.owner.delete(`W/api-keys/${again.key_id}`).expect(200);
  const both = await Promise.all([1, 2].map(() => agentIn(here, { agent_name: "Sorter" })));
  expect(both.filter(({ id }) => id === bot.id)).toHaveLength(1);
});

test("disconnecting an agent revokes all its keys and grants, mails their creators, and can be repeated", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const bot = await agentIn(here, { by: admin });
  await admin.post("W/api-keys", { name: "Second", agent_id: bot.id }).expect(201);
  const removed = (await here.owner.delete(bot.path).expect(200)).data;
  expect(removed).toMatchObject({ id: bot.id, key_revoked: true });
  await bot.client.get("W/agents").expect(401);
  const keys = await here.sql("select distinct revoke_reason from api_key where user_id = $1", [bot.id]);
  expect(keys).toEqual([{ revoke_reason: "agent_removed" }]);
  expect((await here.owner.delete(bot.path).expect(200)).data).toEqual(removed);
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED, revoked("agent_removed")]);
  expect(await lettersTo(here, admin.email)).toMatchObject([
    { kind: "key_revoked", subject: "2 of your keys were revoked" },
  ]);

  const member = await here.as({ role: "member" });
  const { agent_id, access_token } = await connect(here, member.userId);
  await (await here.as({ role: "member" })).delete(`W/agents/${agent_id}`).expect(403, "not_owner_of_resource");
  await member.delete(`W/agents/${agent_id}`).expect(200);
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await fetch(`${here.app.baseUrl}/v1/me`, { headers })).status).toBe(401);
  expect(await lifeOf(here, agent_id)).toEqual([CONNECTED, revoked("agent_removed")]);
});

test("a client's agent ends with its last grant, or because its person left", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const [laptop, desk] = [
    await connect(here, here.owner.userId, { clientId }),
    await connect(here, here.owner.userId, { clientId }),
  ];
  await post(here, "revoke", { client_id: clientId, token: laptop.refresh_token });
  expect(await lifeOf(here, laptop.agent_id)).toEqual([CONNECTED]);
  await post(here, "revoke", { client_id: clientId, token: desk.refresh_token });
  expect(await lifeOf(here, laptop.agent_id)).toEqual([CONNECTED, revoked("user")]);
  await connect(here, here.owner.userId, { clientId });
  expect(await lifeOf(here, laptop.agent_id)).toEqual([CONNECTED, revoked("user"), CONNECTED]);

  const member = await here.as({ role: "admin" });
  const theirs = await connect(here, member.userId);
  const bot = await agentIn(here, { by: member });
  const shared = await agentIn(here, { by: member });
  // A key cannot make a key of another person's agent.
  const base = await actingAs(here, { userId: here.owner.userId });
  await transact(here.app, base, here.workspace.id, async (ctx) => {
    const key = { workspaceId: here.workspace.id, userId: shared.id, createdBy: here.owner.userId };
    await createKey(ctx, { ...key, kind: "agent", name: "Mine", scopes: ["read"] });
  });
  await here.owner.delete(`W/members/${member.userId}`).expect(200);
  for (const id of [theirs.agent_id, bot.id])
    expect(await lifeOf(here, id)).toEqual([CONNECTED, revoked("member_removed")]);
  expect(await lifeOf(here, shared.id)).toEqual([CONNECTED]);
});

test("an agent whose last key expires is revoked within a minute, and not while it has another", async () => {
  const here = await world();
  const [bot, lasting] = [await agentIn(here), await agentIn(here)];
  await here.owner.post("W/api-keys", { name: "Second", agent_id: lasting.id }).expect(201);
  await here.sql("update api_key set expires_at = now() - interval '1 second' where id = any($1)", [
    [bot.key_id, lasting.key_id],
  ]);
  await endAgentsNow();
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED, revoked("expired")]);
  expect(await lifeOf(here, lasting.id)).toEqual([CONNECTED]);
  await endAgentsNow();
  expect(await lifeOf(here, bot.id)).toHaveLength(2);
});

test("the kind is guessed from the names, and what belongs to a new agent is refused for others", async () => {
  const here = await world();
  const kindOf = async (body: object) =>
    (await here.owner.get((await agentIn(here, body as Record<string, string>)).path)).data.kind;
  expect(await kindOf({ agent_name: "Claude Code" })).toBe("claude");
  expect(await kindOf({ agent_name: "Reviewer", name: "codex-cli" })).toBe("openai");
  expect(await kindOf({ agent_name: "GPT_5 helper" })).toBe("openai");
  expect(await kindOf({ agent_name: "Precursor" })).toBe("custom");
  expect(await kindOf({ agent_name: "Claude", agent_kind: "Own" })).toBe("own");
  const bot = await agentIn(here);
  for (const more of [{ agent_kind: "claude" }, { spend_cap_usd: 1 }, { field_policy: ["title"] }]) {
    const [field] = Object.keys(more);
    for (const who of [{ agent_id: bot.id }, {}]) {
      const { body } = await here.owner
        .post("W/api-keys", { name: "Key", ...who, ...more })
        .expect(400, "validation_failed");
      expect(body.error.details.errors[0]).toMatchObject({ path: `/${field}`, code: "not_allowed" });
    }
  }
});

test("issues and stages that an agent has not begun wait for it", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const pending = async () => (await here.owner.get(bot.path).expect(200)).data.pending_sessions;
  const assigned = { title: "One", assignee: bot.id };
  const first = (await here.owner.post("P/issues", assigned).expect(201)).data;
  const second = (await here.owner.post("P/issues", { title: "Two" }).expect(201)).data;
  await here.owner.patch(`P/issues/${second.key}`, { assignee: bot.id }).expect(200);
  const closed = (await here.owner.post("P/issues", assigned).expect(201)).data;
  await here.owner.post(`P/issues/${closed.key}/transition`, { status: "done" }).expect(200);
  expect(await pending()).toBe(2);
  const session = (await bot.client.post("W/agent-sessions", { title: "x", issue_key: first.key }).expect(201)).data;
  expect(await pending()).toBe(1);
  await bot.client.patch(`W/agent-sessions/${session.id}`, { state: "failed" }).expect(200);
  expect(await pending()).toBe(1);
  // Assigned once more: it is asked to begin again.
  await here.owner.patch(`P/issues/${first.key}`, { assignee: null }).expect(200);
  expect(await pending()).toBe(1);
  await here.owner.patch(`P/issues/${first.key}`, { assignee: bot.id }).expect(200);
  expect(await pending()).toBe(2);
});

test("a stage of a workflow waits for its agent until a session begins", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const pending = async () => (await here.owner.get(bot.path).expect(200)).data.pending_sessions;
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  const build = { id: "build", kind: "agent", assignee_user_id: bot.id, config: { assign: false } };
  const flow = await workflow(
    here,
    [{ id: "start", kind: "start" }, build, { id: "end", kind: "end" }],
    [
      ["start", "build"],
      ["build", "end"],
    ],
  );
  await here.owner.post(`P/issues/${issue.key}/workflow`, { workflow_id: flow }).expect(201);
  expect(await pending()).toBe(1);
  await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201);
  expect(await pending()).toBe(0);
});

test("more time for an expired key brings its agent back, within the plan's limit", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const expire = async () => {
    await here.sql("update api_key set expires_at = now() - interval '1 second' where id = $1", [bot.key_id]);
    await endAgentsNow();
  };
  const until = (expires_at: string | null) => here.owner.patch(`W/api-keys/${bot.key_id}`, { expires_at });
  await expire();
  await until(null).expect(200);
  expect(await lifeOf(here, bot.id)).toEqual([CONNECTED, revoked("expired"), CONNECTED]);
  const body = { title: "x", agent_id: bot.id };
  expect((await here.owner.post("W/agent-sessions", body).expect(201)).data.state).toBe("running");
  await until("2099-01-01").expect(200);
  expect(await lifeOf(here, bot.id)).toHaveLength(3);

  await expire();
  await here.sql("update workspace set plan = 'free' where id = $1", [here.workspace.id]);
  const limit = here.app.resources.settings.plans("free", "agents")!;
  for (let n = 0; n < limit; n++) await agentIn(here, { agent_name: `Other ${n}` });
  await until(null).expect(403, "plan_limit_reached");
  await here.owner.patch(`W/api-keys/${bot.key_id}`, { name: "Old" }).expect(200);
});
