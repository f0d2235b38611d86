import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import type { StripeEmulator } from "../../src/dev/stripe-emulator/start.ts";
import { startWorker } from "../../src/start-worker.ts";
import { app, configure } from "./app.ts";
import { cardProcessor, expectBalanced, type Paying, topup } from "./buyer.ts";
import { Client, type Reply } from "./client.ts";
import { type Process, startProcess } from "./process.ts";
import type { World } from "./world.ts";

/**
 * Buying credits with processes that can be killed, a Redis that can be flushed and a processor that misbehaves. A
 * test file calls `prepareFaults()` once, at its top, and gets its own of each.
 */

export let emulator: StripeEmulator;
export let folder = "";
export let servers: ReturnType<typeof openProcesses>;
export let redisUrl = "";
const running: Process[] = [];
const working: { stop(): Promise<void> }[] = [];

export async function prepareFaults(): Promise<void> {
  emulator = await cardProcessor();
  folder = mkdtempSync(join(tmpdir(), "muster-credits-"));
  servers = openProcesses(
    () => {},
    () => {},
  );
  beforeAll(async () => {
    // A separate Redis, because it will be flushed.
    redisUrl = await startRedis(servers, { folder, port: await freePort(), durable: false, say: () => {} });
    configure({
      REDIS_URL: redisUrl,
      STRIPE_TIMEOUT_MS: "3000",
      PAYMENT_SETTLE_SECONDS: "3",
      PAYMENT_ABANDON_SECONDS: "6",
    });
  });
  afterEach(async () => {
    for (const child of running.splice(0)) await child.kill();
    emulator.clearFaults();
    emulator.discardEvents();
    emulator.endpoint({ url: null });
    for (const worker of working.splice(0)) await worker.stop();
  });
  afterAll(async () => {
    await servers.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** A separate process, which a test can kill. It takes a second or more to start. */
export async function start(name: "web" | "worker", more?: Record<string, string>): Promise<Process> {
  const child = await startProcess(name, (await app()).config, more);
  running.push(child);
  return child;
}

/** A worker inside this process, which starts fast and cannot be killed. It serves all queues, or those named. */
export async function work(...queues: string[]): Promise<{ stop(): Promise<void> }> {
  const worker = await startWorker({ ...(await app()).config, WORKER_QUEUES: queues });
  let stopping: Promise<void> | undefined;
  const once = {
    stop() {
      stopping ??= worker.stop();
      return stopping;
    },
  };
  working.push(once);
  return once;
}

/** A workspace's owner at another web process. */
export const at = ({ url }: Process, { owner, workspace }: World) =>
  new Client(url, { W: `/v1/workspaces/${workspace.slug}` }, owner);

/**
 * A buyer that repeats its call unchanged until it learns the outcome. 429, 503 and broken connections may occur on
 * the way, and nothing else: 402 would make a program pay again.
 */
export async function insist(call: () => PromiseLike<Reply>): Promise<{ reply: Reply; statuses: number[] }> {
  const statuses: number[] = [];
  for (const end = Date.now() + 25_000; Date.now() < end; await sleep(200)) {
    const reply = await Promise.resolve(call()).catch(() => null);
    statuses.push(reply?.status ?? 0);
    if (!reply || reply.status === 429 || reply.status === 503) {
      if (reply) expect(Number(reply.headers.get("retry-after")), reply.text).toBeGreaterThan(0);
      continue;
    }
    return { reply, statuses };
  }
  throw new Error(`Nobody ever said how the payment ended: ${statuses.join(" ")}.`);
}

/**
 * All charges of the workspace are granted once or refunded completely, all its grants were charged, and no challenge
 * was charged twice.
 */
export async function expectSound(here: World, bought: number): Promise<void> {
  for (const [challenge, { charges }] of Object.entries(emulator.captured())) {
    expect(`${challenge}: ${charges}`).toBe(`${challenge}: 1`);
  }
  const ids = (condition: string) =>
    here
      .sql<{ id: string }>(`select id from purchase where workspace_id = $1 and ${condition}`, [here.workspace.id])
      .then((rows) => rows.map(({ id }) => id).sort());
  const returned = await ids("refunded_at is not null and granted_at is null");
  const all = emulator.captured({ by: "purchase_id" });
  const own = await ids("true");
  const known = await here.sql("select 1 from purchase where id = any($1)", [Object.keys(all)]);
  expect(known).toHaveLength(Object.keys(all).length);
  const captured = Object.fromEntries(Object.entries(all).filter(([id]) => own.includes(id)));
  const disputed = emulator.charges().filter((charge) => charge.disputed);
  for (const id of returned) {
    const isDisputed = disputed.some(({ metadata }) => metadata.purchase_id === id);
    expect(captured[id], id).toMatchObject({ charges: 1, refunded: isDisputed ? 0 : captured[id]?.amount });
  }
  const kept = Object.keys(captured).filter((id) => !returned.includes(id));
  expect(await ids("granted_at is not null")).toEqual(kept.sort());
  expect(await topup(here.owner)).toBe(bought);
  await expectBalanced(here);
}

export const keyed = (key: string): Paying => ({ headers: { "idempotency-key": key } });
export const faultTaken = () => expect.poll(() => emulator.faults().length, { interval: 10, timeout: 5_000 }).toBe(0);
