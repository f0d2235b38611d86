import { inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** A client that calls with a plaintext as POST answered it. */
const using = ({ app, workspace, project }: World, key: string) =>
  new Client(
    app.baseUrl,
    { W: `/v1/workspaces/${workspace.slug}`, P: `/v1/workspaces/${workspace.slug}/projects/${project.key}` },
    { key, userId: "", email: "" },
  );

const events = ({ sql, workspace }: World, type: string) =>
  sql<{ data: Record<string, unknown> }>(`select data from event where workspace_id = $1 and type = $2 order by id`, [
    workspace.id,
    type,
  ]);

describe("creating keys", () => {
  test("a key is shown once and acts as its creator", async () => {
    const here = await world();
    const { owner } = here;
    const { data: key } = await owner
      .post("W/api-keys", { name: " CI ", scopes: ["read", "issues:write"], expires_at: day(30) })
      .expect(201);
    expect(key).toEqual({
      id: expect.any(String),
      name: "CI",
      prefix: key.plaintext.slice(0, 11),
      last_four: key.plaintext.slice(-4),
      plaintext: expect.stringMatching(/^wk_[0-9A-Za-z]{49}$/),
      kind: "workspace",
      agent_id: null,
      scopes: ["read", "issues:write"],
      project_ids: null,
      rate_limit_per_minute: null,
      effective_rate_limit: 600,
      created_by: owner.userId,
      created_at: expect.any(String),
      updated_at: key.created_at,
      expires_at: expect.any(String),
      last_used_at: null,
      last_used_ip: null,
      revoked_at: null,
      revoke_reason: null,
      state: "active",
    });

    const { plaintext, ...shown } = key;
    expect((await owner.get(`W/api-keys/${key.id}`).expect(200)).data).toEqual(shown);
    expect((await owner.get("W/api-keys").expect(200)).data).toContainEqual(shown);
    const { data: me } = await using(here, plaintext).get("/v1/me").expect(200);
    expect(me).toMatchObject({ keyId: key.id, user: { id: owner.userId }, scopes: ["read", "issues:write"] });
    await using(here, plaintext).post("P/issues", { title: "By key" }).expect(201);
    await using(here, plaintext).get("W/api-keys").expect(403, "insufficient_scope");

    const recorded = await events(here, "api_key.created");
    expect(recorded).toEqual([{ data: shown }]);
    const everywhere = await here.sql(`select k::text from api_key k where k::text like $1`, [
      `%${plaintext.slice(12, 40)}%`,
    ]);
    expect(everywhere).toEqual([]);
  });

  test("only a name is required", async () => {
    const { owner } = await world();
    const { data } = await owner
      .post("W/api-keys", { name: "Reader", project_ids: null, expires_at: null })
      .expect(201);
    expect(data).toMatchObject({ scopes: ["read"], expires_at: null });
  });

  test("a repeated call with an Idempotency-Key returns the same secret, which is stored sealed", async () => {
    const { owner, sql, app } = await world();
    const headers = { "Idempotency-Key": "make-once" };
    const first = await owner.post("W/api-keys", { name: "Once" }, { headers }).expect(201);
    const again = await owner.post("W/api-keys", { name: "Once" }, { headers }).expect(201);
    expect(again.data).toEqual(first.data);
    const stored = await sql<{ content: Buffer }>(`select content from idempotent_reply`);
    const { sealer } = app.resources.ports;
    const packed = stored.map(({ content }) => sealer.openBytes(content));
    expect(packed.map((bytes) => inflateRawSync(bytes).toString())).toContain(first.text);
  });

  test.each([
    [{}, "/name", "required"],
    [{ name: "  " }, "/name", "too_short"],
    [{ name: "x".repeat(81) }, "/name", "too_long"],
    [{ name: 7 }, "/name", "type"],
    [{ scopes: [] }, "/scopes", "too_few_items"],
    [{ scopes: "read" }, "/scopes", "type"],
    [{ scopes: ["read", { admin: true }] }, "/scopes/1", "not_allowed"],
    [{ scopes: Array(500).fill("read") }, "/scopes", "too_many_items"],
    [{ project_ids: [] }, "/project_ids", "too_few_items"],
    [{ expires_at: "tomorrow" }, "/expires_at", "pattern"],
    [{ expires_at: day(-1) }, "/expires_at", "not_allowed"],
    [{ rate_limit_per_minute: 0 }, "/rate_limit_per_minute", "too_small"],
    [{ rate_limit_per_minute: 100_001 }, "/rate_limit_per_minute", "too_large"],
    [{ rate_limit_per_minute: 1.5 }, "/rate_limit_per_minute", "type"],
    [{ kind: "personal" }, "/kind", "not_allowed"],
    [{ kind: "agent" }, "/agent_name", "required"],
    [{ kind: "workspace", agent_name: "Bot" }, "/kind", "not_allowed"],
  ])("%j is refused at %s", async (body, path, code) => {
    const { owner } = await world();
    const sent = path === "/name" ? body : { name: "Key", ...body };
    const { body: problem } = await owner.post("W/api-keys", sent).expect(400, "validation_failed");
    expect(problem.error.details.errors).toMatchObject([{ path, code }]);
  });

  test("an unknown scope is refused with the one that was probably meant", async () => {
    const { owner } = await world();
    const { body } = await owner.post("W/api-keys", { name: "Key", scopes: ["read", "issue:write"] }).expect(400);
    expect(body.error.details.errors).toMatchObject([
      { path: "/scopes/1", code: "not_allowed", did_you_mean: "issues:write" },
    ]);
  });

  test.each([[{ hash: "x" }], [{ user_id: "x" }], [{ plaintext: "wk_x" }], [{ paused: true }]])(
    "%j is no field of a key",
    async (more) => {
      const { owner } = await world();
      await owner.post("W/api-keys", { name: "Key", ...more }).expect(400, "unknown_field");
    },
  );

  test("a key can be limited to projects by id, key or slug, and sees no others", async () => {
    const here = await world();
    const { owner, project } = here;
    const elsewhere = await here.other();
    for (const ref of [project.id, "web", "WEB"]) {
      const { data } = await owner.post("W/api-keys", { name: "Web only", project_ids: [ref, "WEB"] }).expect(201);
      expect(data.project_ids).toEqual([project.id]);
      await using(here, data.plaintext).get("P/issues").expect(200);
    }
    for (const ref of ["NOPE", elsewhere.project.id, "00000000-0000-0000-0000-000000000000", "'; drop table project"]) {
      const { body } = await owner
        .post("W/api-keys", { name: "Key", project_ids: ["WEB", ref] })
        .expect(400, "invalid_reference");
      expect(body.error.details).toMatchObject({ path: "/project_ids/1", value: ref });
    }
  });
});

describe("a key never creates a stronger one", () => {
  test("it grants no scope that it does not have itself", async () => {
    const here = await world();
    const fine = await here.keyFor(here.owner, { scopes: ["api_keys:write", "issues:read"] });
    await fine.post("W/api-keys", { name: "Same", scopes: ["api_keys:read", "issues:read"] }).expect(201);
    for (const scope of ["issues:write", "read", "write", "admin", "webhooks:read"]) {
      const { body } = await fine
        .post("W/api-keys", { name: "More", scopes: [scope] })
        .expect(403, "scope_exceeds_grantor");
      expect(body.error.details.scopes).toEqual([scope]);
    }
  });

  test("the bundle admin pays with credits, so all fine scopes together do not grant it", async () => {
    const here = await world();
    const { SCOPES } = await import("../../src/domain/access/identity/scopes.ts");
    const all = await here.keyFor(here.owner, { scopes: SCOPES.filter((scope) => scope !== "admin") });
    await all.post("W/api-keys", { name: "Pay", scopes: ["admin"] }).expect(403, "scope_exceeds_grantor");
    await all.post("W/api-keys", { name: "All but pay", scopes: ["write", "projects:admin"] }).expect(201);
  });

  test("a key limited to projects cannot create one for others", async () => {
    const here = await world();
    const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
    await limited.post("W/api-keys", { name: "All" }).expect(403, "key_project_limit");
    await here.sql(
      `insert into project (id, workspace_id, key, slug, name, created_by, created_at, updated_at)
       select gen_random_uuid(), id, 'OPS', 'ops', 'Ops', $2, now(), now() from workspace where id = $1`,
      [here.workspace.id, here.owner.userId],
    );
    await limited.post("W/api-keys", { name: "Ops", project_ids: ["OPS"] }).expect(400, "invalid_reference");
    await limited.post("W/api-keys", { name: "Web", project_ids: ["WEB"] }).expect(201);
    await here.owner.post("W/api-keys", { name: "Ops", project_ids: ["OPS"] }).expect(201);
  });

  test.each(["member", "viewer", "guest"] as const)("a %s can neither create, see nor revoke keys", async (role) => {
    const here = await world();
    const someone = await here.as({ role });
    const { data: key } = await here.owner.post("W/api-keys", { name: "Key" }).expect(201);
    await someone.post("W/api-keys", { name: "Key" }).expect(403, "insufficient_role");
    await someone.get("W/api-keys").expect(403, "insufficient_role");
    await someone.get(`W/api-keys/${key.id}`).expect(403, "insufficient_role");
    await someone.delete(`W/api-keys/${key.id}`).expect(403, "insufficient_role");
  });

  test("a read scope does not allow writing", async () => {
    const here = await world();
    const reader = await here.keyFor(here.owner, { scopes: ["api_keys:read"] });
    await reader.get("W/api-keys").expect(200);
    const { body } = await reader.post("W/api-keys", { name: "Key" }).expect(403, "insufficient_scope");
    expect(body.error.details.required_scope).toBe("api_keys:write");
  });
});

describe("agent keys", () => {
  test("agent_name creates an agent, and a second key can act as the same agent", async () => {
    const here = await world();
    const { owner } = here;
    const { data: first } = await owner
      .post("W/api-keys", { name: "Coder", kind: "agent", agent_name: "Claude", scopes: ["write"] })
      .expect(201);
    expect(first).toMatchObject({ kind: "agent", created_by: owner.userId });
    expect(first.plaintext).toMatch(/^ak_/);
    const agent = using(here, first.plaintext);
    const { data: me } = await agent.get("/v1/me").expect(200);
    expect(me).toMatchObject({
      kind: "agent",
      role: "member",
      user: null,
      agent: { id: first.agent_id, name: "Claude" },
    });
    const { data: issue } = await agent.post("P/issues", { title: "Found by the agent" }).expect(201);
    expect(issue.reporter_id).toBe(first.agent_id);
    await agent.post("W/api-keys", { name: "More" }).expect(403);

    const { data: second } = await owner.post("W/api-keys", { name: "Coder 2", agent_id: first.agent_id }).expect(201);
    expect(second).toMatchObject({ kind: "agent", agent_id: first.agent_id });
    const [{ agents } = { agents: 0 }] = await here.sql<{ agents: number }>(
      `select count(*) as agents from app_user where agent_workspace_id = $1`,
      [here.workspace.id],
    );
    expect(agents).toBe(1);
  });

  test("an agent is one of this workspace, and not a person", async () => {
    const here = await world();
    const elsewhere = await here.other();
    const { data: foreign } = await elsewhere.owner.post("W/api-keys", { name: "X", agent_name: "X" }).expect(201);
    for (const agent_id of [foreign.agent_id, here.owner.userId, "nobody"]) {
      await here.owner.post("W/api-keys", { name: "Key", agent_id }).expect(400, "invalid_reference");
    }
    const both = { name: "Key", agent_id: foreign.agent_id, agent_name: "Y" };
    await here.owner.post("W/api-keys", both).expect(400, "mutually_exclusive");
  });

  test("the last agent that the plan allows goes to one of several concurrent calls", async () => {
    const { owner } = await world({ plan: "free" });
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => owner.post("W/api-keys", { name: "Key", agent_name: `Agent ${n}` })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(25);
    const refused = replies.find((reply) => reply.status === 403);
    expect(refused?.body).toMatchObject({
      code: "plan_limit_reached",
      error: { details: { limit: 25, used: 25, plan: "free" } },
    });
    await owner.post("W/api-keys", { name: "Still" }).expect(201);
  });
});

describe("reading keys", () => {
  test("newest first, page by page", async () => {
    const { owner } = await world();
    const made: string[] = [];
    for (let n = 0; n < 5; n++)
      made.unshift((await owner.post("W/api-keys", { name: `Key ${n}` }).expect(201)).data.id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${cursor}` : "";
      const { body } = await owner.get(`W/api-keys?limit=2${query}`).expect(200);
      expect(body.data.length).toBeLessThanOrEqual(2);
      seen.push(...body.data.map((key: { id: string }) => key.id));
      cursor = body.pagination.next_cursor;
    } while (cursor);
    expect(seen.slice(0, 5)).toEqual(made);
    expect(seen).toHaveLength(6);
  });

  test("another tenant's key is not found by anyone", async () => {
    const here = await world();
    const elsewhere = await here.other();
    const { data: theirs } = await elsewhere.owner.post("W/api-keys", { name: "Theirs" }).expect(201);
    for (const id of [theirs.id, "00000000-0000-0000-0000-000000000000", "nothing", "%00", "1%20or%201"]) {
      await here.owner.get(`W/api-keys/${id}`).expect(404, "not_found");
      await here.owner.patch(`W/api-keys/${id}`, { name: "Mine" }).expect(404, "not_found");
      await here.owner.delete(`W/api-keys/${id}`).expect(404, "not_found");
    }
    await here.owner.get(`/v1/workspaces/${elsewhere.workspace.slug}/api-keys/${theirs.id}`).expect(404, "not_found");
    const { data: list } = await here.owner.get("W/api-keys").expect(200);
    expect(list.map((key: { id: string }) => key.id)).not.toContain(theirs.id);
  });

  test("a key shows when and from where it was last used", async () => {
    const here = await world();
    const { data: key } = await here.owner.post("W/api-keys", { name: "Used" }).expect(201);
    await using(here, key.plaintext).get("/v1/me").expect(200);
    await expect
      .poll(async () => (await here.owner.get(`W/api-keys/${key.id}`)).data.last_used_ip, {
        timeout: 20_000,
        interval: 500,
      })
      .toMatch(/127\.0\.0\.1|::1/);
  });
});

describe("changing keys", () => {
  test("name, rate limit and expiry; a new limit applies at once", async () => {
    const here = await world();
    const { data: key } = await here.owner.post("W/api-keys", { name: "Slow", rate_limit_per_minute: 3 }).expect(201);
    const slow = using(here, key.plaintext);
    expect((await slow.get("/v1/me").expect(200)).headers.get("x-ratelimit-limit")).toBe("3");
    for (let n = 0; n < 2; n++) await slow.get("/v1/me").expect(200);
    await slow.get("/v1/me").expect(429, "rate_limited");

    const { data: changed } = await here.owner
      .patch(`W/api-keys/${key.id}`, { name: "Fast", rate_limit_per_minute: 1_000, expires_at: "2099-01-01" })
      .expect(200);
    expect(changed).toMatchObject({
      name: "Fast",
      rate_limit_per_minute: 1_000,
      effective_rate_limit: 1_000,
      expires_at: "2099-01-01T00:00:00.000Z",
    });
    await slow.get("/v1/me").expect(200);

    const { data: plain } = await here.owner
      .patch(`W/api-keys/${key.id}`, { rate_limit_per_minute: null, expires_at: null })
      .expect(200);
    expect(plain).toMatchObject({
      rate_limit_per_minute: null,
      effective_rate_limit: 600,
      expires_at: null,
      name: "Fast",
    });
    const { data: same } = await here.owner.patch(`W/api-keys/${key.id}`, {}).expect(200);
    expect(same).toEqual(plain);
  });

  test.each([
    [{ name: null }, "validation_failed"],
    [{ name: "" }, "validation_failed"],
    [{ rate_limit_per_minute: "600" }, "validation_failed"],
    [{ rate_limit_per_minute: -1 }, "validation_failed"],
    [{ expires_at: "2001-01-01" }, "validation_failed"],
    [{ scopes: ["admin"] }, "read_only_field"],
    [{ revoked_at: "2030-01-01T00:00:00.000Z" }, "read_only_field"],
    [{ secret: null }, "unknown_field"],
    [[], "validation_failed"],
  ])("%j is refused", async (body, code) => {
    const { owner } = await world();
    const { data: key } = await owner.post("W/api-keys", { name: "Key" }).expect(201);
    await owner.patch(`W/api-keys/${key.id}`, body).expect(400, code);
  });

  test("an expired key is refused like an unknown one, and can be given more time", async () => {
    const here = await world();
    const { data: key } = await here.owner.post("W/api-keys", { name: "Short", expires_at: day(1) }).expect(201);
    await here.sql(`update api_key set expires_at = now() - interval '1 s' where id = $1`, [key.id]);
    await using(here, key.plaintext).get("/v1/me").expect(401, "unauthorized");
    expect((await here.owner.get(`W/api-keys/${key.id}`).expect(200)).data.state).toBe("expired");
    await here.owner.patch(`W/api-keys/${key.id}`, { expires_at: day(1) }).expect(200);
    await using(here, key.plaintext).get("/v1/me").expect(200);
  });
});

describe("revoking keys", () => {
  test("takes effect at once, is final, and leaves the key in the list for 90 days", async () => {
    const here = await world();
    const { owner } = here;
    const { data: key } = await owner.post("W/api-keys", { name: "Leaky" }).expect(201);
    await using(here, key.plaintext).get("/v1/me").expect(200);

    const { data: gone } = await owner.delete(`W/api-keys/${key.id}?reason=seen%20in%20a%20log`).expect(200);
    expect(gone).toEqual({ id: key.id, revoked: true });
    const refused = await using(here, key.plaintext).get("/v1/me").expect(401, "unauthorized");
    const unknown = await using(here, `${key.plaintext}x`).get("/v1/me").expect(401, "unauthorized");
    expect({ ...refused.body, request_id: "" }).toEqual({ ...unknown.body, request_id: "" });

    expect((await owner.delete(`W/api-keys/${key.id}?reason=again`).expect(200)).data).toEqual(gone);
    await owner.patch(`W/api-keys/${key.id}`, { name: "Back" }).expect(409, "invalid_state_change");
    const { data: shown } = await owner.get(`W/api-keys/${key.id}`).expect(200);
    expect(shown).toMatchObject({ state: "revoked", revoke_reason: "seen in a log", revoked_at: expect.any(String) });
    expect(await events(here, "api_key.revoked")).toEqual([{ data: shown }]);
    expect((await owner.get("W/api-keys").expect(200)).data).toContainEqual(shown);

    await here.sql(`update api_key set revoked_at = now() - interval '91 days' where id = $1`, [key.id]);
    await owner.get(`W/api-keys/${key.id}`).expect(404, "not_found");
    expect((await owner.get("W/api-keys").expect(200)).data).toHaveLength(1);
  });

  test("the default reason is `user`; a reason has a maximum length", async () => {
    const { owner } = await world();
    const { data: key } = await owner.post("W/api-keys", { name: "Key" }).expect(201);
    await owner.delete(`W/api-keys/${key.id}?reason=${"x".repeat(201)}`).expect(400, "invalid_parameter");
    await owner.delete(`W/api-keys/${key.id}?why=x`).expect(400, "unknown_parameter");
    await owner.delete(`W/api-keys/${key.id}`).expect(200);
    expect((await owner.get(`W/api-keys/${key.id}`).expect(200)).data.revoke_reason).toBe("user");
  });

  test("many concurrent revocations are one", async () => {
    const here = await world();
    const { data: key } = await here.owner.post("W/api-keys", { name: "Key" }).expect(201);
    const replies = await Promise.all(Array.from({ length: 8 }, () => here.owner.delete(`W/api-keys/${key.id}`)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200));
    expect(await events(here, "api_key.revoked")).toHaveLength(1);
  });

  test("a key may revoke itself", async () => {
    const here = await world();
    const { data: key } = await here.owner.post("W/api-keys", { name: "Self", scopes: ["admin"] }).expect(201);
    await using(here, key.plaintext).delete(`W/api-keys/${key.id}`).expect(200);
    await using(here, key.plaintext).delete(`W/api-keys/${key.id}`).expect(401);
  });
});

test("texts that Postgres cannot store are rejected, not a server error", async () => {
  const { owner } = await world();
  for (const body of [
    { name: "a\u0000b" },
    { name: "Key", agent_name: "\u0000" },
    { name: "Key", project_ids: ["\u0000"] },
  ]) {
    const { status } = await owner.post("W/api-keys", body);
    expect(status).toBe(400);
  }
});

describe("what a key may do with keys, including itself", () => {
  test("a key that expires creates none that expires later, and extends neither itself nor others", async () => {
    const here = await world();
    const [soon, later] = [day(2), day(3)];
    const mine = (await here.owner.post("W/api-keys", { name: "Mine", scopes: ["admin"], expires_at: soon })).data;
    const caller = using(here, mine.plaintext);
    for (const expires_at of [null, later]) {
      await caller.post("W/api-keys", { name: "New", expires_at }).expect(403, "scope_exceeds_grantor");
    }
    expect((await caller.post("W/api-keys", { name: "New" }).expect(201)).data.expires_at).toBe(mine.expires_at);
    const shorter = (await caller.post("W/api-keys", { name: "Short", expires_at: day(1) }).expect(201)).data;
    for (const id of [mine.id, shorter.id]) {
      await caller.patch(`W/api-keys/${id}`, { expires_at: null }).expect(403, "scope_exceeds_grantor");
      await caller.patch(`W/api-keys/${id}`, { expires_at: later }).expect(403, "scope_exceeds_grantor");
      await caller.patch(`W/api-keys/${id}`, { name: "Renamed", expires_at: soon }).expect(200);
    }
    await caller.patch(`W/api-keys/${mine.id}`, { expires_at: day(1) }).expect(200);
    await here.owner.patch(`W/api-keys/${mine.id}`, { expires_at: null }).expect(200);
  });

  test("a key with a rate limit grants no key a higher one", async () => {
    const here = await world();
    const make = async (rate_limit_per_minute: number | null) =>
      (await here.owner.post("W/api-keys", { name: "Key", scopes: ["admin"], rate_limit_per_minute }).expect(201)).data;
    const rates = async (caller: Client, rate_limit_per_minute?: number | null) =>
      (await caller.post("W/api-keys", { name: "New", rate_limit_per_minute }).expect(201)).data.rate_limit_per_minute;
    const [slow, fast, plain] = [await make(40), await make(1_000), await make(null)];
    const caller = using(here, slow.plaintext);
    for (const rate_limit_per_minute of [41, 100_000, null]) {
      const refused = await caller.post("W/api-keys", { name: "New", rate_limit_per_minute });
      expect([refused.status, refused.body.code]).toEqual([403, "scope_exceeds_grantor"]);
      expect(refused.body.error.details).toMatchObject({ path: "/rate_limit_per_minute", limit: 40 });
    }
    // Without a value, it is the default or the caller's own, whichever is lower.
    expect([await rates(caller), await rates(caller, 40), await rates(caller, 7)]).toEqual([40, 40, 7]);
    const swift = using(here, fast.plaintext);
    expect([await rates(swift), await rates(swift, 1_000), await rates(swift, null)]).toEqual([null, 1_000, null]);
    await swift.post("W/api-keys", { name: "New", rate_limit_per_minute: 1_001 }).expect(403, "scope_exceeds_grantor");
    expect(await rates(using(here, plain.plaintext), 100_000)).toBe(100_000);

    const change = (key: { id: string }, rate_limit_per_minute: number | null) =>
      caller.patch(`W/api-keys/${key.id}`, { rate_limit_per_minute });
    await change(fast, 1_001).expect(403, "scope_exceeds_grantor");
    await change(plain, 601).expect(403, "scope_exceeds_grantor");
    await change(fast, 500).expect(200);
    await change(fast, null).expect(403, "scope_exceeds_grantor");
    await change(fast, 20).expect(200);
    await change(fast, 41).expect(403, "scope_exceeds_grantor");
    await change(fast, 40).expect(200);
    await change(slow, 41).expect(403, "scope_exceeds_grantor");
    await using(here, plain.plaintext)
      .patch(`W/api-keys/${plain.id}`, { rate_limit_per_minute: 601 })
      .expect(403, "scope_exceeds_grantor");
  });

  test("a key does not raise its own rate limit", async () => {
    const here = await world();
    const body = { name: "Mine", scopes: ["admin"], rate_limit_per_minute: 300 };
    const mine = (await here.owner.post("W/api-keys", body).expect(201)).data;
    const caller = using(here, mine.plaintext);
    for (const rate_limit_per_minute of [301, null]) {
      await caller.patch(`W/api-keys/${mine.id}`, { rate_limit_per_minute }).expect(403, "scope_exceeds_grantor");
    }
    await caller.patch(`W/api-keys/${mine.id}`, { rate_limit_per_minute: 200 }).expect(200);
    await here.owner.patch(`W/api-keys/${mine.id}`, { rate_limit_per_minute: 1_000 }).expect(200);
  });

  test("a key limited to projects sees, changes and revokes keys within them only", async () => {
    const here = await world();
    const { owner, project } = here;
    const shop = (await owner.post("W/projects", { name: "Shop" }).expect(201)).data;
    const make = async (project_ids: string[] | null) =>
      (await owner.post("W/api-keys", { name: "Key", scopes: ["admin"], project_ids }).expect(201)).data;
    const mine = await make([project.id]);
    const caller = using(here, mine.plaintext);
    for (const { id } of [await make(null), await make([shop.id]), await make([shop.id, project.id])]) {
      await caller.get(`W/api-keys/${id}`).expect(404, "not_found");
      await caller.patch(`W/api-keys/${id}`, { name: "Renamed" }).expect(404, "not_found");
      await caller.delete(`W/api-keys/${id}`).expect(404, "not_found");
    }
    const { id } = await make([project.id]);
    const first = await caller.get("W/api-keys?limit=1").expect(200);
    const rest = await caller.get(`W/api-keys?limit=9&cursor=${first.body.pagination.next_cursor}`).expect(200);
    expect([...first.data, ...rest.data].map((key) => key.id)).toEqual([id, mine.id]);
    await caller.get(`W/api-keys/${id}`).expect(200);
    await caller.patch(`W/api-keys/${id}`, { name: "Renamed" }).expect(200);
    await caller.delete(`W/api-keys/${id}`).expect(200);
  });

  test("a key can change and revoke keys with no more scopes than its own, and always itself", async () => {
    const here = await world();
    const make = async (scopes: string[]) =>
      (await here.owner.post("W/api-keys", { name: "Key", scopes }).expect(201)).data;
    const mine = await make(["api_keys:write", "read"]);
    const caller = using(here, mine.plaintext);
    for (const { id } of [await make(["admin"]), await make(["issues:write"])]) {
      await caller.patch(`W/api-keys/${id}`, { name: "Renamed" }).expect(403, "scope_exceeds_grantor");
      await caller.delete(`W/api-keys/${id}`).expect(403, "scope_exceeds_grantor");
    }
    const { id } = await make(["read"]);
    await caller.patch(`W/api-keys/${id}`, { name: "Renamed" }).expect(200);
    await caller.delete(`W/api-keys/${id}`).expect(200);
    await caller.delete(`W/api-keys/${mine.id}`).expect(200);
    await caller.get("W/api-keys").expect(401);
  });
});

test("a key makes keys of its own person's agents only", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const bot = { name: "Bot", agent_name: "Bot", scopes: ["admin"] };
  const { data: agent } = await admin.post("W/api-keys", bot).expect(201);
  const { agent_id } = agent;
  const { data: dm } = await admin.post("W/chat/dms", { user_ids: [agent_id] }).expect(201);
  await admin.post(`W/chat/channels/${dm.id}/messages`, { body_md: "Secret" }).expect(201);
  const more = { name: "More", kind: "agent", agent_id, scopes: ["chat:read"] };
  const narrow = await here.keyFor(here.owner, { scopes: ["api_keys:write", "chat:read"] });
  for (const client of [narrow, here.owner]) {
    const { body } = await client.post("W/api-keys", more).expect(403, "not_owner_of_resource");
    expect(body.detail).toContain("Ask the owner of the agent");
  }
  const { data: second } = await admin.post("W/api-keys", more).expect(201);
  expect(second.agent_id).toBe(agent_id);
  const { data: own } = await here.owner.post("W/api-keys", { ...bot, agent_name: "Own" }).expect(201);
  await here.owner.post("W/api-keys", { ...more, agent_id: own.agent_id }).expect(201);
});
