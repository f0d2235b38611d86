import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort } from "../src/dev/ports.ts";
import { openProcesses } from "../src/dev/processes.ts";
import { startRedis } from "../src/dev/redis.ts";
import { takeNotice } from "../src/domain/credits/notices.ts";
import { takeUnsettled } from "../src/domain/credits/purchases.sql.ts";
import { reconcile } from "../src/domain/credits/settle.ts";
import { newId } from "../src/domain/ids.ts";
import { settlePaymentsWorker } from "../src/workers/settle-payments.ts";
import type { JobInfo } from "../src/workers/worker.ts";
import { app, configure } from "./support/app.ts";
import {
  ask,
  atProcessor,
  background,
  buy,
  cardProcessor,
  challenged,
  challengeOf,
  expectBalanced,
  giveCard,
  newToken,
  notifyAt,
  type Paying,
  pay,
  quiet,
  topup,
} from "./support/buyer.ts";
import { Client, type Reply } from "./support/client.ts";
import { adminQuery } from "./support/databases.ts";
import { type Process, startProcess } from "./support/process.ts";
import { type World, world } from "./support/world.ts";

/**
 * Buying credits while processes die and the processor misbehaves: a card is charged at most once a challenge, credits
 * are granted exactly once a charge, and nobody is asked to pay again before it is known how the payment ended.
 */

const emulator = await cardProcessor();
const folder = mkdtempSync(join(tmpdir(), "muster-credits-"));
const servers = openProcesses(
  () => {},
  () => {},
);
let redisUrl = "";

beforeAll(async () => {
  // A Redis of its own, for it will be flushed.
  redisUrl = await startRedis(servers, { folder, port: await freePort(), durable: false, say: () => {} });
  configure({
    REDIS_URL: redisUrl,
    STRIPE_TIMEOUT_MS: "3000",
    PAYMENT_SETTLE_SECONDS: "4",
    PAYMENT_ABANDON_SECONDS: "10",
  });
});

