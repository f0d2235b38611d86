import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { callablesOf } from "../../src/api/tools/callable.ts";
import { notATool } from "../../src/api/tools/operation-index.ts";
import { app } from "../support/app.ts";
import { base64url, cardProcessorAtWork, newToken } from "../support/buyer.ts";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { connect, servePublicly } from "../support/oauth.ts";
import { callTool, failTool, send, TOOL_SERVER, useTool } from "../support/tools.ts";
import { world } from "../support/world.ts";

/** Requests to the tool server: who may send them, what is wrong with them, and what becomes of errors. */

await servePublicly();
await cardProcessorAtWork();

test("each request is answered 401 without a valid credential", async () => {
  const { nobody, owner, sql } = await world();
  const wrong = { headers: { authorization: `Bearer ${owner.key}x` } };
  const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
  await sql(`update api_key set revoked_at = now() where user_id = $1`, [owner.userId]);
  for (const body of [
    message("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } }),
    message("tools/list"),
    message("no/such/method"),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    message("tools/call", { name: "whoami", arguments: {} }),
    message("tools/call", { name: "no_such_tool", arguments: {} }),
    message("tools/call", { name: "find_operation", arguments: {} }),
    message("tools/call", { name: "describe_operation", arguments: { operation: "getMe" } }),
    message("tools/call", { name: "call_operation", arguments: { operation: "no" } }),
    message("tools/call", { name: "create_issue", arguments: {} }),
    message("tools/call", { name: "get_issue", arguments: { issue: "WEB-1", more: "?" } }),
  ]) {
    for (const reply of [
      await nobody.post(TOOL_SERVER, body),
      await nobody.post(TOOL_SERVER, body, wrong),
      await owner.post(TOOL_SERVER, body),
    ]) {
      expect(reply.status, JSON.stringify(body)).toBe(401);
      expect(reply.headers.get("www-authenticate")).toContain("oauth-protected-resource/api/mcp/v1");
    }
  }
});

test("a tool sees and changes only what its key's REST call could", async () => {
  const here = await world();
  const other = await here.other();
  await here.owner.post("P/issues", { title: "Here" }).expect(201);
  await other.owner.post("P/issues", { title: "There" }).expect(201);
  expect((await useTool(other.owner, "get_issue", { issue: "WEB-1" })).data.title).toBe("There");
  const found = await useTool(other.owner, "search", { q: "here" });
  expect(found.data).toEqual([]);
  const path = { slug: here.workspace.slug, key: "WEB", issueKey: "WEB-1" };
  expect(await failTool(other.owner, "call_operation", { operation: "getIssue", path })).toMatchObject({ status: 404 });

  const hidden = await here.hidden("SECRET");
  await hidden.owner.post("P/issues", { title: "Hidden" }).expect(201);
  const member = await here.as({ role: "member" });
  expect(await failTool(member, "get_issue", { issue: "SECRET-1" })).toMatchObject({ code: "not_found" });
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  expect(await failTool(limited, "get_issue", { issue: "SECRET-1" })).toMatchObject({ status: expect.any(Number) });
  expect(await failTool(limited, "create_issue", { project: "SECRET", title: "x" })).toMatchObject({
    code: expect.stringMatching(/not_found|key_project_limit/),
  });
  const viewer = await here.as({ role: "viewer" });
  expect(await failTool(viewer, "update_issue", { issue: "WEB-1", title: "x" })).toMatchObject({
    code: "insufficient_role",
  });
});

test("a missing scope is an error of the tool with a key, and 403 with a challenge with an OAuth token", async () => {
  const here = await world();
  const reader = await here.keyFor(here.owner, { scopes: ["read"] });
  const given = { project: "WEB", title: "x" };
  expect(await failTool(reader, "create_issue", given)).toMatchObject({ code: "insufficient_scope", status: 403 });
  const { access_token } = await connect(here, here.owner.userId, { scope: "read" }, { scope: ["read"] });
  const reply = await here.nobody
    .post(
      TOOL_SERVER,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "create_issue", arguments: given } },
      { headers: { authorization: `Bearer ${access_token}` } },
    )
    .expect(403, "insufficient_scope");
  expect(reply.headers.get("www-authenticate")).toMatch(/error="insufficient_scope", scope="issues:write"/);
});

