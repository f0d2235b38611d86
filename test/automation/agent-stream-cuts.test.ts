import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { agentIn, listenToAgent, numbersIn, openStream, sendFrames, storeFrames } from "../support/agent-stream.ts";
import { type CuttingProxy, startCuttingProxy } from "../support/cutting-proxy.ts";
import { type World, world } from "../support/world.ts";

/** Event streams that end: cut connections, slow readers, revoked keys, processes that stop. */

const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function anotherWeb({ app }: World) {
  const web = await startWeb(app.config);
  return { base: `http://127.0.0.1:${web.port}`, stop: () => web.stop() };
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, n) => from + n);

test("a revoked key's streams end within a second in every process, and say why", { timeout: 60_000 }, async () => {
  const here = await world();
  const other = await anotherWeb(here);
  stops.push(other.stop);
  const [bot, neighbour] = [await agentIn(here), await agentIn(here)];
  const { data } = await here.owner
    .post("W/api-keys", { name: "Bot 2", agent_name: "Bot 2", scopes: ["write"] })
    .expect(201);
  const client = { key: data.plaintext ?? data.key ?? data.secret } as typeof bot.client;
  const streams = [await listenToAgent(here, client), await listenToAgent(here, client, { base: other.base })];
  const bystander = await listenToAgent(here, neighbour.client);
  await here.owner.delete(`W/api-keys/${data.id}`).expect(200);
  const revokedAt = Date.now();
  await Promise.all(streams.map(({ ended }) => ended));
  expect(Date.now() - revokedAt).toBeLessThan(1_000);
  for (const { frames } of streams) {
    expect(frames.at(-1)).toMatchObject({ event: "stream.closed", data: { reason: "key_revoked" } });
  }
  await sendFrames(here, neighbour.id, [1]);
  await bystander.until(({ data }) => data.data?.n === 1);
  bystander.stop();
  const refused = await openStream(here, client);
  expect(refused.reply.status).toBe(401);
});

test("a stream ends when its key expires, and says why", async () => {
  const here = await world();
  const bot = await agentIn(here);
  await here.sql(`update api_key set expires_at = now() + interval '1.5 seconds' where user_id = $1`, [bot.id]);
  const stream = await listenToAgent(here, bot.client);
  const began = Date.now();
  await stream.ended;
  expect(Date.now() - began).toBeLessThan(5_000);
  expect(stream.frames.at(-1)).toMatchObject({ event: "stream.closed", data: { reason: "key_revoked" } });
});

test("a stream ends at the new end of a key whose expiry is moved", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const stream = await listenToAgent(here, bot.client);
  const expires_at = new Date(Date.now() + 1_000).toISOString();
  const { data } = await here.owner.get("W/api-keys").expect(200);
  const { id } = data.find(({ agent_id }: { agent_id: string | null }) => agent_id === bot.id);
  await here.owner.patch(`W/api-keys/${id}`, { expires_at }).expect(200);
  await stream.ended;
  expect(Date.now() - Date.parse(expires_at)).toBeLessThan(3_000);
  expect(stream.frames.at(-1)).toMatchObject({ event: "stream.closed", data: { reason: "key_revoked" } });
});

test("the streams of a paused agent stay open", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const stream = await listenToAgent(here, bot.client);
  await here.owner.patch(`W/agents/${bot.id}`, { paused: true }).expect(200);
  await sleep(300);
  await sendFrames(here, bot.id, [1]);
  await stream.until(({ data }) => data.data?.n === 1);
  (await listenToAgent(here, bot.client)).stop();
  stream.stop();
});

test("what is sent while the caller is checked waits for the check", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const stream = await listenToAgent(here, bot.client);
  const { publish } = here.app.resources.ports;
  for (const n of upTo(20)) {
    publish(`access:${here.workspace.id}`, n % 2 === 0 ? bot.id : "");
    await sendFrames(here, bot.id, [n]);
  }
  await stream.until(({ data }) => data.data?.n === 20);
  expect(numbersIn(stream.frames)).toEqual(upTo(20));
  stream.stop();
});

