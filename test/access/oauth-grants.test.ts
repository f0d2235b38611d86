import { expect, test } from "vitest";
import { listGrants, revokeGrant } from "../../src/domain/access/oauth/grants.ts";
import type { Ctx, Writing } from "../../src/domain/kernel/context.ts";
import { actingAs, transact } from "../support/acting.ts";
import { browser } from "../support/browser.ts";
import { undefinedEvents } from "../support/events.ts";
import { cleanUpNow } from "../support/jobs.ts";
import {
  authorizePath,
  connect,
  exchange,
  me,
  newClient,
  newCode,
  openConsent,
  post,
  refresh,
  servePublicly,
} from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

await servePublicly();

const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const alive = async (here: World, token: string) => (await me(here, token)).status === 200;

const person = (here: World, userId: string) => actingAs(here, { userId });

const write = <Base extends Ctx, T>(here: World, ctx: Base, work: (ctx: Base & Writing) => Promise<T>) =>
  transact(here.app, ctx, here.workspace.id, work);

const revoke = async (here: World, userId: string, id: string) =>
  write(here, await person(here, userId), (ctx) => revokeGrant(ctx, id));

test("the same client of the same person is the same agent, also after it was disconnected", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const clientId = await newClient(here);
  const first = await connect(here, here.owner.userId, { clientId });
  const again = await connect(here, here.owner.userId, { clientId });
  const others = await connect(here, member.userId, { clientId });
  expect(again.agent_id).toBe(first.agent_id);
  expect(others.agent_id).not.toBe(first.agent_id);
  // Both grants live: a client may run in two places.
  expect(await alive(here, first.access_token)).toBe(true);
  for (const { id } of await listGrants(await person(here, here.owner.userId)))
    await revoke(here, here.owner.userId, id);
  expect((await connect(here, here.owner.userId, { clientId })).agent_id).toBe(first.agent_id);
});

test("disconnecting an agent revokes all grants by that person, and no one else's", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const clientId = await newClient(here);
  const laptop = await connect(here, here.owner.userId, { clientId });
  const desk = await connect(here, here.owner.userId, { clientId, scope: "read" });
  const members = await connect(here, member.userId, { clientId });
  const another = await connect(here, here.owner.userId);
  await here.sql(
    "update api_key set last_used_at = '2026-01-02T03:04:05Z' where kind = 'oauth' and user_id = $1 and 'write' = any(scopes)",
    [laptop.agent_id],
  );

  const owner = await person(here, here.owner.userId);
  const shown = await listGrants(owner);
  expect(shown.map(({ agent_id, scopes }) => [agent_id, scopes])).toEqual([
    [another.agent_id, ["read", "write"]],
    [members.agent_id, ["read", "write"]],
    [laptop.agent_id, ["read"]],
  ]);
  expect(shown[2]!.last_used_at).toBe("2026-01-02T03:04:05.000Z");
  // Also with a page on which the agent's newest grant ended meanwhile.
  await post(here, "revoke", { client_id: clientId, token: desk.refresh_token });
  await expect(revoke(here, member.userId, shown[2]!.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await alive(here, laptop.access_token)).toBe(true);
  await revoke(here, here.owner.userId, shown[2]!.id);
  for (const [{ access_token }, lives] of [
    [laptop, false],
    [desk, false],
    [members, true],
    [another, true],
  ] as const) {
    expect(await alive(here, access_token)).toBe(lives);
  }
  expect((await refresh(here, clientId, laptop.refresh_token)).body.error).toBe("invalid_grant");
  await expect(revoke(here, here.owner.userId, shown[2]!.id)).rejects.toMatchObject({ code: "not_found" });
});

