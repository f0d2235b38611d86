import { describe, expect, test } from "vitest";
import { networkPart } from "../../src/domain/events/audit/client-part.ts";
import { unitOfWork } from "../../src/domain/events/unit-of-work.ts";
import { firstIdAt } from "../../src/domain/kernel/ids.ts";
import { setPlan } from "../../src/domain/tenancy/workspaces/plan.ts";
import { systemNow } from "../support/acting.ts";
import { configure } from "../support/app.ts";
import { csvRows } from "../support/csv.ts";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { type World, world } from "../support/world.ts";

configure({ TRUSTED_PROXIES: "1" });

// biome-ignore lint/suspicious/noExplicitAny: tests look into entries freely
type Entry = any;

const logOf = async ({ owner }: World, query = ""): Promise<Entry[]> =>
  (await owner.get(`W/audit-log${query}`).expect(200)).data;

const typesOf = async (here: World, query = ""): Promise<string[]> =>
  (await logOf(here, query)).map(({ type }: Entry) => type);

/** Stores entries of the last days without calls. */
const fill = ({ sql, workspace, owner }: World, rows: number, changes: object = { name: ["a", "b"] }) =>
  sql(
    `insert into audit_entry (id, workspace_id, type, actor_id, actor_kind, actor_name, target_type, target_name, changes, cause)
     select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 1000), 12, '0') || '70008000' ||
             lpad(to_hex(n), 12, '0'))::uuid, $1, 'workspace.updated', $2, 'user', 'Olive', 'workspace', '=1+1', $3, '{}'
     from generate_series(1, $4) n`,
    [workspace.id, owner.userId, JSON.stringify(changes), rows],
  );

