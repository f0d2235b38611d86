import { describe, expect, test } from "vitest";
import { PersonalTokenInput } from "../../src/domain/access/keys/inputs.ts";
import { createToken, listTokens, MAX_TOKENS, revokeToken } from "../../src/domain/access/keys/personal.ts";
import type { InWorkspace, WithCredential, Writing } from "../../src/domain/kernel/context.ts";
import { actingAs, transact } from "../support/acting.ts";
import { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Somebody in a browser, as a page acts for them. */
async function person(world: World, client: Client) {
  const here = () => actingAs(world, client);
  const write = async <T>(work: (ctx: InWorkspace & WithCredential & Writing) => Promise<T>) =>
    transact(world.app, await here(), world.workspace.id, work);
  return {
    list: async () => listTokens(await here()),
    create: (input: Record<string, unknown> = {}) =>
      write((ctx) => createToken(ctx, PersonalTokenInput.parse({ name: "Laptop", ...input }))),
    revoke: (id: string) => write((ctx) => revokeToken(ctx, id)),
  };
}

const using = ({ app, workspace, project }: World, key: string) =>
  new Client(
    app.baseUrl,
    { W: `/v1/workspaces/${workspace.slug}`, P: `/v1/workspaces/${workspace.slug}/projects/${project.key}` },
    { key, userId: "", email: "" },
  );

describe("one's own tokens", () => {
  test("a token is shown once, acts as its person and ends when they say so", async () => {
    const here = await world();
    const member = await here.as({ role: "member", name: "Mel" });
    const mel = await person(here, member);
    const { plaintext, ...shown } = await mel.create({ scopes: ["write"], expires_at: day(30) });
    expect(plaintext).toMatch(/^pat_[0-9A-Za-z]{49}$/);
    expect(shown).toMatchObject({ kind: "personal", name: "Laptop", scopes: ["write"], created_by: member.userId });
    expect(await mel.list()).toEqual([shown]);

    const client = using(here, plaintext);
    const { data } = await client.post("P/issues", { title: "By token" }).expect(201);
    expect(data.reporter_id).toBe(member.userId);
    await client.get("W/api-keys").expect(403, "insufficient_scope");

    await mel.revoke(shown.id);
    await client.get("/v1/me").expect(401, "unauthorized");
    expect(await mel.list()).toEqual([]);
    await mel.revoke(shown.id);
    const events = await here.sql<{ type: string }>(
      `select type from event where workspace_id = $1 and type like 'api_key.%' order by id`,
      [here.workspace.id],
    );
    expect(events.map(({ type }) => type)).toEqual(["api_key.created", "api_key.revoked"]);
  });

  test("no one can see or revoke another person's token or a workspace key here", async () => {
    const here = await world();
    const [a, b] = [await here.as({ role: "admin" }), await here.as({ role: "admin" })];
    const [ann, bob] = [await person(here, a), await person(here, b)];
    const token = await ann.create();
    const key = (await b.post("W/api-keys", { name: "CI" }).expect(201)).data;
    expect(await bob.list()).toEqual([]);
    for (const id of [token.id, key.id, "nothing"]) {
      await expect(bob.revoke(id)).rejects.toMatchObject({ code: "not_found" });
    }
    const elsewhere = await here.other();
    await elsewhere.sql(`insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'owner', now())`, [
      elsewhere.workspace.id,
      a.userId,
    ]);
    const annElsewhere = await person(elsewhere, a);
    expect(await annElsewhere.list()).toEqual([]);
    await expect(annElsewhere.revoke(token.id)).rejects.toMatchObject({ code: "not_found" });
    await using(here, token.plaintext).get("/v1/me").expect(200);
  });

  test.each([
    ["owner", ["admin"], true],
    ["admin", ["admin", "webhooks:write"], true],
    ["member", ["write", "workflow.run"], true],
    ["member", ["write", "projects:admin"], true],
    ["member", ["admin"], false],
    ["member", ["members:write"], false],
    ["member", ["read", "webhooks:read"], false],
    ["viewer", ["read", "comments:write"], true],
    ["viewer", ["api_keys:write"], false],
    ["guest", ["read", "issues:write"], true],
    ["viewer", ["projects:admin"], false],
    ["guest", ["projects:admin"], false],
    ["guest", ["admin"], false],
  ] as const)("a %s may hand %j to a token: %s", async (role, scopes, may) => {
    const here = await world();
    const creating = (await person(here, await here.as({ role }))).create({ scopes });
    if (may) expect(await creating).toMatchObject({ scopes });
    else await expect(creating).rejects.toMatchObject({ code: "scope_exceeds_grantor" });
  });

  test("a member who is a project's admin can manage its members with a token that has the scope", async () => {
    const here = await world();
    const { userId } = await here.as({ role: "viewer" });
    const name = { user_id: userId, role: "viewer" };
    const pat = await person(here, await here.as({ role: "member", projectRole: "admin" }));
    const token = async (scopes: string[]) => using(here, (await pat.create({ scopes })).plaintext);
    await (await token(["projects:admin"])).post("P/members", name).expect(201);
    await (await token(["write"])).post("P/members", name).expect(403, "insufficient_scope");

    const other = await person(here, await here.as({ role: "member", projectRole: "member" }));
    const { plaintext } = await other.create({ scopes: ["projects:admin"] });
    await using(here, plaintext).post("P/members", name).expect(403, "insufficient_role");
    await using(here, plaintext).delete(`P/members/${userId}`).expect(403, "insufficient_role");
  });

  test("a token loses rights with its person, who can still revoke it", async () => {
    const here = await world();
    const admin = await here.as({ role: "admin" });
    const ada = await person(here, admin);
    const { id, plaintext } = await ada.create({ scopes: ["admin"] });
    const client = using(here, plaintext);
    await client.get("W/api-keys").expect(200);
    await client.patch("W", { name: "Renamed" }).expect(200);

    await here.owner.patch(`W/members/${admin.userId}`, { role: "viewer" }).expect(200);
    await client.get("W/api-keys").expect(403, "insufficient_role");
    await client.patch("W", { name: "Again" }).expect(403, "insufficient_role");
    await client.post("W/invites", { email: "x@example.org" }).expect(403, "insufficient_role");
    await client.post("P/issues", { title: "No" }).expect(403, "insufficient_role");
    await client.post("/api/mpp/v1/credits/small").expect(403, "insufficient_role");
    await client.get("P/issues").expect(200);
    expect((await client.get("/v1/me").expect(200)).data).toMatchObject({ role: "viewer", scopes: ["admin"] });
    await ada.revoke(id);
    await client.get("P/issues").expect(401);
  });

  test("an expiry must be in the future, and is enforced", async () => {
    const here = await world();
    const olive = await person(here, here.owner);
    await expect(olive.create({ expires_at: day(-1) })).rejects.toMatchObject({ code: "validation_failed" });
    const { id, plaintext } = await olive.create({ expires_at: day(1) });
    expect((await using(here, plaintext).get("/v1/me").expect(200)).data.expiresAt).toEqual(expect.any(String));
    await here.sql(`update api_key set expires_at = now() where id = $1`, [id]);
    await using(here, plaintext).get("/v1/me").expect(401);
    expect(await olive.list()).toMatchObject([{ id, state: "expired" }]);
  });

  test("their number is limited, even if created concurrently", async () => {
    const here = await world();
    const olive = await person(here, here.owner);
    await here.sql(
      `insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, created_by, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'personal', 'Old', sha256(n::text::bytea || $3::bytea), 'pat_', '', '{read}', $2, now(), now()
       from generate_series(2, $4) n`,
      [here.workspace.id, here.owner.userId, Buffer.from(here.workspace.slug), MAX_TOKENS],
    );
    const made = await Promise.allSettled([olive.create(), olive.create(), olive.create()]);
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(olive.create()).rejects.toMatchObject({ code: "token_limit_reached", details: { limit: MAX_TOKENS } });
    expect(await olive.list()).toHaveLength(MAX_TOKENS);
  });
});

describe("among the workspace's keys", () => {
  test("admins see others' tokens and may slow down or revoke them, no more", async () => {
    const here = await world();
    const member = await here.as({ role: "member" });
    const mel = await person(here, member);
    const { plaintext, ...shown } = await mel.create({ scopes: ["read"] });
    const { owner } = here;
    expect((await owner.get("W/api-keys").expect(200)).data).toContainEqual(shown);
    const path = `W/api-keys/${shown.id}`;
    await owner.patch(path, { name: "Mine now" }).expect(403, "not_owner_of_resource");
    await owner.patch(path, { expires_at: null }).expect(403, "not_owner_of_resource");
    const { data } = await owner.patch(path, { rate_limit_per_minute: 60 }).expect(200);
    expect(data).toMatchObject({ rate_limit_per_minute: 60, name: "Laptop" });
    await member.get(path).expect(403, "insufficient_role");
    await owner.delete(path).expect(200);
    await using(here, plaintext).get("/v1/me").expect(401);
    expect((await owner.get(path).expect(200)).data).toMatchObject({ state: "revoked", revoke_reason: "user" });
  });

  test("an admin changes their own there", async () => {
    const here = await world();
    const olive = await person(here, here.owner);
    const { id } = await olive.create();
    const { data } = await here.owner.patch(`W/api-keys/${id}`, { name: "Desk", expires_at: day(9) }).expect(200);
    expect(await olive.list()).toEqual([data]);
  });
});

describe("GET /v1/me", () => {
  test("names the key, its person and the workspace, for a workspace key and a personal token", async () => {
    const here = await world();
    const { workspace, project, owner } = here;
    const member = await here.as({ role: "member", name: "Mel" });
    const [{ plan }] = (await here.sql<{ plan: string }>(`select plan from workspace where id = $1`, [
      workspace.id,
    ])) as [{ plan: string }];
    const common = {
      workspaceSlug: workspace.slug,
      workspace: { id: workspace.id, slug: workspace.slug, name: `Workspace ${workspace.slug}`, plan },
      agent: null,
    };
    const token = await (await person(here, member)).create({ scopes: ["read", "issues:write"], expires_at: day(3) });
    expect((await using(here, token.plaintext).get("/v1/me").expect(200)).data).toEqual({
      ...common,
      keyId: token.id,
      name: "Laptop",
      kind: "personal",
      prefix: token.prefix,
      scopes: ["read", "issues:write"],
      expiresAt: token.expires_at,
      role: "member",
      user: { id: member.userId, name: "Mel", email: member.email },
      projectIds: null,
      rateLimitPerMinute: 600,
    });

    const body = { name: "CI", scopes: ["read"], project_ids: ["WEB"], rate_limit_per_minute: 42 };
    const key = (await owner.post("W/api-keys", body).expect(201)).data;
    expect((await using(here, key.plaintext).get("/v1/me").expect(200)).data).toEqual({
      ...common,
      keyId: key.id,
      name: "CI",
      kind: "workspace",
      prefix: key.prefix,
      scopes: ["read"],
      expiresAt: null,
      role: "owner",
      user: { id: owner.userId, name: "Olive Owner", email: owner.email },
      projectIds: [project.id],
      rateLimitPerMinute: 42,
    });
  });

  test("names the agent of an agent's key", async () => {
    const here = await world();
    const key = (await here.owner.post("W/api-keys", { name: "Bot key", agent_name: "Bot" }).expect(201)).data;
    expect((await using(here, key.plaintext).get("/v1/me").expect(200)).data).toMatchObject({
      keyId: key.id,
      kind: "agent",
      name: "Bot key",
      prefix: expect.stringMatching(/^ak_/),
      role: "member",
      user: null,
      agent: { id: key.agent_id, name: "Bot" },
    });
    await using(here, key.plaintext).get("/v1/me?x=1").expect(400, "unknown_parameter");
  });
});
