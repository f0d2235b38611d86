import { expect, test } from "vitest";
import { approve } from "../../src/domain/access/oauth/grants.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { actingAs, transact } from "../support/acting.ts";
import { browser } from "../support/browser.ts";
import { lettersTo } from "../support/invites.ts";
import { cleanUpNow } from "../support/jobs.ts";
import { waitersFor } from "../support/locks.ts";
import { startMailbox } from "../support/mailbox.ts";
import { authorizePath, connect, me, newClient, openConsent, post, REDIRECT, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

await startMailbox();
await servePublicly();

const body = { name: "Dashboard", redirect_uris: [REDIRECT], scopes: ["read", "write"] };

const newApp = async (here: World, more: object = {}) =>
  (await here.owner.post("W/oauth-apps", { ...body, ...more }).expect(201)).data;

const apps = async ({ owner }: World): Promise<Record<string, unknown>[]> =>
  (await owner.get("W/oauth-apps").expect(200)).data;

const at = (clientId: string) => `W/oauth-apps/${encodeURIComponent(clientId)}`;
const works = async (here: World, token: string) => (await me(here, token)).status === 200;

/** Approves a client as the owner, without the consent page. */
const approved = async (here: World, clientId: string, scopes = ["read"]) => {
  const ctx = await actingAs(here, { userId: here.owner.userId });
  return transact(here.app, ctx, here.workspace.id, (tx) => approve(tx, { clientId, clientName: "Published", scopes }));
};

test("an app is shown with its secret once, and read without it", async () => {
  const here = await world();
  const more = {
    homepage_url: "https://dash.example.com",
    logo_url: "https://dash.example.com/logo.png",
    description: "Shows releases",
  };
  const { client_secret, ...app } = await newApp(here, more);
  expect(client_secret).toMatch(/^ocs_[0-9A-Za-z]{49}$/);
  expect(app).toEqual({
    client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...body,
    ...more,
    is_public: false,
    origin: "dashboard",
    grants_count: 0,
    created_by: here.owner.userId,
    created_at: expect.any(String),
  });
  expect((await here.owner.get(at(app.client_id)).expect(200)).data).toEqual(app);
  expect(await apps(here)).toEqual([app]);

  const open = await newApp(here, { is_public: true, scopes: undefined, name: " Phone " });
  expect(open).toMatchObject({ client_secret: null, is_public: true, scopes: ["read"], name: "Phone" });
  const plain = { homepage_url: null, logo_url: null, description: null };
  expect((await apps(here))[0]).toMatchObject({ client_id: open.client_id, ...plain });
  const stored = await here.sql<{ text: string }>("select metadata::text as text from oauth_client");
  expect(stored.filter(({ text }) => text.includes(client_secret))).toEqual([]);
});

test("a repeated creation with the same Idempotency-Key is one app with the same secret", async () => {
  const here = await world();
  const headers = { "idempotency-key": newId() };
  const first = await here.owner.post("W/oauth-apps", body, { headers }).expect(201);
  const again = await here.owner.post("W/oauth-apps", body, { headers }).expect(201);
  expect(again.data).toEqual(first.data);
  expect(await apps(here)).toHaveLength(1);
});

test.each([
  ["redirect_uris", []],
  ["redirect_uris", Array.from({ length: 21 }, (_, n) => `https://app.example.com/${n}`)],
  ["redirect_uris", ["http://app.example.com/callback"]],
  ["redirect_uris", ["https://user@app.example.com/callback"]],
  ["redirect_uris", ["javascript:alert(1)"]],
  ["redirect_uris", ["https:app.example.com/callback"]],
  ["redirect_uris", ["https:/app.example.com/callback"]],
  ["redirect_uris", ["https://app.example.com/#part"]],
  ["scopes", []],
  ["scopes", ["everything"]],
  ["name", "x".repeat(121)],
  ["homepage_url", "javascript:alert(1)"],
  ["homepage_url", "http://app.example.com"],
  ["logo_url", "data:image/png;base64,AAAA"],
  ["description", "x".repeat(501)],
])("%s %j is refused", async (field, value) => {
  const { owner } = await world();
  const reply = await owner.post("W/oauth-apps", { ...body, [field]: value }).expect(400, "validation_failed");
  expect(reply.body.error.details.errors[0].path).toMatch(new RegExp(`^/${field}`));
});

test("a private scheme and loopback addresses are accepted", async () => {
  const redirect_uris = ["com.example.app:/done", "http://[::1]/callback", "https://app.example.com/a?b=c"];
  expect(await newApp(await world(), { redirect_uris })).toMatchObject({ redirect_uris });
});

test("nobody gives an app more scopes than they hold", async () => {
  const here = await world();
  const narrow = await here.keyFor(here.owner, { scopes: ["oauth_apps:write", "read"] });
  await narrow.post("W/oauth-apps", body).expect(403, "scope_exceeds_grantor");
  const { data: app } = await narrow.post("W/oauth-apps", { ...body, scopes: ["read"] }).expect(201);
  const wide = await newApp(here);
  // Ending access needs the rights that it ends, as with keys.
  await narrow.delete(at(wide.client_id)).expect(403, "scope_exceeds_grantor");
  await narrow.delete(at(app.client_id)).expect(200);
});

test("only admins see apps, with a key that is not limited to projects", async () => {
  const here = await world();
  const app = await newApp(here);
  const member = await here.as({ role: "member", scopes: ["read", "oauth_apps:write"] });
  const limited = await here.keyFor(here.owner, { scopes: ["admin"], projectIds: [here.project.id] });
  const other = await here.other();
  for (const [client, status] of [[member, 403] as const, [limited, 403] as const]) {
    await client.get("W/oauth-apps").expect(status);
    await client.post("W/oauth-apps", body).expect(status);
    await client.get(at(app.client_id)).expect(status);
    await client.delete(at(app.client_id)).expect(status);
  }
  await other.owner.get(at(app.client_id)).expect(404);
  await other.owner.delete(at(app.client_id)).expect(404);
  expect((await other.owner.get("W/oauth-apps").expect(200)).data).toEqual([]);
});

test("clients that registered themselves are listed where they were approved, as long as a grant lives", async () => {
  const here = await world();
  const other = await here.other();
  const clientId = await newClient(here);
  expect(await apps(here)).toEqual([]);
  await connect(here, here.owner.userId, { clientId, scope: "read" }, { scope: ["read"] });
  const member = await here.as({ role: "member" });
  const { refresh_token } = await connect(here, member.userId, { clientId });
  const expected = {
    client_id: clientId,
    name: "Robot",
    redirect_uris: [REDIRECT],
    scopes: ["read", "write"],
    is_public: true,
    origin: "dynamic",
    grants_count: 2,
    created_by: here.owner.userId,
    created_at: expect.any(String),
    homepage_url: null,
    logo_url: null,
    description: null,
  };
  expect(await apps(here)).toEqual([expected]);
  expect((await here.owner.get(at(clientId)).expect(200)).data).toEqual(expected);
  await other.owner.get(at(clientId)).expect(404);

  await post(here, "revoke", { client_id: clientId, token: refresh_token });
  expect(await apps(here)).toEqual([{ ...expected, grants_count: 1, scopes: ["read"] }]);
  await here.sql("update api_key set expires_at = now() - interval '1 minute' where client_id = $1", [clientId]);
  expect(await apps(here)).toEqual([]);
});

test("clients that publish their own metadata are listed, read and revoked by their address", async () => {
  const here = await world();
  const clientId = "https://tools.example.com/client.json?v=1";
  await approved(here, clientId);
  const app = (await apps(here))[0];
  expect(app).toMatchObject({ client_id: clientId, name: "Published", redirect_uris: [], origin: "dynamic" });
  expect((await here.owner.get(at(clientId)).expect(200)).data).toEqual(app);
  expect((await here.owner.delete(at(clientId)).expect(200)).data).toEqual({ client_id: clientId, revoked: true });
  await here.owner.get(at(clientId)).expect(404);
  await here.owner.delete(at(clientId)).expect(404);
  await approved(here, clientId);
  expect(await apps(here)).toHaveLength(1);
});

test("pages contain every app once, newest first, in a fixed number of statements", async () => {
  const here = await world();
  const made: string[] = [];
  for (let n = 0; n < 7; n++) {
    if (n % 2 === 0) made.unshift((await newApp(here, { name: `App ${n}` })).client_id);
    else {
      made.unshift(`https://tools.example.com/${n}.json`);
      await approved(here, made[0]!);
    }
  }
  const walked: string[] = [];
  let cursor = "";
  do {
    const { body: page } = await here.owner.get(`W/oauth-apps?limit=2&cursor=${cursor}`).expect(200);
    expect(page.data.length).toBeLessThanOrEqual(2);
    walked.push(...page.data.map((app: { client_id: string }) => app.client_id));
    cursor = page.pagination.next_cursor ?? "";
  } while (cursor);
  expect(walked).toEqual(made);
});

test("revoking an app ends its tokens, its agents and the app", async () => {
  const here = await world();
  const app = await newApp(here, { is_public: true });
  const another = await newApp(here, { is_public: true });
  const owners = await connect(here, here.owner.userId, { clientId: app.client_id });
  const member = await here.as({ role: "member" });
  const members = await connect(here, member.userId, { clientId: app.client_id });
  const others = await connect(here, here.owner.userId, { clientId: another.client_id });
  const waiting = authorizePath({ clientId: app.client_id, scope: "read" });
  const visitor = await browser(here.app, here.owner.userId);
  const consent = await openConsent(visitor, waiting);

  expect((await here.owner.delete(at(app.client_id)).expect(200)).data).toEqual({
    client_id: app.client_id,
    revoked: true,
  });
  expect(await works(here, owners.access_token)).toBe(false);
  expect(await works(here, members.access_token)).toBe(false);
  expect(await works(here, others.access_token)).toBe(true);
  const ended = await here.sql<{ id: string }>(
    "select data ->> 'id' as id from event where workspace_id = $1 and type = 'agent.revoked' order by 1",
    [here.workspace.id],
  );
  expect(ended.map(({ id }) => id).sort()).toEqual([owners.agent_id, members.agent_id].sort());

  const form = { client_id: app.client_id, grant_type: "refresh_token", refresh_token: owners.refresh_token };
  const refused = await post(here, "token", form);
  expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
  const again = await visitor.get(authorizePath({ clientId: app.client_id, scope: "read" }));
  expect(again.status).toBe(400);
  expect(again.text).toContain("Unknown program");
  // Nor can a page that was open approve it.
  const late = await visitor.post(consent.path, { decision: "approve", scope: "read", workspace: here.workspace.slug });
  expect(late.status).toBe(404);

  await here.owner.get(at(app.client_id)).expect(404);
  await here.owner.delete(at(app.client_id)).expect(404);
  expect((await apps(here)).map(({ client_id }) => client_id)).toEqual([another.client_id]);
});

test("revoking a client that registered itself ends it here only, and it may be approved again", async () => {
  const here = await world();
  const other = await here.other();
  const clientId = await newClient(here);
  const mine = await connect(here, here.owner.userId, { clientId });
  const theirs = await connect(other, other.owner.userId, { clientId });
  await here.owner.delete(at(clientId)).expect(200);
  expect(await works(here, mine.access_token)).toBe(false);
  expect(await works(other, theirs.access_token)).toBe(true);
  expect(await apps(here)).toEqual([]);
  const back = await connect(here, here.owner.userId, { clientId });
  expect(await works(here, back.access_token)).toBe(true);
  expect(back.agent_id).toBe(mine.agent_id);
});

test("a revocation waits for an approval under way, and ends its grant", async () => {
  const here = await world();
  const { client_id: clientId } = await newApp(here, { scopes: ["read"] });
  const ctx = await actingAs(here, { userId: here.owner.userId });
  const revoking = await transact(here.app, ctx, here.workspace.id, async (tx) => {
    await approve(tx, { clientId, clientName: "Late", scopes: ["read"] });
    const waiting = here.owner.delete(at(clientId)).expect(200);
    await waitersFor(here, 1);
    return { waiting };
  });
  await revoking.waiting;
  const live = "select 1 from api_key where client_id = $1 and revoked_at is null";
  expect(await here.sql(live, [clientId])).toEqual([]);
});

test("an approval that comes after the revocation is refused", async () => {
  const here = await world();
  const { client_id: clientId } = await newApp(here, { scopes: ["read"] });
  await here.owner.delete(at(clientId)).expect(200);
  await expect(approved(here, clientId)).rejects.toMatchObject({ code: "not_found" });
});

test("an app that nobody has approved yet is not cleaned up, unlike a client that registered itself", async () => {
  const here = await world();
  const app = await newApp(here);
  const clientId = await newClient(here);
  await here.sql(
    "update oauth_client set created_at = now() - interval '90 days', approved_at = approved_at - interval '90 days'",
  );
  await cleanUpNow();
  const kept = await here.sql<{ id: string }>("select id from oauth_client where id in ($1, $2)", [
    app.client_id,
    clientId,
  ]);
  expect(kept.map(({ id }) => id)).toEqual([app.client_id]);
});

test("an app with the longest name can be approved", async () => {
  const here = await world();
  const name = "\u{1F680}".repeat(120);
  const { client_id: clientId } = await newApp(here, { name, is_public: true });
  const { agent_id } = await connect(here, here.owner.userId, { clientId });
  expect((await here.owner.get(`W/agents/${agent_id}`).expect(200)).data.name).toBe(name);
});

test("people are told by mail when an admin revokes an app that they approved", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const member = await here.as({ role: "member" });
  await connect(here, member.userId, { clientId });
  await here.owner.delete(at(clientId)).expect(200);
  expect((await lettersTo(here, member.email)).map(({ subject }) => subject)).toEqual(["Robot was disconnected"]);
});

