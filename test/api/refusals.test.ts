import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { unwrap } from "../../src/api/engine/bounds.ts";
import { ALIASES } from "../../src/api/engine/normalise.ts";
import { operationIdOf } from "../../src/api/openapi/operation-id.ts";
import { operations } from "../../src/api/operations/index.ts";
import { whereToFind } from "../../src/domain/kernel/where-to-find.ts";
import { synonyms } from "../../src/domain/kernel/wire.ts";
import { EVENT_ALIASES } from "../../src/domain/webhook-events.ts";
import { exampleOf, pathOf, queried } from "../contract/examples.ts";
import { world } from "../support/world.ts";

/** The text of a refusal says what is wrong and what to do next. */

test("the text names up to three errors, and how many more there are", async () => {
  const { owner } = await world();
  const two = await owner.post("P/issues", { title: "", priority: "huge" }).expect(400, "validation_failed");
  expect(two.body.detail).toBe(
    "title must have at least 1 character. priority must be one of lowest, low, medium, high, highest, critical.",
  );
  expect(two.body.error.message).toBe(two.body.detail);
  const wrong = { title: "", priority: "huge", type: "x", story_points: -1, labels: 3 };
  const { body } = await owner.post("P/issues", wrong).expect(400, "validation_failed");
  expect(body.error.details.errors).toHaveLength(5);
  expect(body.detail).toMatch(/^type must .*\. title must .*\. priority must .*\. And 2 more: see errors\.$/);
});

test("an unknown field suggests the same word in another style, its synonym, or the field that is missing", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const { data: session } = await owner.post("W/agent-sessions", { title: "x" }).expect(201);
  const usage = `W/agent-sessions/${session.id}/usage`;
  for (const [path, body, meant] of [
    ["P/issues", { name: "x" }, "title"],
    ["P/issues", { titel: "x" }, "title"],
    ["P/issues", { whatever: "x" }, "title"],
    ["P/issues", { title: "x", estimate: 3 }, "estimate_minutes"],
    ["P/issues", { title: "x", points: 3 }, "story_points"],
    ["P/issues", { title: "x", storyPoints: 3 }, "story_points"],
    ["P/issues", { title: "x", sprint: "y" }, "sprint_id"],
    ["P/issues", { title: "x", tags: [] }, "labels"],
    ["P/issues", { title: "x", due_date: "2026-01-01" }, "due_at"],
    ["P/issues", { nope: 1 }, undefined],
    ["P/issues", { title: "x", desc: "y" }, "description_md"],
    ["P/issues", { title: "x", time_estimate: 3 }, "estimate_minutes"],
    ["P/sprints", { name: "x", starts: "2026-01-01" }, "start_at"],
    ["P/sprints", { name: "x", finish: "2026-01-01" }, "end_at"],
    ["P/releases", { name: "1", release_date: "2026-01-01" }, "target_date"],
    ["W/agent-sessions", { key: "WEB-1" }, "issue_key"],
    ["P/issues/WEB-1/links", { kind: "blocks", issue: "WEB-1" }, "target_key"],
    ["W/workflows", { name: "x", steps: [] }, "nodes"],
    ["W/workflows", { name: "x", edges: [{ id: "1", from: "a", target_node_id: "b" }] }, "source_node_id"],
    ["W/workflows", { name: "x", edges: [{ id: "1", source_node_id: "a", to: "b" }] }, "target_node_id"],
    ["P/issues", { title: "x", nope: 1 }, undefined],
    ["P/issues", { title: "x", size: 1 }, undefined],
    ["P/issues/bulk", { issues: [] }, "items"],
    ["P/issues/WEB-1/comments", { text: "x" }, "body_md"],
    ["P/issues/WEB-1/attachments", { filename: "x", byte_size: 1, mime: "text/plain" }, "file_name"],
    ["P/issues/WEB-1/attachments", { file_name: "x", size: 1, mime: "text/plain" }, "byte_size"],
    [usage, { input_tokens: 1 }, "tokens_in"],
    [usage, { completion_tokens: 1 }, "tokens_out"],
    ["P/sprints", { title: "x" }, "name"],
  ] as const) {
    const what = JSON.stringify(body);
    const reply = await owner.post(path, body).expect(400, "unknown_field");
    expect(reply.body.error.details.did_you_mean, what).toBe(meant);
    if (meant) expect(reply.body.detail, what).toContain(`Did you mean ${meant}?`);
    else expect(reply.body.detail, what).not.toContain("Did you mean");
  }
  const { body } = await owner.post("P/labels", { name: "x", nope: 1 }).expect(400, "unknown_field");
  expect(body.detail).toBe("nope is not a field of this call. The call takes color, description.");
});