test("a client that does not read is cut off, and learns from where to resume", { timeout: 60_000 }, async () => {
  const here = await world();
  const bot = await agentIn(here);
  const url = `${here.app.baseUrl}/v1/workspaces/${here.workspace.slug}/agent-events`;
  const call = get(url, { headers: { authorization: `Bearer ${bot.client.key}` } });
  const [reply] = (await once(call, "response")) as [IncomingMessage];
  await once(reply, "readable");
  await sleep(200);
  // More than the sockets' buffers take.
  for (const n of upTo(40)) {
    await sendFrames(here, bot.id, upTo(10, (n - 1) * 10 + 1), { text: "x".repeat(60_000) });
  }
  await sleep(500);
  let text = "";
  reply.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  await once(reply, "end");
  const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);
  const last = /event: stream\.closed\ndata: (.*)\n\n$/.exec(text);
  expect(JSON.parse(last![1]!)).toEqual({ reason: "too_slow", last_event_id: ids.at(-1) });
  expect(ids.length).toBeLessThan(400);
  const rest = await listenToAgent(here, bot.client, { lastEventId: ids.at(-1)! });
  await rest.until(({ data }) => data.data?.n === 400, 40_000);
  expect(numbersIn(rest.frames)).toEqual(upTo(400 - ids.length, ids.length + 1));
  rest.stop();
});

test("a process that stops tells clients to connect again", { timeout: 60_000 }, async () => {
  const here = await world();
  const other = await anotherWeb(here);
  const bot = await agentIn(here);
  const streams = [];
  for (let n = 0; n < 5; n++) streams.push(await listenToAgent(here, bot.client, { base: other.base }));
  const [sent] = await sendFrames(here, bot.id, [1]);
  await Promise.all(streams.map(({ until }) => until(({ data }) => data.data?.n === 1)));
  const stopped = other.stop();
  for (const { ended, frames } of streams) {
    expect(await ended).toBe(true);
    const last_event_id = /^id: (.*)$/m.exec(sent!.text)![1]!;
    expect(frames.at(-1)).toEqual({
      id: null,
      event: "stream.closing",
      data: { reason: "closing", last_event_id },
    });
  }
  await stopped;
  expect(await here.sql(`select from agent_presence where agent_id = $1`, [bot.id])).toEqual([]);
});

/** Listens through a proxy until `count` events have come, and connects again whenever it cuts the connection. */
async function listenThrough(
  here: World,
  proxy: CuttingProxy,
  client: Parameters<typeof openStream>[1],
  count: number,
) {
  const seen = new Map<string, number>();
  const order: number[] = [];
  let lastEventId: string | undefined;
  let connects = 0;
  while (seen.size < count) {
    connects++;
    const base = proxy.url.replace(/\/$/, "");
    const stream = await openStream(here, client, {
      base,
      ...(lastEventId === undefined ? { query: "?since=2020-01-01" } : { lastEventId }),
    }).catch(() => null);
    if (!stream) continue;
    while (!(await Promise.race([stream.ended.then(() => true), sleep(20, false)]))) {
      if (stream.frames.filter(({ id }) => id !== null).length + seen.size >= count) break;
    }
    stream.stop();
    for (const { id, data } of stream.frames) {
      if (id === null) continue;
      lastEventId = id;
      if (!seen.has(id)) order.push(data.data.n);
      seen.set(id, data.data.n);
    }
  }
  return { order, connects };
}

test("behind a proxy that cuts connections an agent loses nothing", { timeout: 120_000 }, async () => {
  const here = await world();
  const bot = await agentIn(here);
  const proxy = await startCuttingProxy(here.app.baseUrl);
  stops.push(proxy.stop);
  const kinds = ["destroy", "reset", "end"] as const;
  proxy.plan(upTo(40).map((n) => ({ after: Math.round(900 + Math.random() * 4_000), kind: kinds[n % 3]!, ms: 0 })));
  const sending = (async () => {
    for (const n of upTo(300)) {
      // Some messages are lost on the way.
      await (n % 10 === 0 ? storeFrames : sendFrames)(here, bot.id, [n]);
      await sleep(5);
    }
  })();
  const { order, connects } = await listenThrough(here, proxy, bot.client, 300);
  await sending;
  expect(order).toEqual(upTo(300));
  expect(connects).toBeGreaterThan(20);
});

test("a broken connection to Redis loses nothing", { timeout: 60_000 }, async () => {
  const here = await world();
  const bot = await agentIn(here);
  const stream = await listenToAgent(here, bot.client);
  await sendFrames(here, bot.id, [1]);
  const redis = new Redis(here.app.config.REDIS_URL);
  await redis.call("client", "kill", "type", "pubsub");
  await storeFrames(here, bot.id, [2]);
  await sendFrames(here, bot.id, [3]);
  await stream.until(({ data }) => data.data?.n === 3);
  redis.disconnect();
  await sendFrames(here, bot.id, [4]);
  await stream.until(({ data }) => data.data?.n === 4);
  expect(numbersIn(stream.frames)).toEqual([1, 2, 3, 4]);
  stream.stop();
});