test("a call costs as many units as over REST, and 429 says when to retry", async () => {
  const here = await world();
  const key = await here.keyFor(here.owner, { rateLimit: 3 });
  for (const left of ["2", "1", "0"]) {
    const reply = await send(key, "tools/call", { name: "list_projects", arguments: {} }).expect(200);
    expect(reply.headers.get("x-ratelimit-remaining")).toBe(left);
  }
  const error = await failTool(key, "list_projects");
  expect(error).toMatchObject({ code: "rate_limited", status: 429 });
  expect(error.retry_after).toBeGreaterThan(0);
  await send(key, "tools/list").expect(429, "rate_limited");
});

test("an agent buys credits with a tool", async () => {
  const { owner } = await world();
  const asked = await failTool(owner, "buy_credits", { pack: "small" });
  expect(asked).toMatchObject({ code: "payment_required", status: 402 });
  const [, id] = /^Payment id="([^"]+)"/.exec(asked.www_authenticate) ?? [];
  expect(Object.values(asked.challenge)).toContain(id);
  const payment = base64url({ challenge_id: id, shared_payment_token: newToken() });
  const paid = await useTool(owner, "buy_credits", { pack: "small", payment });
  expect(paid.data).toMatchObject({ pack: "small", payment_status: "succeeded" });
  const viaAny = await failTool(owner, "call_operation", { operation: "buyCreditsSmall" });
  expect(Object.values(viaAny.challenge)).not.toContain(id);
});

test("every operation is found, and is called unless it streams", async () => {
  const { owner } = await world();
  const found = new Set<string>();
  let cursor: string | null = "0";
  while (cursor !== null) {
    const page: { data: { operation: string }[]; pagination: { next_cursor: string | null } } = await useTool(
      owner,
      "find_operation",
      { cursor },
    );
    for (const { operation } of page.data) found.add(operation);
    cursor = page.pagination.next_cursor;
  }
  const all = [...callablesOf(operations).values()];
  expect([...found].sort()).toEqual(all.map(({ id }) => id).sort());
  const streams = all.filter(({ operation }) => notATool(operation)).map(({ id }) => id);
  expect(streams.sort()).toEqual(["getAgentEventListen", "getChatMessageListen"]);
  const ABSENT = "00000000-0000-7000-8000-000000000000";
  for (const { id, operation } of all.filter((one) => !streams.includes(one.id))) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== "slug");
    const path = Object.fromEntries(names.map((name) => [name, name === "key" ? "WEB" : ABSENT]));
    const { isError, structuredContent } = await callTool(owner, "call_operation", { operation: id, path });
    // Calls for absent objects and with empty bodies get as far as the operation itself.
    if (isError) expect(structuredContent.error.status, `${id} ${structuredContent.error.message}`).not.toBe(500);
    if (isError) expect(JSON.stringify(structuredContent)).not.toContain("path/");
  }
}, 60_000);

test("a format that is a file is refused, and no export is logged", async () => {
  const { owner, sql, workspace } = await world();
  const read = (operation: string, format: string, path = {}) =>
    failTool(owner, "call_operation", { operation, path, query: { format } });
  const report = { key: "WEB", report: "velocity" };
  for (const error of [
    await read("listAuditLog", "csv"),
    await read("listAuditLog", "ndjson"),
    await read("getReport", "csv", report),
  ]) {
    expect(error).toMatchObject({ code: "invalid_parameter", status: 400 });
    expect(error.message).toContain("over REST");
  }
  expect(await sql("select from audit_entry where workspace_id = $1", [workspace.id])).toEqual([]);
  await useTool(owner, "call_operation", { operation: "getReport", path: report });
});

test("malformed calls of tools need a valid credential, too, and count", async () => {
  const { owner, sql, keyFor } = await world();
  const limited = await keyFor(owner, { rateLimit: 3 });
  const message = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  await limited.post(TOOL_SERVER, message({ name: 7 })).expect(200);
  await limited.post(TOOL_SERVER, message({ name: "whoami", arguments: [] })).expect(200);
  await limited.post(TOOL_SERVER, { jsonrpc: "2.0", method: "tools/call", params: { name: "whoami" } }).expect(202);
  await limited.post(TOOL_SERVER, message({})).expect(429);
  await sql(`update api_key set revoked_at = now() where user_id = $1`, [owner.userId]);
  for (const params of [{}, { name: 7 }, { name: "whoami", arguments: [] }]) {
    await owner.post(TOOL_SERVER, message(params)).expect(401);
  }
});