const running: Process[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) await child.kill();
  emulator.clearFaults();
  emulator.discard();
  emulator.endpoint({ url: null });
});
afterAll(async () => {
  await servers.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: "web" | "worker", more?: Record<string, string>): Promise<Process> {
  const child = await startProcess(name, (await app()).config, more);
  running.push(child);
  return child;
}

/** A workspace's owner at another web process. */
const at = ({ url }: Process, { owner, workspace }: World) =>
  new Client(url, { W: `/v1/workspaces/${workspace.slug}` }, owner);

/**
 * A buyer that repeats its call, as it was, until it is told how the payment ended. On the way there may be 429 and 503
 * and broken connections, and nothing else: 402 would make a program pay again.
 */
async function insist(call: () => PromiseLike<Reply>): Promise<{ reply: Reply; statuses: number[] }> {
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

/** All that was charged is granted once, all that is granted was charged, no challenge was charged twice. */
async function expectSound(here: World, bought: number): Promise<void> {
  for (const [challenge, { charges }] of Object.entries(emulator.captured())) {
    expect(`${challenge}: ${charges}`).toBe(`${challenge}: 1`);
  }
  const granted = await here.sql<{ id: string }>(`select id from purchase where granted_at is not null`);
  const paid = Object.keys(emulator.captured({ by: "purchase_id" }));
  expect(granted.map(({ id }) => id).sort()).toEqual(paid.sort());
  expect(await topup(here.owner)).toBe(bought);
  await expectBalanced(here);
}

const keyed = (key: string): Paying => ({ headers: { "idempotency-key": key } });
const faultTaken = () => expect.poll(() => emulator.faults().length, { interval: 10, timeout: 5_000 }).toBe(0);

describe.each<[string, (here: World) => Promise<Pick<Paying, "with">>]>([
  ["a token", async () => ({})],
  [
    "a saved card",
    async (here) => {
      await giveCard(emulator, here);
      return { with: { use_saved_card: true } };
    },
  ],
])("the web process is killed, paying with %s", (_, meansOf) => {
  test("before the charge: nothing was charged, and the buyer is told so before paying again", async () => {
    const here = await world();
    const means = await meansOf(here);
    const [web] = await Promise.all([start("web"), start("worker")]);
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "drop", when: "before", delay_ms: 1_000 });
    const lost = pay(at(web, here), "small", id, { ...keyed("before"), ...means }).then(
      () => "answered",
      () => "broken",
    );
    await faultTaken();
    await web.kill();
    expect(await lost).toBe("broken");

    const { reply, statuses } = await insist(() => pay(here.owner, "small", id, { ...keyed("before"), ...means }));
    expect(statuses.slice(0, -1)).toContain(429);
    expect(`${reply.status} ${reply.body.code}`).toBe("402 challenge_consumed");
    expect(reply.body).toMatchObject({ retryable: true, error: { details: { state: "failed" } } });
    await expectSound(here, 0);
    await pay(here.owner, "small", challengeOf(reply).id!, { ...keyed("before"), ...means }).expect(200);
    await expectSound(here, 2_000);
  });

  test.each([
    ["the sweep", false],
    ["the processor's notice", true],
  ])("between charge and commit: %s finds the payment, and the same call gets its receipt", async (_, notified) => {
    const here = await world();
    const means = await meansOf(here);
    const [web] = await Promise.all([start("web"), start("worker")]);
    const id = await challenged(here.owner, "small");
    emulator.hold();
    emulator.fault({ action: "delay", when: "after", delay_ms: 2_900 });
    const key = { ...keyed(`between ${notified}`), ...means };
    const lost = pay(at(web, here), "small", id, key).then(
      () => "answered",
      () => "broken",
    );
    await expect.poll(() => emulator.captured()[id]?.charges, { interval: 10 }).toBe(1);
    await web.kill();
    expect(await lost).toBe("broken");
    expect(await here.sql(`select state from purchase where challenge_id = $1`, [id])).toEqual([
      { state: "processing" },
    ]);

    await pay(here.owner, "small", id, key).expect(429, "idempotency_in_progress");
    await ask(here.owner, "small", key).expect(429, "idempotency_in_progress");
    if (notified) {
      notifyAt(emulator, (await app()).baseUrl);
      await emulator.release();
    }
    const { reply } = await insist(() => pay(here.owner, "small", id, key));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.data).toMatchObject({ challenge_id: id, credits_status: "granted", receipt: { challengeId: id } });
    await expectSound(here, 2_000);
  });

  test("after the commit, before the reply: the receipt is waiting", async () => {
    const here = await world();
    const means = await meansOf(here);
    const web = await start("web");
    const id = await challenged(here.owner, "small");
    // Without a worker the reply waits for the grant.
    const lost = pay(at(web, here), "small", id, { ...keyed("after"), ...means }).then(
      () => "answered",
      () => "broken",
    );
    const state = () =>
      here.sql(`select state from purchase where challenge_id = $1`, [id]).then(([row]) => row?.state);
    await expect.poll(state, { interval: 5 }).toBe("succeeded");
    await web.kill();
    expect(await lost).toBe("broken");

    await start("worker");
    const { reply } = await insist(() => ask(here.owner, "small", keyed("after")));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers.get("payment-receipt")).not.toBeNull();
    await expect.poll(() => topup(here.owner)).toBe(2_000);
    const consumed = await pay(here.owner, "small", id, means).expect(402, "challenge_consumed");
    expect(consumed.body.error.details).toMatchObject({ state: "consumed", purchase_id: reply.data.id });
    await expectSound(here, 2_000);
  });
});

