import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { callTool, failTool, toolNames, useTool } from "../support/tools.ts";
import { type World, world } from "../support/world.ts";

/** The tools: what each does, for both official clients over HTTP. */

async function connect(here: World, key: string) {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const address = new URL(`${here.app.baseUrl}/api/mcp/v1`);
  const newest = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await newest.connect(new StreamableHTTPClientTransport(address, options));
  const newer = new Client({ name: "test", version: "1" });
  await newer.connect(new StreamableHTTPClientTransport(address, options));
  const older = new OlderClient({ name: "test", version: "1" });
  await older.connect(new OlderTransport(address, options));
  return [newest, newer, older] as const;
}

test("both official clients list the tools and call them", async () => {
  const here = await world();
  for (const client of await connect(here, here.owner.key!)) {
    expect(client.getServerVersion()).toMatchObject({ name: "muster", title: "Muster" });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toContain("whoami");
    const { tools } = await client.listTools();
    expect(tools.length).toBeLessThanOrEqual(25);
    const result = await client.callTool({ name: "create_issue", arguments: { project: "WEB", title: "From a tool" } });
    expect(result.structuredContent).toMatchObject({ data: { title: "From a tool" } });
    expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toEqual(result.structuredContent);
    const refused = await client.callTool({ name: "get_issue", arguments: { issue: "WEB-999" } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "not_found", status: 404 } } });
    await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow(/unknown tool/i);
    await client.close();
  }
});

test("an agent does its work with tools", async () => {
  const here = await world();
  const agent = await here.as({ role: "member", isAgent: true, name: "Robin", kind: "agent" });
  const use = (name: string, given: object = {}) => useTool(agent, name, given);

  const me = await use("whoami");
  expect(me.data).toMatchObject({ workspace: { slug: here.workspace.slug }, agent: { name: "Robin" } });
  expect((await use("list_projects")).data).toMatchObject([{ key: "WEB" }]);
  const created = await use("create_issues", { project: "WEB", items: [{ title: "First" }, { title: "Second" }] });
  expect(created.data).toMatchObject([
    { ok: true, data: { key: "WEB-1" } },
    { ok: true, data: { key: "WEB-2" } },
  ]);
  const listed = await use("list_issues", { project: "WEB", status: ["todo", "backlog"], limit: 1 });
  expect(listed.data).toMatchObject([{ key: "WEB-1", title: "First" }]);
  const next = await use("list_issues", {
    project: "WEB",
    status: ["todo", "backlog"],
    cursor: listed.pagination.next_cursor,
  });
  expect(next.data).toMatchObject([{ key: "WEB-2" }]);

  const session = await use("start_session", { title: "Work", project: "WEB", issue_key: "next" });
  expect(session.data).toMatchObject({ issue_key: "WEB-1", state: "running" });
  const { id } = session.data;
  await use("update_session", { id, note: "Reading", plan: [{ text: "Read", status: "in_progress" }] });
  expect((await use("report_usage", { id, tokens_in: 1000, tokens_out: 10, model: "m" })).data).toMatchObject({
    tokens_in: 1000,
  });
  await use("update_issue", { issue: "web-1", priority: "urgent", description_md: "More" });
  expect((await use("get_issue", { issue: "WEB-1" })).data).toMatchObject({
    priority: "critical",
    description_md: "More",
  });
  await use("add_comment", { issue: "WEB-1", body_md: "Done soon" });
  expect((await use("list_comments", { issue: "WEB-1" })).data).toMatchObject([{ body_md: "Done soon" }]);
  await use("link_issues", { issue: "WEB-1", kind: "blocks", target_key: "WEB-2" });
  expect((await use("transition_issue", { issue: "WEB-1", status: "done" })).data).toMatchObject({ status: "done" });
  await use("update_session", { id, state: "done", summary: "All done" });

  const doc = await use("create_doc", { title: "Runbook", project: "WEB", body_md: "# Start\n" });
  await use("update_doc", { id: doc.data.id, append: "Second line\n" });
  expect((await use("get_doc", { id: doc.data.id })).data).toMatchObject({ body_md: "# Start\nSecond line\n" });
  expect((await use("search", { q: "runbook" })).data).toMatchObject([{ type: "doc", id: doc.data.id }]);
  expect((await use("list_notifications", { unread: true })).data).toEqual([]);
});

test("an issue is named by its key, or by its id and its project", async () => {
  const { owner } = await world();
  await useTool(owner, "create_issue", { project: "WEB", title: "One" });
  const { data } = await useTool(owner, "get_issue", { issue: "WEB-1", fields: "id,title" });
  expect(Object.keys(data)).toEqual(["id", "title"]);
  expect((await useTool(owner, "get_issue", { issue: data.id, project: "WEB" })).data).toMatchObject({ title: "One" });
  const error = await failTool(owner, "get_issue", { issue: data.id });
  expect(error).toMatchObject({ code: "validation_failed", details: { errors: [{ path: "/project" }] } });
  expect(error.message).toContain("WEB-12");
});

test("a change with an idempotency key is made once, with a tool and over REST", async () => {
  const { owner } = await world();
  const given = { project: "WEB", title: "Once", idempotency_key: "k1" };
  const [first, again] = [await useTool(owner, "create_issue", given), await useTool(owner, "create_issue", given)];
  expect(again).toEqual(first);
  const rest = await owner.post("P/issues", { title: "Once" }, { headers: { "idempotency-key": "k1" } }).expect(201);
  expect(rest.body.data.key).toBe(first.data.key);
  expect(await failTool(owner, "create_issue", { ...given, title: "Other" })).toMatchObject({
    code: "idempotency_key_reused",
    status: 409,
  });
  expect((await owner.get("P/issues")).body.data).toHaveLength(1);
});

