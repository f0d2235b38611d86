import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import { agentIn, listenToAgent, openStream } from "../support/agent-stream.ts";
import { app } from "../support/app.ts";
import { drain } from "../support/jobs.ts";
import { listen } from "../support/listen.ts";
import { world } from "../support/world.ts";

/** The served description in the hands of a client that validates what it sends and receives with JSON Schema 2020-12. */

// biome-ignore lint/suspicious/noExplicitAny: the description is read as clients read it
let description: any;
let ajv: Ajv2020;

beforeAll(async () => {
  const { baseUrl } = await app();
  description = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description, "openapi");
});

/** Whether the schema at a place of the description takes a value. */
function takes(place: readonly (string | number)[], value: unknown): boolean {
  const pointer = place.map((step) => encodeURIComponent(String(step).replaceAll("~", "~0").replaceAll("/", "~1")));
  return ajv.validate({ $ref: `openapi#/${pointer.join("/")}` } as AnySchema, value) as boolean;
}

const W = "/v1/workspaces/{slug}";
const P = `${W}/projects/{key}`;

const DAYS = ["2031-02-03", "2031-02-03T04:05:06Z", "2031-02-03T04:05:06.789+05:30"];
const NONSENSE = ["tomorrow", "2031-02-30", "2031-02-03T04:05:06", "20310203", ""];

test.each<[method: "post" | "patch", path: string, call: string, body: (at: string | null) => object]>([
  ["post", `${P}/issues`, "P/issues", (due_at) => ({ title: "Due", due_at })],
  ["post", `${P}/issues`, "P/issues", (start_at) => ({ title: "Starts", start_at })],
  ["patch", `${P}/issues/{issueKey}`, "P/issues/WEB-1", (due_at) => ({ due_at })],
  ["patch", P, "P", (target_at) => ({ target_at })],
  ["post", `${P}/milestones`, "P/milestones", (due_at) => ({ name: `Milestone ${due_at}`, due_at })],
  ["post", `${P}/sprints`, "P/sprints", (start_at) => ({ name: `Sprint ${start_at}`, start_at })],
  ["post", `${P}/releases`, "P/releases", (target_date) => ({ name: `Release ${target_date}`, target_date })],
  ["post", `${W}/goals`, "W/goals", (cycle_due_at) => ({ title: "Goal", cycle_due_at })],
  ["post", `${W}/api-keys`, "W/api-keys", (expires_at) => ({ name: "Key", scopes: ["read"], expires_at })],
])("the body of %s %s takes a day and an instant (%s)", async (method, path, call, body) => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "First" }).expect(201);
  const place = ["paths", path, method, "requestBody", "content", "application/json", "schema"];
  for (const at of [...DAYS, null]) {
    await owner.call(method.toUpperCase(), call, body(at)).expect(method === "post" ? 201 : 200);
    expect([at, takes(place, body(at))]).toEqual([at, true]);
  }
  for (const at of NONSENSE) {
    await owner.call(method.toUpperCase(), call, body(at)).expect(400);
    expect([at, takes(place, body(at))]).toEqual([at, false]);
  }
});

test.each<[path: string, call: string, name: string]>([
  [`${P}/issues`, "P/issues", "due_before"],
  [`${P}/issues`, "P/issues", "updated_since"],
  [`${W}/audit-log`, "W/audit-log", "since"],
  [`${W}/audit-log`, "W/audit-log", "until"],
])("a query of %s takes a day and an instant (%s, %s)", async (path, call, name) => {
  const { owner } = await world();
  const index = description.paths[path].get.parameters.findIndex((one: { name?: string }) => one.name === name);
  const place = ["paths", path, "get", "parameters", index, "schema"];
  for (const at of DAYS) {
    await owner.get(`${call}?${new URLSearchParams({ [name]: at })}`).expect(200);
    expect([at, takes(place, at)]).toEqual([at, true]);
  }
  for (const at of NONSENSE.slice(0, -1)) {
    await owner.get(`${call}?${new URLSearchParams({ [name]: at })}`).expect(400);
    expect([at, takes(place, at)]).toEqual([at, false]);
  }
});

test("where only a day is taken, the description says a day", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "First" }).expect(201);
  const body = ["paths", `${P}/issues/{issueKey}/time/entries`, "post", "requestBody", "content", "application/json"];
  const on = (spent_on: string) => ({ minutes: 1, spent_on });
  await owner.post("P/issues/WEB-1/time/entries", on("2026-01-05")).expect(201);
  await owner.post("P/issues/WEB-1/time/entries", on("2026-01-05T10:00:00Z")).expect(400);
  expect(takes([...body, "schema"], on("2026-01-05"))).toBe(true);
  expect(takes([...body, "schema"], on("2026-01-05T10:00:00Z"))).toBe(false);
});

test("no input says date-time where the API also takes a day", () => {
  const left: string[] = [];
  const walk = (value: unknown, path: string, isBranch: boolean) => {
    if (typeof value !== "object" || value === null) return;
    const { format } = value as { format?: string };
    if (format === "date-time" && !isBranch) left.push(path);
    for (const [name, inner] of Object.entries(value)) {
      if (!["example", "examples"].includes(name)) walk(inner, `${path}/${name}`, path.endsWith("/anyOf"));
    }
  };
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    if (name.endsWith("Input")) walk(schema, name, false);
  }
  for (const [path, calls] of Object.entries<Record<string, { parameters?: unknown; requestBody?: unknown }>>(
    description.paths,
  )) {
    for (const { parameters, requestBody } of Object.values(calls)) walk([parameters, requestBody], path, false);
  }
  expect(left).toEqual([]);
});