describe("a worker", () => {
  test("killed in the middle of the grant leaves nothing of it; another one grants once", async () => {
    const here = await world();
    const worker = await start("worker");
    // The grant takes the account last, when the purchase is held already.
    const other = await holding(`select 1 from credit_account where workspace_id = '${here.workspace.id}' for update`);
    const reply = await buy(here.owner, "small", keyed("mid-grant"));
    expect(`${reply.status} ${reply.data?.credits_status}`, reply.text).toBe("200 pending");
    const granting = () =>
      here.sql(`select 1 from pg_stat_activity
                where application_name = 'muster worker' and wait_event_type = 'Lock' and datname = current_database()`);
    expect(await granting()).toHaveLength(1);
    await worker.kill();
    await other.release();
    await expect.poll(granting).toHaveLength(0);
    expect(await here.sql(`select id from credit_entry where workspace_id = $1`, [here.workspace.id])).toEqual([]);
    await start("worker");
    await expect.poll(() => topup(here.owner), { timeout: 25_000 }).toBe(2_000);
    await expectSound(here, 2_000);
  });

  test("that gave up its job: the sweep grants, and the job, tried again later, changes nothing", async () => {
    const here = await world();
    const relay = await start("worker", { WORKER_QUEUES: "match-webhooks" });
    const reply = await buy(here.owner, "small");
    expect(`${reply.status} ${reply.data?.credits_status}`, reply.text).toBe("200 pending");
    const given = () =>
      here.sql(`update reaction set failed_at = now() where workspace_id = $1 returning 1`, [here.workspace.id]);
    await expect.poll(given).toHaveLength(1);
    await relay.kill();
    const sweep = await start("worker", { WORKER_QUEUES: "settle-payments" });
    await expect.poll(() => topup(here.owner), { timeout: 15_000 }).toBe(2_000);
    await sweep.kill();
    // The job is still in Redis, as one that an operator tries again.
    const left = () =>
      here.sql(`select 1 from reaction where workspace_id = $1 and failed_at is not null`, [here.workspace.id]);
    expect(await left()).toHaveLength(1);
    await start("worker");
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    await expectSound(here, 2_000);
  });
});

describe("the web process is stopped", () => {
  test.each([
    ["answers the charge under way, where the platform grants the time for it", "8", "200"],
    ["cuts it off where not; the sweep settles it, and the same call gets its receipt", "3", "broken"],
  ])("and %s", async (_, STOP_SECONDS, end) => {
    const here = await world();
    const [web] = await Promise.all([start("web", { STOP_SECONDS }), start("worker")]);
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "delay", when: "after", delay_ms: 2_500 });
    const paying = pay(at(web, here), "small", id, keyed("stop")).then(
      ({ status }) => String(status),
      () => "broken",
    );
    await expect.poll(() => emulator.captured()[id]?.charges, { interval: 10 }).toBe(1);
    web.child.kill("SIGTERM");
    expect(await paying).toBe(end);
    const { reply } = await insist(() => pay(here.owner, "small", id, keyed("stop")));
    expect(reply.status, reply.text).toBe(200);
    await expectSound(here, 2_000);
  });
});

test("the sweep asks about ten purchases at a time, and begins none when it is to stop", async () => {
  const here = await world();
  for (let n = 0; n < 25; n++) {
    const id = newId();
    await here.sql(
      `with challenge as (
         insert into payment_challenge (id, workspace_id, key_id, pack, credits, amount_cents, method, realm, request,
                                        expires_at, state, created_at)
         values ($1::text, $2, $3, 'small', 2000, 2000, 'stripe', 'test', '', now(), 'processing', now()))
       insert into purchase (id, workspace_id, challenge_id, key_id, user_id, pack, credits, amount_cents, payment_type,
                             state, asked_at, created_at, updated_at)
       values ($1::uuid, $2, $1::text, $3, $3, 'small', 2000, 2000, 'shared_payment_token', 'processing',
               now() - interval '1 minute', now(), now())`,
      [id, here.workspace.id, here.owner.userId],
    );
  }
  const ctx = await background();
  const stopping = new AbortController();
  let [now, most, asked] = [0, 0, 0];
  const findByPurchase = async () => {
    asked++;
    most = Math.max(most, ++now);
    await sleep(100);
    now--;
    if (asked >= 20) stopping.abort();
    return [];
  };
  const slow = { ...ctx, ports: { ...ctx.ports, cards: { ...ctx.ports.cards, findByPurchase } } };
  const job = { id: "1", stopping: stopping.signal } as JobInfo;
  expect(await settlePaymentsWorker.handle(slow, {}, job)).toMatchObject({ settled: 20 });
  expect({ most, asked }).toEqual({ most: 10, asked: 20 });
  await here.sql(`update purchase set state = 'failed' where workspace_id = $1`, [here.workspace.id]);
});