test("a new agent counts towards the plan's limit, and a disconnected one does not", async () => {
  const here = await world({ plan: "free" });
  const { plans } = here.app.resources.settings;
  const limit = plans("free", "agents")!;
  const made: Awaited<ReturnType<typeof connect>>[] = [];
  for (let count = 0; count < limit; count++) made.push(await connect(here, here.owner.userId));
  const clientId = await newClient(here);
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  const fields = { decision: "approve", scope: "read", workspace: here.workspace.slug };
  expect((await visitor.post(path, fields)).text).toContain(`allows ${limit} agents`);
  await connect(here, here.owner.userId, { clientId: made[0]!.clientId });

  const { clientId: gone, refresh_token } = made[1]!;
  await post(here, "revoke", { client_id: gone, token: refresh_token });
  expect((await visitor.post(path, fields)).status).toBe(303);
});

test("connecting and disconnecting are events, with the agent", async () => {
  const here = await world();
  const { agent_id, clientId, refresh_token } = await connect(here, here.owner.userId);
  await post(here, "revoke", { token: refresh_token, client_id: clientId });
  const events = await here.sql<{ type: string; data: object; actor_id: string | null }>(
    "select type, data, actor_id from event where workspace_id = $1 and type like 'agent.%' order by id",
    [here.workspace.id],
  );
  const agent = {
    agent_id,
    name: "Robot",
    owner_user_id: here.owner.userId,
    key_prefix: "oat_",
    created_at: expect.any(String),
  };
  expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: "agent.connected", data: expect.objectContaining({ ...agent, key_revoked: false }) },
    { type: "agent.revoked", data: expect.objectContaining({ ...agent, key_revoked: true }) },
  ]);
  expect(events.map(({ actor_id }) => actor_id)).toEqual([here.owner.userId, agent_id]);
});