test("the text suggests a value of an enum and of fields=, and has what is missing first", async () => {
  const { owner } = await world();
  const wrong = await owner.post("P/issues", { title: "x", type: "tsak" }).expect(400, "validation_failed");
  expect(wrong.body.detail).toMatch(/^type must be one of .*\. Did you mean task\?$/);
  const fields = await owner.get("P/issues?fields=key,titel").expect(400, "invalid_parameter");
  expect(fields.body.detail).toBe("fields: there is no field titel. Did you mean title?");
  const many = await owner.post("P/issues", { a1: 1, b2: 1, c3: 1, d4: 1 }).expect(400, "unknown_field");
  expect(many.body.detail).toMatch(/^title is required\./);
});

test("the text says what to send if no value of an enum, no event, no report or no person is meant", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  for (const call of [
    owner.post("P/issues", { title: "x", status: "Doing" }),
    owner.patch("P/issues/WEB-1", { status: "Doing" }),
    owner.post("P/issues/WEB-1/transition", { status: "Doing" }),
  ]) {
    const { body } = await call.expect(400, "validation_failed");
    expect(body.detail).toMatch(/^status must be one of .*\. To name one of several columns, send its id in status_id/);
  }
  const event = await owner.post("W/webhooks", { url: "https://example.com", event_types: ["issue.finished.late"] });
  expect(event.body.detail).toBe("issue.finished.late is not an event. /docs lists all events.");
  const report = await owner.get("P/reports/happiness").expect(404, "unknown_report");
  expect(report.body.detail).toMatch(/^This report does not exist\. The reports are velocity, burndown, /);
  const near = await owner.get("P/reports/troughput").expect(404, "unknown_report");
  expect(near.body.detail).toBe("This report does not exist. Did you mean throughput?");
  const person = await owner.get("P/issues?reporter=x").expect(400, "invalid_parameter");
  expect(person.body.detail).toMatch(/^reporter: x is not a user id, an e-mail address or me\. listMembers /);
  const zone = await owner.get("P/reports/throughput?tz=Mars").expect(400, "invalid_parameter");
  expect(zone.body.detail).toBe("tz must be a time zone (IANA), like Europe/Berlin.");
});