describe("Postgres", () => {
  test("is away when the charge is to be stored: 503 with the purchase, and the same call gets its receipt", async () => {
    const here = await world();
    await start("worker");
    const { databaseUrl } = inject("stack");
    const name = new URL((await app()).config.DATABASE_URL).pathname.slice(1);
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "delay", when: "after", delay_ms: 1_500 });
    const paying = Promise.resolve(pay(here.owner, "small", id, keyed("away")) as PromiseLike<Reply>);
    await expect.poll(() => emulator.captured()[id]?.charges, { interval: 10 }).toBe(1);
    await adminQuery(databaseUrl, `alter database ${name} allow_connections false`);
    let reply: Reply;
    try {
      await adminQuery(
        databaseUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
      );
      reply = await paying;
    } finally {
      await adminQuery(databaseUrl, `alter database ${name} allow_connections true`);
    }
    expect(`${reply.status} ${reply.body.code}`, reply.text).toBe("503 payment_unknown");
    expect(reply.headers.get("www-authenticate")).toBeNull();
    const [purchase] = await here.sql<{ id: string; state: string }>(
      `select id, state from purchase where challenge_id = $1`,
      [id],
    );
    expect(purchase).toEqual({ id: reply.body.error.details.purchase_id, state: "processing" });
    const { reply: later } = await insist(() => pay(here.owner, "small", id, keyed("away")));
    expect(later.status, later.text).toBe(200);
    await expectSound(here, 2_000);
  });

  test("holds a purchase up for too long: its charge is not started any more, and the buyer hears of that", async () => {
    const here = await world();
    await start("worker");
    const id = await challenged(here.owner, "small");
    // Just within what a statement may wait for a lock.
    const other = await holding(`select 1 from workspace where id = '${here.workspace.id}' for update`);
    const paying = Promise.resolve(pay(here.owner, "small", id, keyed("stalled")) as PromiseLike<Reply>);
    await sleep(4_200);
    await other.release();
    const reply = await paying;
    expect(`${reply.status} ${reply.body.code}`, reply.text).toBe("503 payment_unknown");
    expect(emulator.requests().filter(({ idempotencyKey }) => idempotencyKey === `mpp_${id}`)).toEqual([]);
    const { reply: later } = await insist(() => pay(here.owner, "small", id, keyed("stalled")));
    expect(`${later.status} ${later.body.code}`).toBe("402 challenge_consumed");
    expect(later.body).toMatchObject({ retryable: true, error: { details: { state: "failed" } } });
    await expectSound(here, 0);
  });
});

/** Another connection that has run a statement and does not commit. */
async function holding(statement: string) {
  const client = new pg.Client({ connectionString: (await app()).config.DATABASE_URL });
  await client.connect();
  await client.query("begin");
  await client.query(statement);
  return { release: () => client.end() };
}

