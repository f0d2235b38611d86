import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { agentIn, listenToAgent, numbersIn, openStream, sendFrames, storeFrames } from "../support/agent-stream.ts";
import { world } from "../support/world.ts";

/** The event stream of agents: what it sends, and where it begins. */

const path = "W/agent-events";
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const HOUR = 3_600_000;

test("a stream begins with `stream.ready`, and then sends what happens", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await storeFrames(here, bot.id, [1]);
  const stream = await listenToAgent(here, bot.client);
  const { headers } = stream.reply;
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(headers.get("x-accel-buffering")).toBe("no");
  expect(headers.get("content-encoding")).toBeNull();
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
  expect(stream.collected.text).toMatch(/^retry: 3000\n\nevent: stream\.ready\ndata: .*\n\n$/);
  const nothing = { since: null, clamped: false, gap: false, replay_count: 0 };
  expect(stream.ready).toEqual({ agent_id: bot.id, ...nothing, server_time: expect.any(String) });

  const [sent] = await sendFrames(here, bot.id, [2]);
  const heard = await stream.until(({ data }) => data.data?.n === 2);
  expect(heard).toMatchObject({ event: "issue.assigned", data: { replayed: false, sequence: 2 } });
  expect(heard.id).toBe(heard.data.id);
  expect(stream.collected.text.endsWith(sent!.text)).toBe(true);
  stream.stop();
});

test("HEAD returns the headers, and leaves no stream open", async () => {
  const here = await world({ plan: "free" });
  const bot = await agentIn(here);
  for (let n = 0; n < 4; n++) {
    const { headers } = await bot.client.call("HEAD", path).expect(200);
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  }
  const stream = await listenToAgent(here, bot.client);
  stream.stop();
});

test("only agents have a stream, and `since` must be a time", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const member = await here.as({ role: "member", scopes: ["agents:read"] });
  await member.get(path).expect(403, "agent_key_required");
  await here.owner.get(path).expect(403, "agent_key_required");
  const unable = await here.keyFor(Object.assign(member, { userId: bot.id }), { scopes: ["issues:read"] });
  await unable.get(path).expect(403, "insufficient_scope");
  for (const since of ["yesterday", "2026-02-31", "1700000000"]) {
    await bot.client.get(`${path}?since=${since}`).expect(400, "invalid_parameter");
  }
  await bot.client.get(`${path}?limit=2`).expect(400, "unknown_parameter");
  await bot.client.get(`${path}?fields=id`).expect(400, "unknown_parameter");
});

test("`since` replays what was stored since then, in order, and goes on with what happens", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await storeFrames(here, bot.id, [1, 2, 3], { at: ago(3 * HOUR) });
  await storeFrames(
    here,
    bot.id,
    Array.from({ length: 120 }, (_, n) => n + 4),
    { at: ago(HOUR) },
  );
  const since = ago(2 * HOUR);
  const stream = await listenToAgent(here, bot.client, { query: `?since=${encodeURIComponent(since)}` });
  expect(stream.ready).toMatchObject({ since, clamped: false, gap: false, replay_count: 120 });
  await stream.until(({ data }) => data.data?.n === 123);
  await sendFrames(here, bot.id, [124]);
  await stream.until(({ data }) => data.data?.n === 124);
  expect(numbersIn(stream.frames)).toEqual(Array.from({ length: 121 }, (_, n) => n + 4));
  const replayed = stream.frames.filter(({ data }) => data.replayed).length;
  expect(replayed).toBe(120);
  stream.stop();
});

test("`since` goes back at most 24 hours, and a time to come replays nothing", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await storeFrames(here, bot.id, [1], { at: ago(24.5 * HOUR) });
  await storeFrames(here, bot.id, [2], { at: ago(23 * HOUR) });
  const old = await listenToAgent(here, bot.client, { query: "?since=2020-01-01" });
  expect(old.ready).toMatchObject({ clamped: true, gap: false, replay_count: 1 });
  expect(Date.parse(old.ready.since)).toBeGreaterThan(Date.now() - 24 * HOUR - 10_000);
  await old.until(({ data }) => data.data?.n === 2);
  expect(numbersIn(old.frames)).toEqual([2]);
  const later = await listenToAgent(here, bot.client, { query: "?since=2999-01-01T00:00:00Z" });
  expect(later.ready).toMatchObject({ since: "2999-01-01T00:00:00.000Z", replay_count: 0 });
  await sendFrames(here, bot.id, [3]);
  await later.until(({ data }) => data.data?.n === 3);
  expect(numbersIn(later.frames)).toEqual([3]);
  for (const stream of [old, later]) stream.stop();
});