/** The place of the schema of a stream's events. */
const eventsOf = (path: string) => {
  const place = ["paths", path, "get", "responses", "200", "content", "text/event-stream", "schema"];
  return (frame: { id?: string | null; event: string; data: unknown }) => {
    const { id, ...others } = frame;
    return takes(place, id == null ? others : { id, ...others });
  };
};

const wrong = (frames: { event: string; data: unknown }[], takesEvent: (frame: never) => boolean) =>
  frames.filter((frame) => !takesEvent(frame as never));

test("the description takes every event of an agent's stream, and nothing else", async () => {
  const here = await world();
  const { owner } = here;
  const agent = await agentIn(here);
  const stream = await listenToAgent(here, agent.client);
  const since = new Date().toISOString();
  const { data: issue } = await owner.post("P/issues", { title: "Assigned", assignee: agent.id }).expect(201);
  const mention = `@[Bot](${agent.id})`;
  await owner.post(`P/issues/${issue.key}/comments`, { body_md: `${mention}, please` }).expect(201);
  await agent.client.post("W/agent-sessions", { title: "Work", issue_key: issue.key }).expect(201);
  await owner.post(`P/issues/${issue.key}/comments`, { body_md: "An answer" }).expect(201);
  await owner.patch(`P/issues/${issue.key}`, { assignee: null }).expect(200);
  const { data: channel } = await owner.post("W/chat/channels", { name: "Bots" }).expect(201);
  await owner.post(`W/chat/channels/${channel.id}/members`, { user_id: agent.id }).expect(201);
  await owner.post(`W/chat/channels/${channel.id}/messages`, { body_md: `Hello ${mention}` }).expect(201);
  await owner.patch(`W/agents/${agent.id}`, { paused: true }).expect(200);
  await drain();
  await stream.until(({ event }) => event === "agent.paused");
  const again = await openStream(here, agent.client, { query: `?since=${since}` });
  await again.until(({ event }) => event === "agent.paused");
  again.stop();
  stream.stop();
  const names = new Set(stream.frames.map(({ event }) => event));
  for (const name of ["stream.ready", "issue.assigned", "issue.unassigned", "mention.created", "agent_session.input"]) {
    expect(names).toContain(name);
  }
  expect(names).toContain("chat.message.created");
  const takesEvent = eventsOf(`${W}/agent-events`);
  expect(wrong([...stream.frames, ...again.frames], takesEvent)).toEqual([]);

  const assigned = stream.frames.find(({ event }) => event === "issue.assigned")!;
  for (const nonsense of [
    { ...assigned, event: "issue.vanished" },
    { ...assigned, data: JSON.stringify(assigned.data) },
    { ...assigned, data: { ...assigned.data, type: "issue.unassigned" } },
    { ...assigned, data: { ...assigned.data, timestamp: "yesterday" } },
    { event: "stream.ready", data: {} },
    { event: "stream.closed", data: { reason: "mood" } },
  ]) {
    expect([nonsense.event, takesEvent(nonsense)]).toEqual([nonsense.event, false]);
  }
  for (const reason of ["closing", "too_slow", "no_access", "key_revoked"]) {
    const end = { event: reason === "closing" ? "stream.closing" : "stream.closed", data: { reason } };
    expect(takesEvent(end)).toBe(true);
    expect(takesEvent({ ...end, data: { reason, last_event_id: assigned.id } })).toBe(true);
  }
});

test("the description takes every event of a channel's stream, and nothing else", async () => {
  const here = await world();
  const { owner } = here;
  const { data: channel } = await owner.post("W/chat/channels", { name: "General" }).expect(201);
  const stream = await listen(here, owner, channel.id);
  const messages = `W/chat/channels/${channel.id}/messages`;
  const { data: message } = await owner.post(messages, { body_md: "Hello" }).expect(201);
  await owner.patch(`${messages}/${message.id}`, { body_md: "Hello you" }).expect(200);
  await owner.post(`${messages}/${message.id}/reactions`, { emoji: "🎉" }).expect(200);
  const { data: open } = await owner.post(`${messages}/stream`, { delta: "Hel" }).expect(201);
  await owner.post(`${messages}/stream`, { message_id: open.message_id, seq: 1, delta: "lo", done: true }).expect(201);
  await owner.delete(`${messages}/${message.id}`).expect(200);
  await stream.until(({ event }) => event === "chat.message.deleted");
  const left = await here.as({ role: "member" });
  const closing = await listen(here, left, channel.id);
  await owner.delete(`W/members/${left.userId}`).expect(200);
  await closing.ended;
  stream.stop();
  const all = [...stream.frames, ...closing.frames];
  const names = [...new Set(all.map(({ event }) => event))].sort();
  expect(names).toEqual([
    ...["created", "deleted", "delta", "reactions", "updated"].map((change) => `chat.message.${change}`),
    ...["stream.closed", "stream.ready"],
  ]);
  const takesEvent = eventsOf(`${W}/chat/channels/{channelId}/stream`);
  expect(wrong(all, takesEvent)).toEqual([]);
  for (const name of names) expect([name, takesEvent({ event: name, data: { nothing: 1 } })]).toEqual([name, false]);
});

test("examples give planned dates as days", () => {
  const dates = /^(?:cycle_)?(?:start|due|end|target)_(?:at|date)$/;
  const found: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (dates.test(name) && typeof inner === "string") found.push(`${path}/${name} ${inner}`);
      else walk(inner, `${path}/${name}`);
    }
  };
  for (const [path, calls] of Object.entries<
    Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>
  >(description.paths)) {
    for (const { requestBody } of Object.values(calls)) {
      for (const { example } of Object.values(requestBody?.content ?? {})) walk(example, path);
    }
  }
  expect(found.length).toBeGreaterThan(3);
  expect(found.filter((one) => !/ \d{4}-\d\d-\d\d$/.test(one))).toEqual([]);
});