test("an agent finds, reads about and calls any operation", async () => {
  const { owner } = await world();
  const found = await useTool(owner, "find_operation", { query: "create a milestone" });
  expect(found.data[0]).toMatchObject({ operation: "createMilestone", method: "POST" });
  const { data } = await useTool(owner, "describe_operation", { operation: "createMilestone" });
  expect(data).toMatchObject({ path: expect.stringContaining("{key}"), returns: { fields: expect.any(Array) } });
  const made = await useTool(owner, "call_operation", {
    operation: "createMilestone",
    path: { key: "WEB" },
    body: data.example.body,
  });
  const listed = await useTool(owner, "call_operation", { operation: "listMilestones", path: { key: "WEB" } });
  expect(listed.data).toMatchObject([{ id: made.data.id }]);
});

test("mistakes in a call are told with what to do", async () => {
  const { owner } = await world();
  const fail = (name: string, given: object) => failTool(owner, name, given);
  expect(await fail("create_issue", { project: "WEB", titel: "x" })).toMatchObject({
    code: "unknown_field",
    details: { did_you_mean: "title" },
  });
  expect(await fail("list_issues", { project: "WEB", statsu: "x" })).toMatchObject({ code: "unknown_parameter" });
  expect(await fail("list_issues", { project: 7 })).toMatchObject({ code: "validation_failed" });
  expect(await fail("call_operation", { operation: "createMilestones" })).toMatchObject({
    message: expect.stringContaining("createMilestone?"),
  });
  expect(await fail("call_operation", { operation: "getMe", params: {} })).toMatchObject({
    message: expect.stringContaining("idempotency_key"),
  });
  expect(await fail("call_operation", { operation: "getIssue", path: { key: "WEB", number: "1" } })).toMatchObject({
    message: expect.stringContaining("{issueKey}"),
  });
  expect(await fail("call_operation", { operation: "getAgentEventListen" })).toMatchObject({
    message: expect.stringContaining("HTTP client"),
  });
  expect(await fail("buy_credits", { pack: "huge" })).toMatchObject({ message: expect.stringContaining("small") });
});

test("the error for a missing issue or project names the argument and what to send", async () => {
  const { owner } = await world();
  const fail = async (name: string, given: object) => (await failTool(owner, name, given)).message;
  expect(await fail("get_issue", {})).toBe("issue is required: its key, such as WEB-12.");
  expect(await fail("create_issue", { title: "x" })).toBe("project is required: its key, such as WEB.");
  expect(await fail("describe_operation", { operation: "createmilestone" })).toMatch(/Did you mean createMilestone\?$/);
  expect(await fail("describe_operation", { operation: "nothing like it" })).toMatch(/ finds them\.$/);
});

test("operations are found by questions and by the fields of their bodies", async () => {
  const here = await world();
  const find = async (query: string) => {
    const { data } = await useTool(here.owner, "find_operation", { query });
    return data.map(({ operation }: { operation: string }) => operation).slice(0, 4);
  };
  expect(await find("how do I assign someone to an issue")).toContain("patchIssue");
  expect(await find("what is the usage of a key")).toContain("getApiKeyUsage");
  const reader = await here.keyFor(here.owner, { scopes: ["read"] });
  expect(await useTool(reader, "find_operation", { query: "webhook" })).toMatchObject({
    data: [],
    hint: expect.stringContaining("scopes and role"),
  });
});

test("the list of tools shows what scopes and role allow", async () => {
  const here = await world();
  const reader = await here.keyFor(here.owner, { scopes: ["read"] });
  const member = await here.as({ role: "member", scopes: ["read", "write"] });
  const guest = await here.as({ role: "guest", projectRole: "member", scopes: ["read", "write"] });
  const all = await toolNames(here.owner);
  expect(all).toHaveLength(25);
  const writing = ["create_issue", "update_issue", "add_comment", "start_session", "create_doc", "buy_credits"];
  expect(await toolNames(reader)).not.toEqual(expect.arrayContaining([expect.stringMatching(writing.join("|"))]));
  expect(await toolNames(member)).toEqual(all.filter((name) => name !== "buy_credits"));
  const ofGuest = await toolNames(guest);
  expect(ofGuest).toContain("create_issue");
  expect(ofGuest).not.toContain("update_issue");
  const found = await useTool(reader, "find_operation", { query: "create webhook" });
  expect(found.data.map(({ operation }: { operation: string }) => operation)).not.toContain("createWebhook");
  expect(await failTool(reader, "call_operation", { operation: "createWebhook", body: {} })).toMatchObject({
    code: "insufficient_scope",
    details: { required_scope: "webhooks:write" },
  });
  expect((await callTool(reader, "whoami")).isError).toBeUndefined();
});

test("JSON that is stored as sent keeps its numbers", async () => {
  const { owner } = await world();
  const numbers = "[12345678901234567890,1e999,-0]";
  const call = (name: string, given: string) =>
    owner.call("POST", "/api/mcp/v1", undefined, {
      raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`,
      headers: { "content-type": "application/json" },
    });
  await call("create_doc", `{"title":"A","body_json":${numbers}}`).expect(200);
  await call("call_operation", `{"operation":"createDoc","body":{"title":"B","body_json":${numbers}}}`).expect(200);
  const docs = await owner.get("W/docs").expect(200);
  for (const { id } of docs.body.data)
    expect((await owner.get(`W/docs/${id}`)).text).toContain(`"body_json":${numbers}`);
  expect(docs.body.data).toHaveLength(2);
});
