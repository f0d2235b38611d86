import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { Agent, request } from "undici";
import { readConfig } from "../src/config.ts";
import { startStripeEmulator } from "../src/dev/stripe-emulator/start.ts";
import { backgroundOf } from "../src/domain/events/background.ts";
import { newId } from "../src/domain/kernel/ids.ts";
import { applyChargeOutcome } from "../src/domain/tenancy/credits/reconcile.ts";
import { openResources } from "../src/resources.ts";
import { median } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Latency from the commit of a successful charge to the credits in `W/usage`, one at a time on an idle machine: hint,
 * relay, queue, the worker's request to the processor, grant. Compared with BullMQ alone, from add to handler, and
 * one such read.
 */

const ROUNDS = 5;
const PURCHASES = 40;
const PAUSE_MS = 10;
const GOAL_MS = 20;
const CREDITS = 2_000;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  const emulator = await startStripeEmulator();
  Object.assign(bench.env, {
    STRIPE_SECRET_KEY: "sk_test_bench",
    STRIPE_API_BASE: emulator.url,
    STRIPE_WEBHOOK_SECRET: "whsec_bench",
    STRIPE_NETWORK_ID: "profile_bench",
    BASE_URL: "http://127.0.0.1",
    RECEIPT_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  const resources = openResources(readConfig(bench.env), "bench");
  const agent = new Agent({ connections: 1 });
  const worker = startWorker(bench);
  const floor = await openFloor(resources.queueRedis);
  try {
    const { port } = await bench.start("src/web.ts");
    const usage = `http://127.0.0.1:${port}/v1/workspaces/bench/usage`;
    const headers = { authorization: `Bearer ${bench.key}` };
    const read = async () => {
      const { body } = await request(usage, { headers, dispatcher: agent });
      return ((await body.json()) as { data: { ai_credits: { topup_balance: number } } }).data.ai_credits.topup_balance;
    };
    // The first runs measure cold processes.
    for (let warm = 0; warm < 10; warm++) await visibleAfter(bench, resources, read);

    const times: Record<"queue" | "read" | "visible", number[]> = { queue: [], read: [], visible: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (let purchase = 0; purchase < PURCHASES; purchase++) {
        times.queue.push(await floor.once());
        times.read.push(await timed(read));
        times.visible.push(await visibleAfter(bench, resources, read));
        await sleep(PAUSE_MS);
      }
    }
    const [queue, one, visible] = [median(times.queue), median(times.read), median(times.visible)];
    const p99 = times.visible.toSorted((a, b) => a - b)[Math.floor(times.visible.length * 0.99)] ?? Number.NaN;
    const ms = (value: number) => `${value.toFixed(2)} ms`;
    console.log(`credits: ${ROUNDS * PURCHASES} purchases, one at a time`);
    console.log(`  BullMQ add to handler         median ${ms(queue)}`);
    console.log(`  one read of W/usage           median ${ms(one)}`);
    console.log(`  commit to credits in W/usage  median ${ms(visible)}, p99 ${ms(p99)}`);
    console.log(
      `  ratio to both floors ${(visible / (queue + one)).toFixed(1)}; goal: median below ${GOAL_MS} ms: ${visible < GOAL_MS ? "met" : "MISSED"}`,
    );
  } finally {
    await floor.close();
    worker.kill("SIGTERM");
    if (worker.exitCode === null) await once(worker, "exit");
    await agent.close();
    await resources.close();
    await bench.stop();
    await emulator.stop();
  }
}

type Resources = ReturnType<typeof openResources>;

/** Charges a card, commits that, and reads the balance until it has grown. Returns milliseconds from the commit. */
async function visibleAfter({ sql, ids }: Bench, resources: Resources, read: () => Promise<number>): Promise<number> {
  const { ports } = resources;
  const purchase = newId();
  await sql(RECORD, [purchase, ids.workspaceId, ids.userId]);
  const outcome = await ports.cards.charge({
    kind: "token",
    token: "spt_test_bench",
    amountCents: CREDITS,
    currency: "usd",
    idempotencyKey: `mpp_${purchase}`,
    description: "bench",
    startBefore: new Date(Date.now() + 60_000).toISOString(),
    metadata: { purchase_id: purchase },
  });
  const before = await read();
  await applyChargeOutcome(backgroundOf(resources, new Date().toISOString()), ids.workspaceId, purchase, outcome);
  return timed(async () => {
    for (const end = Date.now() + 10_000; (await read()) === before; ) {
      if (Date.now() > end) throw new Error("The credits do not come.");
    }
  });
}

const RECORD = `
  with challenge as (
    insert into payment_challenge (id, workspace_id, key_id, pack, credits, amount_cents, method, realm, request,
                                   expires_at, state, created_at)
    values ($1::text, $2, $3, 'small', ${CREDITS}, ${CREDITS}, 'stripe', 'bench', '', now(), 'processing', now()))
  insert into purchase (id, workspace_id, challenge_id, key_id, user_id, pack, credits, amount_cents, payment_type,
                        state, asked_at, created_at, updated_at)
  values ($1::uuid, $2, $1::text, $3, $3, 'small', ${CREDITS}, ${CREDITS}, 'shared_payment_token', 'processing',
          now(), now(), now())`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function startWorker({ env }: Bench): ChildProcess {
  return spawn(process.execPath, ["src/worker.ts"], { env, stdio: ["ignore", "inherit", "inherit"] });
}

/** BullMQ alone. */
async function openFloor(settings: Resources["queueRedis"]) {
  const connection = new Redis(settings);
  const queue = new Queue("floor", { connection, prefix: "floor" });
  let done = () => {};
  const worker = new Worker("floor", async () => done(), { connection, prefix: "floor" });
  await worker.waitUntilReady();
  return {
    once: () =>
      timed(async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        done = resolve;
        await queue.add("floor", {}, { removeOnComplete: true });
        await promise;
      }),
    async close() {
      await Promise.all([worker.close(), queue.close()]);
      connection.disconnect();
    },
  };
}

if (import.meta.main) await run();