test("a reference that does not exist is quoted, with the calls that list and create its kind", async () => {
  const { owner } = await world();
  const { body } = await owner.post("P/issues", { title: "x", labels: ["nosuch"] }).expect(400, "invalid_reference");
  expect(body.detail).toMatch(
    /^labels\[0\]: nosuch does not exist here\. listLabels \(GET .*\/labels\) .* createLabel /,
  );
  const item = await owner.post("P/issues/bulk", { items: [{ title: "x", assignee: "no@example.com" }] }).expect(207);
  expect(item.data[0].error.message).toMatch(/^assignee: no@example\.com does not exist here\. listMembers \(GET /);

  const known = new Map(operations.map((one) => [operationIdOf(one), one]));
  const fields = ["labels", "assignee", "status", "sprint_id", "milestone_id", "release_id", "parent", "project"];
  for (const field of [...fields, "custom_field_id", "agent_id", "parent_goal_id", "portfolio_id", "workflow_id"]) {
    const text = whereToFind(`/items/0/${field}/1`) ?? "";
    const [, list = "", path, create] = /^(\w+) \(GET (\S+)\) lists what exists(?:, (\w+) |\.)/.exec(text) ?? [];
    expect(known.get(list), text).toMatchObject({ method: "GET", path });
    if (create) expect(known.get(create), text).toMatchObject({ method: "POST", path });
  }
});

test("405 names the methods, 403 the way to the scope, and 415 the type to send", async () => {
  const { owner, as } = await world();
  const method = await owner.call("PUT", "P/issues", {}).expect(405, "method_not_allowed");
  expect(method.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
  expect(method.body.detail).toBe("PUT does not work at this path. Its methods are GET, POST, HEAD, OPTIONS.");

  const reader = await as({ role: "member", scopes: ["issues:read"] });
  const scope = await reader.post("P/issues", { title: "x" }).expect(403, "insufficient_scope");
  expect(scope.body.detail).toContain("lacks the scope issues:write. Use a key that has it");
  expect(scope.body.detail).toContain("createApiKey");

  const type = { headers: { "content-type": "text/plain" } };
  const media = await owner.post("P/issues", "title=x", type).expect(415, "unsupported_media_type");
  expect(media.body.error.code).toBe("validation");
  expect(media.body.detail).toContain("text/plain");
  expect(media.body.detail).toContain("Content-Type: application/json");
});

test("a malformed If-Match is 400, and a stale one says the object's ETag and version", async () => {
  const { owner } = await world();
  const { data } = await owner.post("P/issues", { title: "x" }).expect(201);
  const change = (tag: string) => owner.patch(`P/issues/${data.key}`, { title: "y" }, { headers: { "if-match": tag } });
  for (const tag of ["abc", '"abc', 'W/abc, "x"', "3"]) {
    expect((await change(tag).expect(400, "invalid_parameter")).body.error.details).toEqual({ parameter: "If-Match" });
  }
  const { headers, body } = await change('"old"').expect(412, "precondition_failed");
  const now = await owner.get(`P/issues/${data.key}`).expect(200);
  expect(body.error.details).toEqual({ etag: headers.get("etag"), version: now.data.version });
  expect(headers.get("etag")).toBe(now.headers.get("etag"));
  await change(`"old", ${headers.get("etag")}`).expect(200);
});

test("another name of a field is taken with a warning, unless replies show it, and the list of names is published", async () => {
  const { owner } = await world();
  const made = await owner.post("P/issues", { title: "x", description: "Text", assignee_id: "me" }).expect(201);
  expect(made.data.description_md).toBe("Text");
  expect(made.body.warnings).toEqual([
    expect.objectContaining({ code: "other_name", path: "/description", did_you_mean: "description_md" }),
  ]);
  const plain = await owner.patch(`P/issues/${made.data.key}`, { description_md: "New", parent_id: null }).expect(200);
  expect(plain.body.warnings).toBeUndefined();
  const key = { headers: { "idempotency-key": "1" } };
  const first = await owner.post("P/issues", { title: "y", description: "z" }, key).expect(201);
  expect((await owner.post("P/issues", { title: "y", description: "z" }, key).expect(201)).text).toBe(first.text);
  expect(first.headers.get("etag")).toBe((await owner.get(`P/issues/${first.data.key}`)).headers.get("etag"));
  const bulk = await owner.post("P/issues/bulk", { items: [{ title: "b", description: "c" }] }).expect(201);
  expect(bulk.body.warnings).toMatchObject([{ code: "other_name", index: 0, path: "/items/0/description" }]);

  const published = readFileSync("docs/other-names.md", "utf8");
  for (const [name, meant] of Object.entries(ALIASES)) expect(published).toContain(`| \`${name}\` | \`${meant}\` |`);
});

test("another word for a value is taken with a warning, and the list of words is published", async () => {
  const { owner } = await world();
  const made = await owner.post("P/issues", { title: "x", priority: "Urgent", status: "started" }).expect(201);
  expect(made.data).toMatchObject({ priority: "critical", status: "in_progress" });
  expect(made.body.warnings).toEqual([
    {
      code: "other_name",
      message: "Urgent is another name of critical. Send critical.",
      path: "/priority",
      did_you_mean: "critical",
    },
    expect.objectContaining({ code: "other_name", path: "/status", did_you_mean: "in_progress" }),
  ]);
  const spelled = await owner.post("P/issues", { title: "x", priority: "HIGH", status: "in-progress" }).expect(201);
  expect(spelled.body.warnings).toBeUndefined();
  const hook = { url: "https://example.com/hook", event_types: ["issue.created", "comment.added"] };
  const { body } = await owner.post("W/webhooks", hook).expect(201);
  expect(body.data.event_types).toEqual(["issue.created", "comment.created"]);
  expect(body.warnings).toMatchObject([
    { code: "other_name", path: "/event_types/1", did_you_mean: "comment.created" },
  ]);

  const published = readFileSync("docs/other-names.md", "utf8");
  const words = new Set(operations.flatMap(({ body, item, query }) => [body, item, query].flatMap(wordsOf)));
  expect(words.size).toBeGreaterThan(9);
  for (const [word, meant] of Object.entries(EVENT_ALIASES)) words.add(`| \`${word}\` | \`${meant}\` |`);
  for (const row of words) expect(published).toContain(row);
});

/** The rows of the table of other words for the enums in a schema. */
function wordsOf(schema: unknown): string[] {
  const seen = new Set<unknown>();
  const rows: string[] = [];
  const see = (part: unknown) => {
    if (typeof part !== "object" || part === null || seen.has(part)) return;
    seen.add(part);
    if (part instanceof z.ZodEnum) {
      for (const [word, meant] of Object.entries(synonyms.get(part) ?? {})) rows.push(`| \`${word}\` | \`${meant}\` |`);
    }
    const parts = part instanceof z.ZodObject ? part.shape : part instanceof z.ZodType ? part._zod.def : part;
    for (const one of Object.values(parts)) see(one);
  };
  see(schema);
  return rows;
}

test("an issue is read and changed by a path without its project", async () => {
  const { owner, as } = await world();
  const { data } = await owner.post("P/issues", { title: "x" }).expect(201);
  for (const ref of [data.key, data.key.toLowerCase(), data.id]) {
    expect((await owner.get(`W/issues/${ref}`).expect(200)).data).toEqual(data);
  }
  const { data: changed } = await owner.patch(`W/issues/${data.key}`, { title: "y" }).expect(200);
  expect(changed.title).toBe("y");
  for (const ref of ["WEB-99", "NOSUCH-1", "x", "0198c2a4-fb00-7c20-9d10-5f1d2b6c7a10"]) {
    const { body } = await owner.get(`W/issues/${ref}`).expect(404, "not_found");
    expect(body.detail).toContain(`The issue ${ref} does not exist`);
  }
  const guest = await as({ role: "guest" });
  await guest.get(`W/issues/${data.key}`).expect(404, "not_found");
  const other = await world();
  await other.owner.get(`W/issues/${data.id}`).expect(404, "not_found");
});

test("an issue is created in the project that its body names, or in the only one that the caller sees", async () => {
  const { owner, as, project } = await world();
  for (const named of [{ project: "web" }, { project: project.id }, { project_id: "WEB" }, {}, { project: null }]) {
    const { data } = await owner.post("W/issues", { ...named, title: "x" }).expect(201);
    expect(data).toMatchObject({ project_id: project.id, title: "x" });
  }
  expect((await owner.get("P/issues/WEB-5").expect(200)).data.title).toBe("x");
  const unknown = await owner.post("W/issues", { project: "NOSUCH", title: "x" }).expect(400, "invalid_reference");
  expect(unknown.body.detail).toContain("NOSUCH");

  const other = (await owner.post("W/projects", { name: "Operations", key: "OPS" }).expect(201)).data;
  const { body } = await owner.post("W/issues", { title: "x" }).expect(400, "validation_failed");
  expect(body.detail).toBe("project is required, because you see several projects: OPS, WEB.");
  expect(body.error.details.errors).toMatchObject([{ path: "/project", code: "required", allowed: ["OPS", "WEB"] }]);

  const guest = await as({ role: "guest", projectRole: "member" });
  expect((await guest.post("W/issues", { title: "From a guest" }).expect(201)).data.key).toBe("WEB-6");
  await guest.post("W/issues", { project: "OPS", title: "x" }).expect(400, "invalid_reference");
  const limited = await as({ role: "member", projectIds: [other.id] });
  expect((await limited.post("W/issues", { title: "By a limited key" }).expect(201)).data.key).toBe("OPS-1");
  await limited.post("W/issues", { project: "WEB", title: "x" }).expect(400, "invalid_reference");
  const viewer = await as({ role: "member", projectRole: "viewer" });
  await viewer.post("W/issues", { project: "WEB", title: "x" }).expect(403, "insufficient_role");
  const stranger = await as({ role: "guest" });
  const none = await stranger.post("W/issues", { title: "x" }).expect(400, "validation_failed");
  expect(none.body.detail).toBe("project is required, and you see no live project.");

  await owner.delete("W/projects/OPS").expect(200);
  await owner.post("W/issues", { project: "OPS", title: "x" }).expect(409, "archived");
  expect((await owner.post("W/issues", { title: "x" }).expect(201)).data.key).toBe("WEB-7");
});

const withoutInput = operations.filter(({ writes, body }) => writes && !body);

test("a call without input refuses fields, and takes an empty object", async () => {
  expect(withoutInput.length).toBeGreaterThan(30);
  for (const operation of withoutInput) {
    const here = await world();
    const params = (await exampleOf(operation).params?.(here)) ?? {};
    const path = pathOf(operation, here, params);
    const { body } = await here.owner.call(operation.method, path, { user_id: "x" }).expect(400, "unknown_field");
    expect(body.detail, operation.id).toBe("user_id is not a field of this call.");
  }
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  await owner.post("P/issues/WEB-1/watchers", {}).expect(200);
  await owner.delete("P/issues/WEB-1").expect(200);
  await owner.post("P/issues/WEB-1/restore", {}).expect(200);
});

const flags = operations.flatMap((operation) =>
  Object.entries(operation.query?.shape ?? {}).flatMap(([parameter, schema]) => {
    const inner = unwrap(schema as z.ZodType);
    const isFlag = inner instanceof z.ZodEnum && inner.options.includes("true");
    return isFlag ? [{ id: operation.id, parameter, operation }] : [];
  }),
);

test("there are parameters that are booleans", () => expect(flags.length).toBeGreaterThan(5));

test.each(flags)("$parameter of $id is true or false in any case, or 1 or 0", async ({ operation, parameter }) => {
  const here = await world();
  const params = (await exampleOf(operation).params?.(here)) ?? {};
  const call = (value: string) => {
    const query = operation.method === "GET" ? queried(operation, here, params) : `${pathOf(operation, here, params)}?`;
    return here.owner.call(operation.method, `${query}${parameter}=${value}`);
  };
  const { body } = await call("maybe").expect(400, "invalid_parameter");
  expect(body.detail).toContain("true, false");
  const values = operation.method === "GET" ? ["true", "FALSE", "True", "1", "0"] : ["1"];
  for (const value of values) expect((await call(value)).status).toBe(operation.status);
});