describe("what an entry says", () => {
  test("who changed what, with which key, from which network", async () => {
    const here = await world();
    const member = await here.as({ role: "member", name: "Mary" });
    const headers = { "x-forwarded-for": "198.51.100.1, 203.0.113.77", "user-agent": `agent ${"x".repeat(300)}` };
    const patch = (role: string) => here.owner.patch(`W/members/${member.userId}`, { role }, { headers });
    await patch("admin").expect(200);
    await patch("admin").expect(200);
    const [key] = await here.sql<{ id: string }>(`select id from api_key where user_id = $1`, [here.owner.userId]);
    const [entry, ...others] = await logOf(here);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: { id: here.owner.userId, kind: "user", name: "Olive Owner" },
      key_id: key!.id,
      ip: "203.0.113.0/24",
      user_agent: `agent ${"x".repeat(193)}…`,
      type: "member.role_changed",
      target: { type: "member", id: member.userId, name: "Mary" },
      project_id: null,
      changes: { role: ["member", "admin"] },
      cause: { request_id: expect.any(String), automation_id: null, workflow_run_id: null, agent_session_id: null },
    });
    expect(Math.abs(Date.parse(entry.at) - Date.now())).toBeLessThan(60_000);
  });

  test("removing a member also logs the keys that end", async () => {
    const here = await world();
    const member = await here.as({ role: "member", name: "Mary" });
    await here.owner.delete(`W/members/${member.userId}`).expect(200);
    expect((await typesOf(here)).sort()).toEqual(["api_key.revoked", "member.removed"]);
    const [removed] = await logOf(here, "?type=member.removed");
    expect(removed.changes).toMatchObject({ role: ["member", null], email: [member.email, null] });
  });

  test("keys, webhooks and apps are logged without their secrets", async () => {
    const here = await world();
    const { owner } = here;
    const key = (await owner.post("W/api-keys", { name: "CI", scopes: ["read"] }).expect(201)).data;
    await owner.patch(`W/api-keys/${key.id}`, { name: "CI 2", rate_limit_per_minute: 10 }).expect(200);
    const hook = { url: "https://example.com/hooks/T0KEN?x=T0KEN", event_types: ["*"], headers: { "X-Auth": "T0KEN" } };
    const { data } = await owner.post("W/webhooks", hook).expect(201);
    await owner.patch(`W/webhooks/${data.id}`, { headers: { "X-Auth": "T0KEN2" } }).expect(200);
    const rotated = (await owner.post(`W/webhooks/${data.id}/rotate-secret`).expect(200)).data;
    await owner.delete(`W/webhooks/${data.id}`).expect(200);
    await owner.delete(`W/api-keys/${key.id}`).expect(200);

    const log = await logOf(here);
    expect(log.map(({ type }) => type).reverse()).toEqual([
      ...["api_key.created", "api_key.updated"],
      ...["webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.deleted", "api_key.revoked"],
    ]);
    const text = JSON.stringify(log);
    for (const secret of ["T0KEN", key.plaintext, data.secret, rotated.secret]) expect(text).not.toContain(secret);
    expect(log.find(({ type }) => type === "webhook.created").changes.url).toEqual([null, "https://example.com/…"]);
    expect(log.find(({ type }) => type === "webhook.updated").changes).toEqual({
      headers: [{ "X-Auth": "***" }, { "X-Auth": "***" }],
    });
    expect(log.find(({ type }) => type === "api_key.updated").changes).toEqual({
      name: ["CI", "CI 2"],
      rate_limit_per_minute: [null, 10],
    });
    expect(log.find(({ type }) => type === "api_key.created").changes).toMatchObject({ scopes: [null, ["read"]] });
  });

  test("the addresses of an automation's receivers are logged without their paths, and long values are cut", async () => {
    const here = await world();
    const body = {
      name: "Tell",
      trigger: "issue.created",
      actions: [{ type: "send_webhook", url: "https://example.com/T0KEN" }],
    };
    const { data } = await here.owner.post("W/automations", body).expect(201);
    await here.owner.patch(`W/automations/${data.id}`, { description: "d".repeat(500) }).expect(200);
    const [updated, created] = await logOf(here);
    expect(created.changes.actions[1]).toEqual([{ type: "send_webhook", url: "https://example.com/…" }]);
    expect(updated.changes.description).toEqual([null, `${"d".repeat(199)}…`]);
  });

  test("access to a project is logged with the project, its other fields are not", async () => {
    const here = await world();
    const member = await here.as({ role: "member" });
    await here.owner.patch("P", { name: "Other name" }).expect(200);
    await here.owner.patch("P", { scoped: true, name: "Third name" }).expect(200);
    await here.owner.post("P/members", { user_id: member.userId, role: "viewer" }).expect(201);
    const [added, scoped, ...others] = await logOf(here);
    expect(others).toEqual([]);
    expect(scoped).toMatchObject({ type: "project.updated", changes: { scoped: [false, true] } });
    expect(Object.keys(scoped.changes)).toEqual(["scoped"]);
    expect(added).toMatchObject({ type: "project.member.added", project_id: here.project.id });
  });

  test("an operator's change has no client and the actor kind system", async () => {
    const here = await world();
    const { database, entities } = here.app.resources;
    const work = { database, entities, workspaceId: null };
    await unitOfWork(systemNow(here.app), work, (ctx) => setPlan(ctx, here.workspace.id, "pro"));
    expect(await logOf(here)).toMatchObject([
      {
        type: "workspace.updated",
        actor: { id: null, kind: "system", name: null },
        ...{ key_id: null, ip: null, user_agent: null },
        changes: { plan: ["business", "pro"] },
      },
    ]);
  });

  test("exports are logged, also those of the log itself", async () => {
    const here = await world();
    const { data: doc } = await here.owner.post("W/docs", { title: "Plan", body_md: "x" }).expect(201);
    const { data: own } = await here.owner.post("W/docs", { title: "Diary", visibility: "private" }).expect(201);
    await here.owner.get(`W/docs/${doc.id}/export`).expect(200);
    await here.owner.get(`W/docs/${own.id}/export?format=html`).expect(200);
    await here.owner.get("P/reports/velocity?format=csv").expect(200);
    await here.owner.get("P/reports/velocity").expect(200);
    await here.owner.get("W/audit-log?format=csv&type=member.*").expect(200);
    await here.owner.get("W/audit-log?format=csv&type=nothing").expect(400);
    const log = await logOf(here);
    expect(log.map(({ type, target }) => [type, target.name]).reverse()).toEqual([
      ["doc.exported", "Plan"],
      ["doc.exported", null],
      ["report.exported", expect.stringMatching(/\.csv$/)],
      ["audit_log.exported", expect.stringMatching(/\.csv$/)],
    ]);
    expect(log[0].changes).toEqual({ format: [null, "csv"], type: [null, "member.*"] });
  });

  test("only the network of an address is kept", () => {
    expect(networkPart("203.0.113.77")).toBe("203.0.113.0/24");
    expect(networkPart("::ffff:203.0.113.77")).toBe("203.0.113.0/24");
    expect(networkPart("2001:db8:1:2:3::4")).toBe("2001:db8:1::/48");
    expect(networkPart("2002:cb00:714d::1")).toBe("203.0.113.0/24");
    expect(networkPart("::1")).toBe("::/48");
    expect(networkPart("no address")).toBeNull();
  });
});

