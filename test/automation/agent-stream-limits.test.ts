import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { startWeb } from "../../src/start-web.ts";
import { agentIn, listenToAgent, openStream, sendFrames } from "../support/agent-stream.ts";
import { type World, world } from "../support/world.ts";

/** How many streams an agent may have and open, and how others see that it listens. */

const path = "W/agent-events";

const webs: Awaited<ReturnType<typeof startWeb>>[] = [];
afterAll(async () => {
  for (const web of webs) await web.stop();
});

/** Another web process of the same installation. Returns its address. */
async function anotherWeb({ app }: World): Promise<string> {
  const web = await startWeb(app.config);
  webs.push(web);
  return `http://127.0.0.1:${web.port}`;
}

const stopAll = (streams: { stop(): void; ended: Promise<unknown> }[]) =>
  Promise.all(
    streams.map(async ({ stop, ended }) => {
      stop();
      await ended;
    }),
  );

async function eventually(is: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(50)) if (await is()) return;
  expect(await is()).toBe(true);
}

test("the plan limits the streams of an agent in all web processes together", { timeout: 60_000 }, async () => {
  const here = await world({ plan: "pro" });
  const base = await anotherWeb(here);
  const [bot, other] = [await agentIn(here), await agentIn(here)];
  const open = [
    await listenToAgent(here, bot.client),
    await listenToAgent(here, bot.client, { base }),
    await listenToAgent(here, bot.client, { base }),
    await listenToAgent(here, bot.client),
    await listenToAgent(here, bot.client),
  ];
  const { headers, body } = await bot.client.get(path).expect(429, "too_many_streams");
  expect(headers.get("retry-after")).toBe("10");
  expect(body.error.details.limit).toBe(5);
  expect((await openStream(here, bot.client, { base })).reply.status).toBe(429);
  open.push(await listenToAgent(here, other.client));
  await stopAll(open.splice(1, 1));
  await eventually(async () => (await openStream(here, bot.client)).reply.status === 200);
  await stopAll(open);
});

test("of many clients that connect at the same time, as many as the plan allows are served", async () => {
  const here = await world({ plan: "pro" });
  const bot = await agentIn(here);
  const opened = await Promise.all(Array.from({ length: 25 }, () => openStream(here, bot.client)));
  const statuses = opened.map(({ reply }) => reply.status).sort();
  expect(statuses).toEqual([...Array(5).fill(200), ...Array(20).fill(429)]);
  await stopAll(opened);
});

test("an agent with a stream is online", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const online = async () => (await here.owner.get(`W/agents/${bot.id}`).expect(200)).data.online as boolean;
  expect(await online()).toBe(false);
  const streams = [await listenToAgent(here, bot.client), await listenToAgent(here, bot.client)];
  expect(await online()).toBe(true);
  await stopAll(streams.splice(0, 1));
  await sleep(200);
  expect(await online()).toBe(true);
  await stopAll(streams);
  await eventually(async () => !(await online()));
  expect(await here.sql(`select from agent_presence where agent_id = $1`, [bot.id])).toEqual([]);
});

test("streams of a process that was killed do not count for long", async () => {
  const here = await world({ plan: "free" });
  const bot = await agentIn(here);
  const killed = newId();
  await here.sql(`insert into stream_process (id, alive_until) values ($1, now() + interval '1 second')`, [killed]);
  await here.sql(`insert into agent_presence (agent_id, process_id, streams) values ($1, $2, 2)`, [bot.id, killed]);
  await bot.client.get(path).expect(429, "too_many_streams");
  await sleep(1_100);
  await stopAll([await listenToAgent(here, bot.client)]);
});

test("a key connects at most 60 times a minute, unless its connection was cut", { timeout: 60_000 }, async () => {
  const here = await world();
  const bot = await agentIn(here);
  let lastEventId: string | undefined;
  for (let n = 0; n < 70; n++) {
    const stream = await listenToAgent(here, bot.client, lastEventId === undefined ? {} : { lastEventId });
    await sendFrames(here, bot.id, [n]);
    lastEventId = (await stream.until(({ data }) => data.data?.n === n)).id!;
    await stopAll([stream]);
  }
  const kept = await openStream(here, bot.client, { lastEventId: lastEventId! });
  const statuses = new Map<number, number>();
  for (let n = 0; n < 61; n++) {
    const stream = await openStream(here, bot.client);
    statuses.set(stream.reply.status, (statuses.get(stream.reply.status) ?? 0) + 1);
    if (stream.reply.status === 429) expect(Number(stream.reply.headers.get("retry-after"))).toBeGreaterThan(0);
    await stopAll([stream]);
  }
  await sendFrames(here, bot.id, [100]);
  const { id } = await kept.until(({ data }) => data.data?.n === 100);
  await stopAll([kept]);
  const again = await openStream(here, bot.client, { lastEventId: id! });
  expect(again.reply.status).toBe(200);
  await stopAll([again]);
  // The first connect of all was none of a client that lost its connection.
  expect(Object.fromEntries(statuses)).toEqual({ 200: 59, 429: 2 });
});
