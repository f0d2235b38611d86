import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { configure } from "../support/app.ts";
import { type Frame, listen } from "../support/listen.ts";
import { world } from "../support/world.ts";

/** Streams whose connection to Redis breaks. They have a Redis of their own. */

const folder = mkdtempSync(join(tmpdir(), "muster-chat-"));
const servers = openProcesses(
  () => {},
  () => {},
);
let url = "";
beforeAll(async () => {
  url = await startRedis(servers, { folder, port: await freePort(), durable: false, say: () => {} });
  configure({ REDIS_URL: url });
});
afterAll(async () => {
  await servers.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

test("a reader reconnects after messages may have been lost", { timeout: 30_000 }, async () => {
  const here = await world();
  const { id } = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data;
  const heard = await listen(here, here.owner, id);
  const redis = new Redis(url);
  expect(await redis.call("client", "kill", "type", "pubsub")).toBeGreaterThan(0);
  redis.disconnect();
  await heard.ended;
  expect(heard.frames.at(-1)).toEqual({ event: "stream.closing", data: { reason: "closing" } });
  const again = await listen(here, here.owner, id);
  await here.owner.post(`W/chat/channels/${id}/messages`, { body_md: "1" }).expect(201);
  await again.until(({ data }) => data.body_md === "1");
  again.stop();
});

/** Freezes Redis. Returns what ends that. */
async function freeze(): Promise<() => void> {
  const redis = new Redis(url);
  const pid = Number(/process_id:(\d+)/.exec(await redis.info("server"))![1]);
  redis.disconnect();
  process.kill(pid, "SIGSTOP");
  return () => process.kill(pid, "SIGCONT");
}

test("a stream is not ready before it hears messages", { timeout: 60_000 }, async () => {
  const here = await world();
  const id = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data.id;
  const thaw = await freeze();
  const frames: Frame[] = [];
  const opening = listen(here, here.owner, id, undefined, frames);
  await sleep(1_500).finally(thaw);
  expect(frames).toEqual([]);
  const heard = await opening;
  heard.stop();
});

test("readers reconnect when a message could not be published, because Redis was frozen", {
  timeout: 60_000,
}, async () => {
  const here = await world();
  const id = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data.id;
  const heard = await listen(here, here.owner, id);
  const thaw = await freeze();
  // The connection of the sender is given up after a second, that of the reader is kept.
  await sleep(2_000);
  await here.owner.post(`W/chat/channels/${id}/messages`, { body_md: "lost" }).expect(201);
  thaw();
  await heard.ended;
  expect(heard.frames.map(({ event }) => event)).toEqual(["stream.ready", "stream.closing"]);
});