describe("the processor", () => {
  test("made a payment and never tried it: it is cancelled there before the purchase fails", async () => {
    const here = await world();
    await start("worker");
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "error", when: "before" });
    const unknown = await pay(here.owner, "small", id).expect(503, "payment_unknown");
    const intent = await atProcessor(emulator, "POST /v1/payment_intents", {
      amount: "2000",
      currency: "usd",
      "metadata[purchase_id]": unknown.body.error.details.purchase_id,
    });
    const { reply, statuses } = await insist(() => pay(here.owner, "small", id));
    expect(statuses.slice(0, -1)).toContain(429);
    expect(`${reply.status} ${reply.body.code}`).toBe("402 challenge_consumed");
    expect(await atProcessor(emulator, `GET /v1/payment_intents/${intent.id}`)).toMatchObject({ status: "canceled" });
    expect(await here.sql(`select state, decline_code from purchase where challenge_id = $1`, [id])).toEqual([
      { state: "failed", decline_code: null },
    ]);
    await expectSound(here, 0);
  });

  test.each([
    ["does not answer in time, having charged", () => {}, "timeout"],
    ["answers 500, having charged", () => emulator.fault({ action: "error", when: "after" }), "ok"],
    [
      "drops the connection, twice, having charged",
      () => emulator.fault({ action: "drop", when: "after", times: 2 }),
      "ok",
    ],
  ])("%s: 503, and the sweep grants", async (_, breaks, word) => {
    const here = await world();
    await start("worker");
    const id = await challenged(here.owner, "small");
    breaks();
    const token = { shared_payment_token: newToken(word) };
    const unknown = await pay(here.owner, "small", id, { ...keyed(word), with: token }).expect(503, "payment_unknown");
    const { reply } = await insist(() => pay(here.owner, "small", id, { ...keyed(word), with: token }));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.data.id).toBe(unknown.body.error.details.purchase_id);
    await expect.poll(() => topup(here.owner)).toBe(2_000);
    await expectSound(here, 2_000);
  });

  test("answers 500 without having charged: 503, later 402, and the next challenge pays", async () => {
    const here = await world();
    await start("worker");
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "error", when: "before" });
    await pay(here.owner, "small", id, keyed("500")).expect(503, "payment_unknown");
    const { reply } = await insist(() => pay(here.owner, "small", id, keyed("500")));
    expect(`${reply.status} ${reply.body.code}`).toBe("402 challenge_consumed");
    await pay(here.owner, "small", challengeOf(reply).id!, keyed("500")).expect(200);
    await expectSound(here, 2_000);
  });

  test("is away when the worker asks: the grant waits for it", async () => {
    const here = await world();
    await start("worker");
    emulator.fault({ action: "error", on: "GET /v1/payment_intents", times: 2 });
    const reply = await buy(here.owner, "small");
    expect(`${reply.status} ${reply.data?.payment_status}`).toBe("200 succeeded");
    await expect.poll(() => topup(here.owner), { timeout: 10_000 }).toBe(2_000);
    await expectSound(here, 2_000);
  });

  test("sends its notices before the reply", async () => {
    const here = await world();
    await start("worker");
    notifyAt(emulator, (await app()).baseUrl);
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "delay", when: "after", delay_ms: 2_500 });
    const paying = pay(here.owner, "small", id);
    await expect.poll(() => topup(here.owner), { interval: 20, timeout: 2_400 }).toBe(2_000);
    const reply = await paying.expect(200);
    expect(reply.data).toMatchObject({ credits_status: "granted", receipt: { challengeId: id } });
    await expectSound(here, 2_000);
  });

  test("sends its notices twice, out of order, and after a refund", async () => {
    const here = await world();
    await start("worker");
    notifyAt(emulator, (await app()).baseUrl);
    emulator.hold();
    const reply = await buy(here.owner, "small");
    expect(reply.status, reply.text).toBe(200);
    await atProcessor(emulator, "POST /v1/refunds", { payment_intent: reply.data.receipt.reference, amount: "500" });
    await emulator.release({ reverse: true });
    for (const event of ["payment_intent.succeeded", "charge.refunded", "payment_intent.created"]) {
      emulator.resend({ event });
    }
    await emulator.idle();
    expect(emulator.attempts().every(({ status }) => status === 200)).toBe(true);
    await expect.poll(() => topup(here.owner)).toBe(1_500);
    await quiet(here);
    await expectSound(here, 1_500);
  });

  test.each([
    [2, false],
    [120, false],
    [7_200, false],
    [120, true],
    [7_200, true],
  ])("has a clock %i s behind ours: its notice brings the credits, given up before: %s", async (seconds, givenUp) => {
    const here = await world();
    await start("worker", { WORKER_QUEUES: "match-webhooks,confirm-payment" });
    notifyAt(emulator, (await app()).baseUrl);
    emulator.hold();
    emulator.fault({ action: "error", when: "after" });
    const id = await challenged(here.owner, "small");
    const unknown = await pay(here.owner, "small", id).expect(503, "payment_unknown");
    await here.sql(`update purchase set created_at = created_at + $2 * interval '1 s' where challenge_id = $1`, [
      id,
      seconds,
    ]);
    if (givenUp) {
      await here.sql(`update purchase set state = 'failed' where challenge_id = $1`, [id]);
      await here.sql(`update payment_challenge set state = 'failed' where id = $1`, [id]);
    }
    await emulator.release();
    await expect.poll(() => topup(here.owner), { timeout: 10_000 }).toBe(2_000);
    const read = await here.owner.get(`/api/mpp/v1/purchases/${unknown.body.error.details.purchase_id}`).expect(200);
    expect(read.data).toMatchObject({ payment_status: "succeeded", receipt: { challengeId: id } });
    await quiet(here);
    await expectSound(here, 2_000);
  });

  test("has a clock two minutes behind ours, and its notice is lost: the sweep finds the payment", async () => {
    const here = await world();
    await start("worker");
    emulator.fault({ action: "error", when: "after" });
    const id = await challenged(here.owner, "small");
    await pay(here.owner, "small", id).expect(503, "payment_unknown");
    await here.sql(`update purchase set created_at = created_at + interval '2 minutes' where challenge_id = $1`, [id]);
    await expect.poll(() => topup(here.owner), { timeout: 15_000 }).toBe(2_000);
    await expectSound(here, 2_000);
  });

  test("is believed only with its signature", async () => {
    const here = await world();
    const url = `${(await app()).baseUrl}/api/webhooks/stripe`;
    const body = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded", created: 1, data: { object: {} } });
    for (const signature of ["", "t=1,v1=00", `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`]) {
      const reply = await fetch(url, { method: "POST", headers: { "stripe-signature": signature }, body });
      expect(reply.status).toBe(400);
    }
    expect(await here.sql(`select 1 from processor_notice where id = 'evt_1'`)).toEqual([]);
  });
});