test("people see and disconnect their own agents; owners and admins see and disconnect all", async () => {
  const here = await world();
  const [mia, max] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const mias = await connect(here, mia.userId, { scope: "read" });
  const maxs = await connect(here, max.userId, { scope: "read" });
  const seen = async (userId: string) => (await listGrants(await person(here, userId))).map(({ agent_id }) => agent_id);
  expect(await seen(mia.userId)).toEqual([mias.agent_id]);
  expect(await seen(here.owner.userId)).toEqual([maxs.agent_id, mias.agent_id]);
  const [grant] = await listGrants(await person(here, mia.userId));
  expect(grant).toMatchObject({
    client_name: "Robot",
    client_id: mias.clientId,
    scopes: ["read"],
    approved_by: { id: mia.userId, email: mia.email },
    last_used_at: null,
  });

  await expect(revoke(here, max.userId, grant!.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(revoke(here, max.userId, "nonsense")).rejects.toMatchObject({ code: "not_found" });
  const stranger = await here.other();
  await expect(revoke(stranger, stranger.owner.userId, grant!.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await alive(here, mias.access_token)).toBe(true);

  await revoke(here, mia.userId, grant!.id);
  expect(await alive(here, mias.access_token)).toBe(false);
  expect((await refresh(here, mias.clientId, mias.refresh_token)).body.error).toBe("invalid_grant");
  await expect(revoke(here, mia.userId, grant!.id)).rejects.toMatchObject({ code: "not_found" });
  const [other] = await listGrants(await person(here, max.userId));
  await revoke(here, here.owner.userId, other!.id);
  expect(await alive(here, maxs.access_token)).toBe(false);
});

test("the API's list of keys shows grants and can revoke them", async () => {
  const here = await world();
  const { agent_id, access_token, clientId, refresh_token } = await connect(here, here.owner.userId);
  const { data } = await here.owner.get("W/api-keys").expect(200);
  const grant = data.find((key: { kind: string }) => key.kind === "oauth");
  expect(grant).toMatchObject({ name: "Robot", agent_id, prefix: "oat_", last_four: "", scopes: ["read", "write"] });
  // Not for longer than it was approved.
  const path = `W/api-keys/${grant.id}`;
  const day = 86_400_000;
  const until = Date.parse(grant.expires_at);
  for (const expires_at of [null, new Date(until + 1).toISOString(), new Date(until + day).toISOString()]) {
    await here.owner.patch(path, { expires_at }).expect(400, "validation_failed");
  }
  await here.owner.patch(path, { expires_at: grant.expires_at, name: "Robin" }).expect(200);
  await here.owner.patch(path, { expires_at: new Date(until - day).toISOString() }).expect(200);
  await here.owner.patch(path, { expires_at: grant.expires_at }).expect(400, "validation_failed");
  await here.owner.delete(path).expect(200);
  expect(await alive(here, access_token)).toBe(false);
  expect((await refresh(here, clientId, refresh_token)).body.error).toBe("invalid_grant");
  expect(await here.sql("select 1 from oauth_record where grant_id = $1", [grant.id])).toEqual([]);
});

test("when a member leaves, the grants of their agents are revoked", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const theirs = await connect(here, member.userId);
  const pending = await newCode(here, member.userId);
  const owners = await connect(here, here.owner.userId);
  await here.owner.delete(`W/members/${member.userId}`).expect(200);
  expect(await alive(here, theirs.access_token)).toBe(false);
  expect((await exchange(here, pending)).body.error).toBe("invalid_grant");
  expect(await alive(here, owners.access_token)).toBe(true);
  const ends = await here.sql<{ type: string; n: number }>(
    `select type, count(*) as n from event where workspace_id = $1 and type in ('agent.revoked', 'api_key.revoked')
     and data->>'kind' is distinct from 'workspace' group by type`,
    [here.workspace.id],
  );
  expect(ends).toEqual([{ type: "agent.revoked", n: 2 }]);
});

test.each([
  ["removed", "delete from member where workspace_id = $1 and user_id = $2"],
  ["suspended", "update member set status = 'suspended' where workspace_id = $1 and user_id = $2"],
])("when the person who approved is %s, the agent has no access from the next request on", async (_name, change) => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const { clientId, access_token, refresh_token } = await connect(here, member.userId);
  expect(await alive(here, access_token)).toBe(true);
  await here.sql(change, [here.workspace.id, member.userId]);
  expect(await alive(here, access_token)).toBe(false);
  expect((await refresh(here, clientId, refresh_token)).body.error).toBe("invalid_grant");
});

test("a suspended agent has no access, even if it is approved again", async () => {
  const here = await world();
  const { clientId, agent_id, access_token, refresh_token } = await connect(here, here.owner.userId);
  await here.sql("update member set status = 'suspended' where user_id = $1", [agent_id]);
  expect(await alive(here, access_token)).toBe(false);
  expect((await refresh(here, clientId, refresh_token)).body.error).toBe("invalid_grant");
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  const fields = { decision: "approve", scope: "read", workspace: here.workspace.slug };
  expect((await visitor.post(path, fields)).text).toContain("suspended");
});

test("an agent has only the current rights of its approver", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const clientId = await newClient(here, { scope: "admin" });
  const { access_token } = await connect(here, admin.userId, { clientId, scope: "admin" });
  const agent = as(access_token);
  const { slug } = here.workspace;
  const issues = `/v1/workspaces/${slug}/projects/WEB/issues`;
  await here.nobody.post(issues, { title: "Mine" }, agent).expect(201);
  await here.nobody.get(`/v1/workspaces/${(await here.other()).workspace.slug}`, agent).expect(404);
  // It is a member, whoever approved it.
  await here.nobody.get(`/v1/workspaces/${slug}/api-keys`, agent).expect(403, "insufficient_role");
  await here.sql("update member set role = 'viewer' where user_id = $1", [admin.userId]);
  await here.nobody.post(issues, { title: "Not mine" }, agent).expect(403, "insufficient_scope");
  await here.nobody.get(issues, agent).expect(200);
});