describe("what is stored", () => {
  test("a change that is rolled back leaves no entry", async () => {
    const here = await world();
    const { database, entities } = here.app.resources;
    const work = { database, entities, workspaceId: null };
    const failing = unitOfWork(systemNow(here.app), work, async (ctx) => {
      await setPlan(ctx, here.workspace.id, "pro");
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await logOf(here)).toEqual([]);
  });

  test("a call that is sent twice with one Idempotency-Key leaves one entry", async () => {
    const here = await world();
    const send = () =>
      here.owner.post("W/api-keys", { name: "A", scopes: ["read"] }, { headers: { "idempotency-key": "k1" } });
    await Promise.all([send().expect(201), send().expect(201)]);
    expect(await typesOf(here)).toEqual(["api_key.created"]);
  });

  test("two changes at the same time leave two entries that follow from each other", async () => {
    const here = await world();
    const names = ["One", "Two"];
    await Promise.all(names.map((name) => here.owner.patch("W", { name }).expect(200)));
    const [last, first] = await logOf(here);
    expect(last.changes.name[0]).toBe(first.changes.name[1]);
    expect([first.changes.name[1], last.changes.name[1]].sort()).toEqual(names);
  });

  test("entries cannot be changed or deleted, not even by SQL", async () => {
    const here = await world();
    await here.owner.patch("W", { name: "New name" }).expect(200);
    await expect(here.sql(`update audit_entry set type = 'x'`)).rejects.toThrow("append-only");
    await expect(here.sql(`delete from audit_entry`)).rejects.toThrow("append-only");
    const [partition] = await here.sql<{ name: string }>(
      `select tableoid::regclass::text as name from audit_entry where workspace_id = $1`,
      [here.workspace.id],
    );
    await expect(here.sql(`delete from ${partition!.name}`)).rejects.toThrow("append-only");
    await expect(here.sql(`truncate audit_entry`)).rejects.toThrow("append-only");
    expect(await typesOf(here)).toEqual(["workspace.updated"]);
  });

  test("the log does not keep anybody from being deleted", async () => {
    const here = await world();
    const member = await here.as({ role: "member" });
    await member.get("W").expect(200);
    await here.owner.patch(`W/members/${member.userId}`, { role: "viewer" }).expect(200);
    await here.owner.delete(`W/members/${member.userId}`).expect(200);
    await here.sql(`delete from api_key where user_id = $1`, [member.userId]);
    await here.sql(`delete from app_user where id = $1`, [member.userId]);
    expect(await typesOf(here, "?type=member.*")).toEqual(["member.removed", "member.role_changed"]);
  });

  test("entries older than the retention time are not shown", async () => {
    const here = await world();
    const old = firstIdAt(new Date(Date.now() - 366 * 86_400_000));
    await here.sql(
      `insert into audit_entry (id, workspace_id, type, actor_kind, target_type, changes, cause)
       values ($1, $2, 'member.added', 'system', 'member', '{}', '{}')`,
      [old, here.workspace.id],
    );
    expect(await logOf(here)).toEqual([]);
    expect(await logOf(here, "?since=2020-01-01")).toEqual([]);
  });
});

describe("who may read it", () => {
  test("owners and admins with audit:read, and no key that is limited to projects", async () => {
    const here = await world();
    const read = async (who: Parameters<World["as"]>[0]) => (await here.as(who)).get("W/audit-log");
    await (await here.as({ role: "admin", scopes: ["audit:read"] })).get("W/audit-log").expect(200);
    await (await here.as({ role: "admin", scopes: ["admin"] })).get("W/audit-log").expect(200);
    expect((await read({ role: "member" })).body.code).toBe("insufficient_role");
    expect((await read({ role: "guest" })).status).toBe(403);
    expect((await read({ role: "admin", scopes: ["workspaces:read", "write"] })).body.code).toBe("insufficient_scope");
    expect((await read({ role: "admin", projectIds: [here.project.id] })).body.code).toBe("key_project_limit");
    await here.nobody.get("W/audit-log").expect(401);
    const other = await here.other();
    await other.owner.get(`/v1/workspaces/${here.workspace.slug}/audit-log`).expect(404);
  });

  test("a workspace sees only its own entries", async () => {
    const here = await world();
    const other = await here.other();
    await other.owner.patch("W", { name: "Theirs" }).expect(200);
    const [entry] = await logOf(other);
    for (const query of ["", `?actor_id=${other.owner.userId}`, `?key_id=${entry.key_id}`, "?type=workspace.*"]) {
      expect(await logOf(here, query)).toEqual([]);
    }
  });
});

describe("filters", () => {
  test("by actor, key, type and time", async () => {
    const here = await world();
    const admin = await here.as({ role: "admin" });
    const member = await here.as({ role: "member" });
    await here.owner.patch("W", { name: "A" }).expect(200);
    await admin.patch(`W/members/${member.userId}`, { role: "viewer" }).expect(200);
    await admin.post("W/api-keys", { name: "K", scopes: ["read"] }).expect(201);
    const [created, changed, renamed] = await logOf(here);
    const at = (query: string) => typesOf(here, `?${query}`);
    expect(await at(`actor_id=${admin.userId}`)).toEqual(["api_key.created", "member.role_changed"]);
    expect(await at("actor_id=me")).toEqual(["workspace.updated"]);
    expect(await at(`key_id=${renamed.key_id}`)).toEqual(["workspace.updated"]);
    expect(await at("type=member.role_changed")).toEqual(["member.role_changed"]);
    expect(await at("type=api_key.*")).toEqual(["api_key.created"]);
    expect(await at(`type=*&actor_id=${admin.userId}`)).toHaveLength(2);
    expect(await at(`since=${created.at}`)).toContain("api_key.created");
    expect(await at(`since=${created.at}`)).not.toContain("workspace.updated");
    expect(await at(`until=${changed.at}`)).toEqual(["workspace.updated"]);
    expect(await at(`actor_id=${member.userId}`)).toEqual([]);
    await here.owner.get("W/audit-log?actor_id=nobody").expect(400, "invalid_parameter");
    const wrong = await here.owner.get("W/audit-log?type=membre.*").expect(400, "invalid_parameter");
    expect(wrong.body.detail).toContain("Did you mean member.*?");
  });

  test("pages are complete and in order, also of a group of types", async () => {
    const here = await world();
    await fill(here, 7);
    await here.owner.post("W/api-keys", { name: "K", scopes: ["read"] }).expect(201);
    const whole = await logOf(here);
    expect(whole).toHaveLength(8);
    expect(whole.map(({ at }) => at)).toEqual(
      whole
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    for (const filter of ["", "&type=*", `&actor_id=${here.owner.userId}`]) {
      const found: Entry[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { data, body } = await here.owner.get(`W/audit-log?limit=3&cursor=${cursor}${filter}`).expect(200);
        found.push(...data);
        cursor = body.pagination.next_cursor;
      }
      expect(found).toEqual(whole);
    }
  });
});

describe("files", () => {
  test("CSV neutralises formulas, and NDJSON has the entries as the list shows them", async () => {
    const here = await world();
    await fill(here, 3, { name: ["=cmd()", '"x", y'] });
    const list = await logOf(here);
    const csv = await here.owner.get("W/audit-log?format=csv").expect(200);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toMatch(/attachment; filename="audit-log-.*\.csv"/);
    const [header, ...rows] = csvRows(csv.text);
    expect(rows).toHaveLength(3);
    const cell = (row: string[], name: string) => row[header!.indexOf(name)];
    expect(cell(rows[0]!, "id")).toBe(list[0].id);
    expect(cell(rows[0]!, "target_name")).toBe("'=1+1");
    expect(JSON.parse(cell(rows[0]!, "changes")!)).toEqual({ name: ["=cmd()", '"x", y'] });
    const lines = await here.owner.get("W/audit-log?type=workspace.*", { headers: { accept: "application/x-ndjson" } });
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson");
    expect(
      lines.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(list);
  });

  test("20,000 entries leave in parts, and other calls are served in between", async () => {
    const here = await world();
    await fill(here, 20_000, { description: ["x".repeat(199), "y".repeat(199)] });
    const web = await startWatched(here.app.config);
    const download = async (format: string) => {
      const url = `${web.url}/v1/workspaces/${here.workspace.slug}/audit-log?type=workspace.*&format=${format}`;
      const reply = await fetch(url, { headers: { authorization: `Bearer ${here.owner.key}` } });
      expect(reply.status).toBe(200);
      return reply.text();
    };
    for (const format of ["csv", "ndjson"]) {
      const lines = (await download(format)).trimEnd().split("\n");
      expect(lines).toHaveLength(format === "csv" ? 20_001 : 20_000);
      await expectShortTurns(web, `an export as ${format}`, () => download(format));
    }
    await web.kill();
  }, 120_000);
});