test("malformed requests get 4xx, and nothing happens", async () => {
  const { owner } = await world();
  const raw = (body: string, headers: Record<string, string> = {}) =>
    owner.call("POST", TOOL_SERVER, undefined, {
      raw: body,
      headers: { "content-type": "application/json", ...headers },
    });
  const call = (params: string, more = "") =>
    `{"jsonrpc":"2.0","id":1${more},"method":"tools/call","params":${params}}`;
  for (const body of [
    "",
    "{",
    "[]",
    "1",
    "{}",
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    `{"jsonrpc":"2.0","id":"${"x".repeat(10_000)}","method":"tools/list"}`,
    `[${Array(100).fill('{"jsonrpc":"2.0","id":1,"method":"tools/list"}').join()}]`,
    `${"[".repeat(100_000)}`,
    call(`{"name":"whoami","arguments":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`),
    call(`{"name":"create_issue","arguments":{"project":"WEB","title":"\\u0000"}}`),
  ]) {
    const reply = await raw(body);
    expect(reply.status, body.slice(0, 80)).toBeGreaterThanOrEqual(400);
    expect(reply.status, body.slice(0, 80)).toBeLessThan(500);
  }
  for (const params of [
    "{}",
    '{"name":7}',
    '{"name":"whoami","arguments":[]}',
    '{"name":"constructor","arguments":{}}',
    '{"name":"__proto__","arguments":{}}',
  ]) {
    const reply = await raw(call(params));
    expect(reply.status).toBeLessThan(500);
    expect(reply.body.error, params).toMatchObject({ code: -32602 });
  }
  for (const given of [
    '{"project":"WEB","title":{"toString":1}}',
    '{"project":"__proto__","title":"x"}',
    '{"project":"WEB","__proto__":{"title":"x"}}',
    '{"project":"WEB","title":"x","idempotency_key":7}',
  ]) {
    const { body } = await raw(call(`{"name":"create_issue","arguments":${given}}`));
    expect(body.result.isError, given).toBe(true);
  }
  await raw(call('{"name":"whoami"}'), { "mcp-protocol-version": "1999-01-01" }).expect(400);
  await raw('{"jsonrpc":"2.0","method":"notifications/initialized"}').expect(202);
  expect((await owner.get("P/issues")).body.data).toEqual([]);
});

test("hostile requests do not hold the event loop", { timeout: 60_000 }, async () => {
  const here = await world();
  const { config } = await app();
  const web = await startWatched(config);
  const post = (body: string) =>
    fetch(web.url + TOOL_SERVER, {
      method: "POST",
      headers: { authorization: `Bearer ${here.owner.key}`, "content-type": "application/json" },
      body,
    }).then((reply) => reply.text());
  const call = (given: object) =>
    post(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "call_operation", arguments: given },
      }),
    );
  try {
    await expectShortTurns(web, "a batch", () =>
      post(`[${Array(20_000).fill('{"jsonrpc":"2.0","id":1,"method":"x"}')}]`),
    );
    await expectShortTurns(web, "many arguments", () =>
      call({
        operation: "createIssue",
        body: Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`f${n}`, n])),
      }),
    );
    await expectShortTurns(web, "a long query", () => call({ operation: "x".repeat(900_000) }));
    await expectShortTurns(web, "a search with many words", () =>
      post(
        JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "find_operation", arguments: { query: "a ".repeat(400_000) } },
        }),
      ),
    );
  } finally {
    await web.kill();
  }
});

test("the documentation lists every tool", async () => {
  const { owner } = await world();
  const { body } = await send(owner, "tools/list").expect(200);
  const docs = readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8");
  const listed = [...docs.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, name, title]) => ({ name, title }));
  expect(listed).toEqual(
    body.result.tools.map(({ name, title }: { name: string; title: string }) => ({ name, title })),
  );
});