test("`Last-Event-ID` resumes after that event, and wins over `since`", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const frames = await storeFrames(here, bot.id, [1, 2, 3, 4]);
  const lastEventId = /^id: (.*)$/m.exec(frames[1]!.text)![1]!;
  const stream = await listenToAgent(here, bot.client, { lastEventId, query: "?since=2020-01-01" });
  expect(stream.ready).toMatchObject({ since: null, clamped: false, gap: false, replay_count: 2 });
  await stream.until(({ data }) => data.data?.n === 4);
  expect(numbersIn(stream.frames)).toEqual([3, 4]);
  stream.stop();
});

test("an id that is not the agent's replays 24 hours and says so", async () => {
  const here = await world();
  const [bot, other] = [await agentIn(here), await agentIn(here)];
  await storeFrames(here, bot.id, [1, 2]);
  const [foreign] = await storeFrames(here, other.id, [9]);
  for (const lastEventId of [newId(), "nonsense", /^id: (.*)$/m.exec(foreign!.text)![1]!]) {
    const stream = await listenToAgent(here, bot.client, { lastEventId });
    expect(stream.ready).toMatchObject({ gap: true, replay_count: 2, since: expect.any(String) });
    await stream.until(({ data }) => data.data?.n === 2);
    expect(numbersIn(stream.frames)).toEqual([1, 2]);
    stream.stop();
  }
});

test("messages may be lost, doubled and in another order", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const streams = [await listenToAgent(here, bot.client), await listenToAgent(here, bot.client)];
  await sendFrames(here, bot.id, [1]);
  await storeFrames(here, bot.id, [2, 3]);
  const last = (n: number) => Promise.all(streams.map(({ until }) => until(({ data }) => data.data?.n === n)));
  // Nobody tells the process about these; it compares within seconds.
  await last(3);
  await sendFrames(here, bot.id, [4]);
  await storeFrames(here, bot.id, [5]);
  const { publishFrames } = await import("../../src/domain/automation/agent-events/live.ts");
  const sixth = await storeFrames(here, bot.id, [6]);
  publishFrames(here.app.resources.ports, bot.id, sixth);
  await last(6);
  publishFrames(here.app.resources.ports, bot.id, sixth);
  await sendFrames(here, bot.id, [7]);
  await last(7);
  for (const { frames, stop } of streams) {
    expect(numbersIn(frames)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    stop();
  }
});

test("frames that are not stored come once to those who listen, without an id", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const stream = await listenToAgent(here, bot.client);
  const { publishFrames } = await import("../../src/domain/automation/agent-events/live.ts");
  const text = `event: chat.message.created\ndata: {"data":{"n":1}}\n\n`;
  publishFrames(here.app.resources.ports, bot.id, [{ seq: null, project_id: null, text }]);
  const heard = await stream.until(({ event }) => event === "chat.message.created");
  expect(heard.id).toBeNull();
  stream.stop();
});

test("a key that is limited to projects gets their frames, and what is about the agent itself", async () => {
  const here = await world();
  const hidden = await here.hidden("OTH");
  const { id } = await agentIn(here);
  const person = await here.as({ role: "member" });
  const limited = await here.keyFor(Object.assign(person, { userId: id }), {
    scopes: ["agents:read"],
    projectIds: [here.project.id],
  });
  await storeFrames(here, id, [1], { projectId: here.project.id });
  await here.sql(`update project set scoped = false where id = $1`, [hidden.project.id]);
  await storeFrames(here, id, [2], { projectId: hidden.project.id });
  await storeFrames(here, id, [3], { name: "mention.created" });
  await storeFrames(here, id, [4], { name: "agent_session.updated" });
  const stream = await listenToAgent(here, limited, { query: `?since=${ago(HOUR)}` });
  await stream.until(({ data }) => data.data?.n === 4);
  await sendFrames(here, id, [5], { projectId: hidden.project.id });
  await sendFrames(here, id, [6], { projectId: here.project.id });
  await stream.until(({ data }) => data.data?.n === 6);
  expect(numbersIn(stream.frames)).toEqual([1, 4, 6]);
  stream.stop();
});

test("streams of other agents and of other workspaces hear nothing", async () => {
  const here = await world();
  const there = await here.other();
  const [bot, neighbour, stranger] = [await agentIn(here), await agentIn(here), await agentIn(there)];
  const streams = [await listenToAgent(here, neighbour.client), await listenToAgent(there, stranger.client)];
  await sendFrames(here, bot.id, [1]);
  await sleep(200);
  for (const { frames, stop } of streams) {
    expect(numbersIn(frames)).toEqual([]);
    stop();
  }
  const refused = await openStream(there, bot.client);
  expect(refused.reply.status).toBe(404);
});
