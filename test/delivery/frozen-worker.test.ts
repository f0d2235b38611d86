import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Process, startProcess } from "../support/process.ts";
import { startReceiver } from "../support/receiver.ts";
import { addWebhook, emit, webhookRow } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** One of two real worker processes stops running, at moments that a seed chooses, while messages flow to many tenants. */

const TENANTS = 8;
const EVERY_MS = 250;
const LONGEST_GAP_MS = 3_000;
/** A gap that a freeze causes begins with it. A lease and the lock of a job end within 5 seconds. */
const FREEZE_SECONDS = process.env.SAMPLE === "all" ? [30, 6, 6, 6, 6] : [12, 5, 5, 5, 5];

/** One receiver for all tenants: which of them a message is for stands in its path. */
const arrivals: number[][] = Array.from({ length: TENANTS }, () => []);
const ids = new Set<string>();
let receiver: Server;
let url = "";
const tenants: World[] = [];
const workers: Process[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    arrivals[Number(request.url?.slice(1))]?.push(Date.now());
    ids.add(String(request.headers["webhook-id"]));
    // Long enough that there are always requests on their way.
    request.resume().on("end", () => setTimeout(() => response.writeHead(204).end(), 100));
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const first = await world();
  tenants.push(first);
  while (tenants.length < TENANTS) tenants.push(await first.other());
  for (const [at, here] of tenants.entries()) await addWebhook(here, { url: url + at });
  workers.push(...(await Promise.all([1, 2].map(() => startProcess("worker", first.app.config)))));
});

afterAll(async () => {
  for (const worker of workers) await worker.kill();
  receiver.closeAllConnections();
  await new Promise((closed) => receiver.close(closed));
});

/** Records events in all workspaces until it is told to stop, and answers their ids. */
function recordEvents() {
  const recorded: string[] = [];
  let going = true;
  const running = (async () => {
    while (going) {
      const began = Date.now();
      for (const here of tenants) recorded.push(...(await emit(here, "issue.created")));
      await sleep(Math.max(0, EVERY_MS - (Date.now() - began)));
    }
  })();
  return {
    async stop() {
      going = false;
      await running;
      return recorded;
    },
  };
}

/** The longest time that a receiver was without a message between two moments. */
const longestGap = (times: number[], from: number, to: number) => {
  const within = [from, ...times.filter((time) => time > from && time < to), to];
  return Math.max(...within.slice(1).map((time, at) => time - within[at]!));
};

/** Moments of a freeze are chosen by a seed, so that a failure can be repeated: FREEZE_SEED. */
const seed = Number(process.env.FREEZE_SEED ?? Date.now() % 100_000);
let state = seed;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x7fffffff;
};

test(`while one of two workers is frozen, no receiver goes without messages for long (seed ${seed})`, async () => {
  const load = recordEvents();
  await expect.poll(() => arrivals.every((times) => times.length > 20), { timeout: 20_000 }).toBe(true);

  const gaps: number[] = [];
  for (const seconds of FREEZE_SECONDS) {
    const frozen = workers[Math.floor(random() * workers.length)]!;
    await sleep(500 + random() * 1_000);
    const from = Date.now();
    frozen.child.kill("SIGSTOP");
    await sleep(seconds * 1_000);
    gaps.push(Math.max(...arrivals.map((times) => longestGap(times, from, Date.now()))));
    frozen.child.kill("SIGCONT");
    await sleep(1_000);
  }
  const recorded = await load.stop();
  await expect.poll(() => recorded.filter((id) => !ids.has(id)).length, { timeout: 20_000 }).toBe(0);
  expect(Math.max(...gaps), `longest gaps: ${gaps.join(", ")} ms`).toBeLessThan(LONGEST_GAP_MS);
}, 150_000);

test("a worker that was frozen sends no messages that another one has taken over", async () => {
  const here = tenants[0]!;
  const slow = await startReceiver();
  try {
    let answer = () => {};
    slow.answers((_, response) => {
      answer = () => response.writeHead(204).end();
    }, 204);
    const hook = await addWebhook(here, { url: slow.url, event_types: ["label.created"] });
    await emit(here, "label.created", { count: 3 });
    await slow.waitFor(1);
    // Ids of processes begin with the time of their start.
    const processes = await here.sql<{ id: string }>("select id from worker_process order by id");
    const { served_by } = await webhookRow(here, hook);
    const frozen = workers[processes.findIndex(({ id }) => id === served_by)]!;
    frozen.child.kill("SIGSTOP");
    const stored = async () => {
      const succeeded = await here.sql("select from webhook_delivery where webhook_id = $1 and state = 'succeeded'", [
        hook.id,
      ]);
      return succeeded.length;
    };
    await expect.poll(stored, { timeout: 20_000 }).toBe(3);
    const sent = slow.requests.length;
    answer();
    frozen.child.kill("SIGCONT");
    await sleep(1_000);
    expect(slow.requests).toHaveLength(sent);
  } finally {
    await slow.stop();
  }
}, 60_000);