test("Redis is flushed before the grant: the credits come all the same, once", async () => {
  const here = await world();
  // It hands the job on and does not do it.
  const relay = await start("worker", { WORKER_QUEUES: "match-webhooks" });
  const reply = await buy(here.owner, "small", keyed("flush"));
  expect(`${reply.status} ${reply.data?.credits_status}`, reply.text).toBe("200 pending");
  const owed = () => here.sql(`select queue from reaction where workspace_id = $1`, [here.workspace.id]);
  await expect.poll(owed).toEqual([{ queue: "confirm-payment" }]);
  await relay.kill();
  const redis = new Redis(redisUrl);
  expect((await redis.keys("*confirm-payment*")).length).toBeGreaterThan(0);
  await redis.flushall();
  redis.disconnect();
  await start("worker");
  // What was owed by jobs that Redis lost is asked after when its time has come.
  await here.sql("update reaction set due_at = now()");
  await expect.poll(() => topup(here.owner), { timeout: 20_000 }).toBe(2_000);
  const again = await ask(here.owner, "small", keyed("flush")).expect(200);
  expect(again.data).toMatchObject({ id: reply.data.id, credits_status: "granted" });
  await expectSound(here, 2_000);
});

describe("a notice of a refund", () => {
  const bought = async (here: World) => {
    const worker = await start("worker");
    const { data } = await buy(here.owner, "small");
    await expect.poll(() => topup(here.owner)).toBe(2_000);
    await quiet(here);
    await worker.kill();
    return data as { id: string; receipt: { reference: string } };
  };
  const refund = (payment_intent: string) =>
    atProcessor(emulator, "POST /v1/refunds", { payment_intent, amount: "500" });

  test("whose job was given up is not lost: the sweep asks", async () => {
    const here = await world();
    const { receipt } = await bought(here);
    notifyAt(emulator, (await app()).baseUrl);
    const relay = await start("worker", { WORKER_QUEUES: "match-webhooks" });
    await refund(receipt.reference);
    await emulator.idle();
    const owed = () => here.sql(`select queue from reaction where workspace_id = $1`, [here.workspace.id]);
    await expect.poll(owed).toContainEqual({ queue: "confirm-payment" });
    await here.sql(`update reaction set failed_at = now() where workspace_id = $1`, [here.workspace.id]);
    await relay.kill();
    await start("worker", { WORKER_QUEUES: "settle-payments" });
    await expect.poll(() => topup(here.owner), { timeout: 15_000 }).toBe(1_500);
    const unheeded = () =>
      here.sql(`select id from purchase where workspace_id = $1 and notices > notices_heeded`, [here.workspace.id]);
    expect(await unheeded()).toEqual([]);
    await expectSound(here, 1_500);
  });

  test("that comes while an answer from before it is being acted on still counts", async () => {
    const here = await world();
    const { id, receipt } = await bought(here);
    const ctx = await background();
    const notice = (name: string) =>
      takeNotice(ctx, {
        id: `evt_${name}_${id}`,
        type: "charge.refunded",
        created: 1,
        paymentIntent: receipt.reference,
        setup: null,
        data: {},
      });
    const { cards } = ctx.ports;
    const [asked, refunded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const retrieve = async (intent: string) => {
      const state = await cards.retrieve(intent);
      asked.resolve();
      await refunded.promise;
      return state;
    };
    await notice("earlier");
    const late = { ...ctx, ports: { ...ctx.ports, cards: { ...cards, retrieve } } };
    const overtaken = reconcile(late, here.workspace.id, id);
    await asked.promise;
    await refund(receipt.reference);
    expect(await notice("later")).toBe(true);
    refunded.resolve();
    await overtaken;
    const soon = new Date(Date.now() + 60_000).toISOString();
    const unsettled = () => takeUnsettled(ctx.db, ctx.now, soon, 100).then((rows) => rows.map((row) => row.id));
    expect(await topup(here.owner)).toBe(2_000);
    expect(await unsettled()).toContain(id);
    await reconcile(ctx, here.workspace.id, id);
    expect(await unsettled()).not.toContain(id);
    expect(await topup(here.owner)).toBe(1_500);
    await expectSound(here, 1_500);
  });
});

describe("at once", () => {
  test("one challenge, sent 50 times to two processes, is charged once", async () => {
    const here = await world();
    const [web] = await Promise.all([start("web"), start("worker")]);
    const id = await challenged(here.owner, "small");
    const clients = [here.owner, at(web, here)];
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => pay(clients[n % 2] as Client, "small", id) as PromiseLike<Reply>),
    );
    const ends = replies.map(({ status, body }) => `${status} ${body.code ?? ""}`.trim());
    expect(ends.filter((end) => end === "200")).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect(["429 idempotency_in_progress", "402 challenge_consumed"]).toContain(`${reply.status} ${reply.body.code}`);
      // Only one that is known to be paid.
      if (reply.status === 402) expect(reply.body.error.details.state).toBe("consumed");
    }
    await expectSound(here, 2_000);
  });

  test("two challenges under one Idempotency-Key are one purchase", async () => {
    const here = await world();
    const [web] = await Promise.all([start("web"), start("worker")]);
    const [first, second] = [await challenged(here.owner, "small"), await challenged(here.owner, "small")];
    const replies = await Promise.all(
      Array.from(
        { length: 20 },
        (_, n) =>
          pay(
            n % 2 ? here.owner : at(web, here),
            "small",
            n % 4 < 2 ? first : second,
            keyed("two"),
          ) as PromiseLike<Reply>,
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const { reply } = await insist(() => ask(here.owner, "small", keyed("two")));
    for (const { status, data } of replies) if (status === 200) expect(data.id).toBe(reply.data.id);
    const paid = [first, second].filter((id) => emulator.captured()[id]);
    expect(paid).toHaveLength(1);
    await expectSound(here, 2_000);
  });

  test("a purchase thought lost and one made in its place under the same key are both granted", async () => {
    const here = await world();
    await start("worker");
    const [first, second] = [await challenged(here.owner, "small"), await challenged(here.owner, "small")];
    emulator.fault({ action: "error", when: "after" });
    const lost = await pay(here.owner, "small", first, keyed("late")).expect(503);
    // As though the processor had not known it for all of that time.
    await here.sql(`update purchase set state = 'failed' where challenge_id = $1`, [first]);
    await here.sql(`update payment_challenge set state = 'failed' where id = $1`, [first]);
    const paid = await pay(here.owner, "small", second, keyed("late")).expect(200);
    notifyAt(emulator, (await app()).baseUrl);
    emulator.resend({ event: "payment_intent.succeeded" });
    await expect.poll(() => topup(here.owner)).toBe(4_000);
    const read = await here.owner.get(`/api/mpp/v1/purchases/${lost.body.error.details.purchase_id}`).expect(200);
    expect(read.data).toMatchObject({ payment_status: "succeeded", credits_status: "granted" });
    expect((await ask(here.owner, "small", keyed("late")).expect(200)).data.id).toBe(paid.data.id);
    await expectSound(here, 4_000);
  });
});