test("an agent approved with admin by an owner buys credits; without, or by a member since, it does not", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const clientId = await newClient(here, { scope: "admin" });
  const buyer = as((await connect(here, admin.userId, { clientId, scope: "admin" })).access_token);
  const ordinary = as((await connect(here, admin.userId)).access_token);
  const path = "/api/mpp/v1/credits/small";
  await here.nobody.post(path, undefined, buyer).expect(402, "payment_required");
  await here.nobody.post(path, undefined, ordinary).expect(403, "insufficient_scope");
  await here.sql("update member set role = 'member' where user_id = $1", [admin.userId]);
  expect((await here.nobody.post(path, undefined, buyer)).status).toBe(403);
});

test("the API accepts only access tokens, and only in headers", async () => {
  const here = await world();
  const { access_token, refresh_token } = await connect(here, here.owner.userId);
  expect(await alive(here, refresh_token)).toBe(false);
  await here.nobody.get(`/v1/me?access_token=${access_token}`).expect(401);
  await here.nobody.get("/v1/me", { headers: { "x-api-key": access_token } }).expect(200);
  await here.sql("update oauth_record set expires_at = now() where model = 'AccessToken'");
  expect(await alive(here, access_token)).toBe(false);
});

test("lifetimes: an hour, thirty days from each use, a year in all", async () => {
  const here = await world();
  const { clientId, refresh_token } = await connect(here, here.owner.userId);
  const days = async () => {
    const rows = await here.sql<{ model: string; days: number }>(
      `select r.model, round(extract(epoch from r.expires_at - now()) / 86400, 2)::float as days
       from oauth_record r join api_key k on k.id = r.grant_id
       where k.workspace_id = $1 and r.consumed_at is null and r.model <> 'AuthorizationCode'`,
      [here.workspace.id],
    );
    return Object.fromEntries(rows.map(({ model, days }) => [model, days]));
  };
  expect(await days()).toEqual({ AccessToken: 0.04, RefreshToken: 30 });
  await here.sql("update api_key set expires_at = now() + interval '3 days' where client_id = $1", [clientId]);
  const next = await refresh(here, clientId, refresh_token);
  expect(await days()).toMatchObject({ RefreshToken: 3 });
  await here.sql("update api_key set expires_at = now() where client_id = $1", [clientId]);
  expect(await alive(here, next.body.access_token)).toBe(false);
  expect((await refresh(here, clientId, next.body.refresh_token)).body.error).toBe("invalid_grant");
});

test("the clean-up deletes expired records, and clients that were not approved for a month", async () => {
  const here = await world();
  const idle = await connect(here, here.owner.userId);
  const busy = await connect(here, here.owner.userId);
  const [young, old] = [await newClient(here), await newClient(here)];
  await here.sql("update oauth_client set created_at = now() - interval '31 days' where id = any($1)", [
    [old, idle.clientId, busy.clientId],
  ]);
  await here.sql("update api_key set created_at = now() - interval '40 days' where client_id = any($1)", [
    [idle.clientId, busy.clientId],
  ]);
  await here.sql(
    `update oauth_record set expires_at = now() - interval '1 second'
     where grant_id = (select id from api_key where client_id = $1)`,
    [idle.clientId],
  );
  await cleanUpNow();
  const clients = await here.sql<{ id: string }>("select id from oauth_client where id = any($1)", [
    [young, old, idle.clientId, busy.clientId],
  ]);
  expect(clients.map(({ id }) => id).sort()).toEqual([young, idle.clientId, busy.clientId].sort());
  expect((await listGrants(await person(here, here.owner.userId))).map(({ client_id }) => client_id)).toEqual([
    busy.clientId,
  ]);
  expect((await refresh(here, busy.clientId, busy.refresh_token)).status).toBe(200);
  expect(await here.sql("select 1 from oauth_record where expires_at < now()")).toEqual([]);
});

test("events of agents match their definitions", async () => {
  expect(await undefinedEvents(await world())).toEqual([]);
});
