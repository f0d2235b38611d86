import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import { type Process, startProcess } from "../support/process.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/** Web processes that are killed while a message is streamed through them. */

const PARTS = 400;
const KILLS = 4;

const running: Process[] = [];
afterAll(() => Promise.all(running.map((process) => process.kill())));

async function startWeb() {
  const web = await startProcess("web", (await app()).config);
  running.push(web);
  return web;
}

type Reply = { data?: { message_id: string; seq: number; done: boolean }; code?: string };

/** Sends a part to a process. Returns the reply's body; null if no reply came. */
async function send(
  { owner, app }: World,
  web: Process,
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Reply | null> {
  const url = web.url + owner.url(path).slice(app.baseUrl.length);
  const headers = { authorization: `Bearer ${owner.key}`, "content-type": "application/json" };
  try {
    const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null });
    return (await reply.json()) as Reply;
  } catch {
    return null;
  }
}

test("a killed web process loses no part that it acknowledged, and readers hear each part at most once, in order", {
  timeout: 120_000,
}, async () => {
  const here = await world();
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  const random = seeded(seed);
  const reader = await here.as({ role: "viewer" });
  const id = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data.id;
  const path = `W/chat/channels/${id}/messages/stream`;
  const [steady, spare] = await Promise.all([startWeb(), startWeb()]);
  let shaky = spare;
  const listening = [await listen(here, reader, id, steady.url), await listen(here, reader, id, shaky.url)];

  const parts = Array.from({ length: PARTS }, (_, n) => `${n} `);
  const opened = await send(here, steady, path, { delta: parts[0], client_id: "one" });
  const message_id = opened!.data!.message_id;
  let acknowledged = 0;
  let kills = 0;
  while (acknowledged < PARTS - 1) {
    const from = acknowledged + 1;
    const batch = Array.from({ length: 1 + random.below(8) }, (_, n) => from + n).filter((n) => n < PARTS);
    const sent = [...batch, ...batch.filter(() => random.below(5) === 0)].sort(() => random.below(3) - 1);
    const killAt = Math.ceil(((kills + 1) * PARTS) / (KILLS + 1));
    const replies = sent.map((seq) => {
      // One in ten breaks off before it has read the reply.
      const signal = random.below(10) === 0 ? AbortSignal.timeout(random.below(5)) : undefined;
      return send(here, random.below(2) ? steady : shaky, path, { message_id, seq, delta: parts[seq] }, signal);
    });
    if (kills < KILLS && acknowledged >= killAt - 8) {
      await sleep(random.below(10));
      kills++;
      await shaky.kill();
    }
    for (const reply of await Promise.all(replies)) {
      if (reply?.data) acknowledged = Math.max(acknowledged, reply.data.seq);
      else if (reply) expect(reply.code).toBe("stream_gap");
    }
    if (shaky.child.signalCode !== null) {
      // What was acknowledged before the kill is there.
      const [message] = (await here.owner.get(`W/chat/channels/${id}/messages`).expect(200)).data;
      expect(message.seq, `FUZZ_SEED=${seed}`).toBeGreaterThanOrEqual(acknowledged);
      expect(message.body_md).toBe(parts.slice(0, message.seq + 1).join(""));
      shaky = await startWeb();
      listening.push(await listen(here, reader, id, shaky.url));
    }
  }
  expect(kills).toBe(KILLS);
  const done = await send(here, shaky, path, { message_id, seq: PARTS, done: true });
  expect(done?.data).toMatchObject({ seq: PARTS, done: true });
  const [message] = (await here.owner.get(`W/chat/channels/${id}/messages`).expect(200)).data;
  expect(message.body_md, `FUZZ_SEED=${seed}`).toBe(parts.join(""));

  const [first, ...others] = listening;
  const whole = others.at(-1)!;
  for (const { until } of [first!, whole]) await until(({ event }) => event === "chat.message.updated");
  for (const { frames } of listening) {
    const deltas = frames.filter(({ event }) => event === "chat.message.delta").map(({ data }) => data);
    const numbers = deltas.map(({ seq }) => Number(seq));
    for (const [n, seq] of numbers.entries())
      if (n > 0) expect(seq, `FUZZ_SEED=${seed}`).toBeGreaterThan(numbers[n - 1]!);
    for (const { seq, delta } of deltas) expect(delta).toBe(parts[Number(seq)] ?? "");
  }
  // The process that was never killed told its reader of every part, also of those that a killed one had stored.
  const heard = first!.frames.filter(({ event }) => event === "chat.message.delta");
  expect(heard.map(({ data }) => data.seq)).toEqual(Array.from({ length: PARTS + 1 }, (_, n) => n));
  for (const one of listening) one.stop();
});