test("its consent page offers the app's workspace only", async () => {
  const here = await world();
  const other = await here.other();
  // The person belongs to both workspaces.
  await here.sql("insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'owner', now())", [
    other.workspace.id,
    here.owner.userId,
  ]);
  const { client_id: clientId } = await newApp(here, { is_public: true });
  const visitor = await browser(here.app, here.owner.userId);
  const { page, path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  expect(page.text).toContain(`value="${here.workspace.slug}"`);
  expect(page.text).not.toContain(`?workspace=${other.workspace.slug}`);
  const elsewhere = { decision: "approve", scope: "read", workspace: other.workspace.slug };
  expect((await visitor.post(path, elsewhere)).status).toBe(404);
  expect((await other.owner.get("W/oauth-apps").expect(200)).data).toEqual([]);

  const stranger = await browser(other.app, other.owner.userId);
  const theirs = await openConsent(stranger, authorizePath({ clientId, scope: "read" }));
  expect(theirs.page.text).toContain("Only members of the workspace");
  expect(theirs.page.text).not.toContain(here.workspace.slug);
});

test("an app that asks for more than its scopes is refused", async () => {
  const here = await world();
  const { client_id: clientId } = await newApp(here, { is_public: true, scopes: ["read"] });
  const visitor = await browser(here.app, here.owner.userId);
  const sent = await visitor.get(authorizePath({ clientId, scope: "read write" }));
  expect(new URL(sent.headers.get("location")!).searchParams.get("error")).toBe("invalid_scope");
  const { scope } = await connect(here, here.owner.userId, { clientId, scope: "read" });
  expect(scope).toBe("read");
});
