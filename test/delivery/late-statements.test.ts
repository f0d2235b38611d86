import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Process, startProcess } from "../support/process.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { addWebhook, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** Statements that Postgres executes after the worker that sent them has lost the connection and given them up. */

const WEBHOOKS = 10;
/** Shorter than the wait of the job that failed. */
const LATE_MS = 1_000;

let here: World;
let receiver: Receiver;
let proxy: Server;
let worker: Process;
const sockets = new Set<Socket>();
/** The worker loses the connections on which it sends this text; Postgres gets it `LATE_MS` later. */
let lost = "";

beforeAll(async () => {
  here = await world();
  receiver = await startReceiver();
  const { config } = here.app;
  proxy = createServer((client) => relay(client, new URL(config.DATABASE_URL)));
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const behind = new URL(config.DATABASE_URL);
  behind.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  // The sweep is late, too, so that it does not add the jobs before the statements are executed.
  worker = await startProcess("worker", config, { DATABASE_URL: behind.toString(), SWEEP_SECONDS: "5" });
}, 60_000);

afterAll(async () => {
  await worker.kill();
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => proxy.close(closed));
  await receiver.stop();
});

function relay(client: Socket, { hostname, port }: URL) {
  const upstream = dial(Number(port), hostname);
  for (const socket of [client, upstream]) {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  }
  let isLost = false;
  client.on("data", async (chunk) => {
    if (lost && chunk.includes(lost)) {
      isLost = true;
      client.destroy();
      await sleep(LATE_MS);
    }
    upstream.write(chunk);
  });
  client.once("close", () => {
    if (!isLost) upstream.destroy();
  });
  upstream.on("data", (chunk) => {
    if (!isLost) client.write(chunk);
  });
  upstream.once("close", () => client.destroy());
}

test("a webhook that a lost statement leased is served within seconds, although its job is lost, too", async () => {
  for (let n = 0; n < WEBHOOKS; n++) await addWebhook(here, { url: receiver.url + n });
  const paths = () => new Set(receiver.requests.map(({ path }) => path)).size;
  await emit(here, "issue.created");
  await expect.poll(paths, { timeout: 20_000 }).toBe(WEBHOOKS);
  await expect.poll(leases).toBe(0);

  receiver.requests.length = 0;
  lost = "webhook_step";
  await emit(here, "issue.created");
  await expect.poll(leases, { timeout: LATE_MS + 4_000, interval: 20 }).toBeGreaterThan(0);
  lost = "";
  await loseJobs();
  await expect.poll(paths, { timeout: 20_000 }).toBe(WEBHOOKS);
}, 60_000);

async function leases(): Promise<number> {
  const [row] = await here.sql<{ count: number }>("select count(*)::int from webhook where turn is not null");
  return row!.count;
}

async function loseJobs() {
  const { redis, config } = here.app.resources;
  const keys = await redis.keys(`${config.REDIS_PREFIX}:deliver-webhook:*`);
  if (keys.length > 0) await redis.del(keys);
}
