import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, inject, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { worker } from "../../src/workers/tenancy/settle-payments.ts";
import type { JobInfo } from "../../src/workers/worker.ts";
import { app } from "../support/app.ts";
import {
  ask,
  background,
  buy,
  challenged,
  challengeOf,
  giveCard,
  newToken,
  notifyAt,
  type Paying,
  pay,
  topup,
} from "../support/buyer.ts";
import type { Reply } from "../support/client.ts";
import { adminQuery } from "../support/databases.ts";
import {
  at,
  emulator,
  expectSound,
  faultTaken,
  insist,
  keyed,
  prepareFaults,
  redisUrl,
  start,
  work,
} from "../support/faulty.ts";
import { hold } from "../support/locks.ts";
import { type World, world } from "../support/world.ts";

/**
 * Buying credits while processes die and the processor misbehaves: a card is charged at most once per challenge,
 * credits are granted exactly once per charge, and nobody is asked to pay again before the outcome is known.
 */

await prepareFaults();

describe.each<[string, (here: World) => Promise<Pick<Paying, "with">>]>([
  ["a token", async () => ({ with: { shared_payment_token: newToken() } })],
  [
    "a saved card",
    async (here) => {
      await giveCard(emulator, here);
      return { with: { use_saved_card: true } };
    },
  ],
])("the web process is killed, paying with %s", (_, meansOf) => {
  test("before the charge: nothing was charged, and the buyer learns that before paying again", async () => {
    const here = await world();
    const means = await meansOf(here);
    const [web] = await Promise.all([start("web"), work()]);
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "drop", when: "before", delay_ms: 2_500 });
    const lost = pay(at(web, here), "small", id, { ...keyed("before"), ...means }).then(
      () => "answered",
      () => "broken",
    );
    await faultTaken();
    await web.kill();
    expect(await lost).toBe("broken");

    const { reply, statuses } = await insist(() => pay(here.owner, "small", id, { ...keyed("before"), ...means }));
    expect(statuses.slice(0, -1)).toContain(429);
    expect(`${reply.status} ${reply.body.code}`).toBe("402 payment_failed");
    expect(reply.body).toMatchObject({ retryable: true, error: { details: { state: "failed" } } });
    await expectSound(here, 0);
    await pay(here.owner, "small", challengeOf(reply).id!, { ...keyed("before"), ...means }).expect(200);
    await expectSound(here, 2_000);
  });

  test.each([
    ["the sweep", false],
    ["the processor's notice", true],
  ])("between charge and commit: %s finds the payment, and a repeated call gets its receipt", async (_, notified) => {
    const here = await world();
    const means = await meansOf(here);
    const [web] = await Promise.all([start("web"), work()]);
    const id = await challenged(here.owner, "small");
    emulator.holdEvents();
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
      await emulator.releaseEvents();
    }
    const { reply } = await insist(() => pay(here.owner, "small", id, key));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.data).toMatchObject({ challenge_id: id, credits_status: "granted", receipt: { challengeId: id } });
    await expectSound(here, 2_000);
  });

  test("after the commit, before the reply: a repeated call gets the receipt", async () => {
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

    await work();
    const { reply } = await insist(() => ask(here.owner, "small", keyed("after")));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers.get("payment-receipt")).not.toBeNull();
    await expect.poll(() => topup(here.owner)).toBe(2_000);
    expect((await pay(here.owner, "small", id, means).expect(200)).data.id).toBe(reply.data.id);
    const consumed = await pay(here.owner, "small", id).expect(402, "challenge_consumed");
    expect(consumed.body.error.details).toMatchObject({ state: "consumed", purchase_id: reply.data.id });
    await expectSound(here, 2_000);
  });
});

describe("a worker", () => {
  test("that is killed during the grant stores none of it; another one grants once", async () => {
    const here = await world();
    const worker = await start("worker");
    // The grant takes the account last, when the purchase is held already.
    const release = await hold(`select 1 from credit_account where workspace_id = '${here.workspace.id}' for update`);
    const reply = await buy(here.owner, "small", keyed("mid-grant"));
    expect(`${reply.status} ${reply.data?.credits_status}`, reply.text).toBe("200 pending");
    const granting = () =>
      here.sql(`select 1 from pg_stat_activity
                where application_name = 'muster worker' and wait_event_type = 'Lock' and datname = current_database()`);
    // A worker that gives up waiting for the lock tries again after a moment.
    await expect.poll(async () => (await granting()).length).toBeGreaterThan(0);
    await worker.kill();
    await release();
    await expect.poll(granting).toHaveLength(0);
    expect(await here.sql(`select id from credit_entry where workspace_id = $1`, [here.workspace.id])).toEqual([]);
    await work();
    await expect.poll(() => topup(here.owner), { timeout: 25_000 }).toBe(2_000);
    await expectSound(here, 2_000);
  });

  test("that gave up its job: the sweep grants, and a later retry of the job changes nothing", async () => {
    const here = await world();
    const relay = await work("deliver-webhook");
    const reply = await buy(here.owner, "small");
    expect(`${reply.status} ${reply.data?.credits_status}`, reply.text).toBe("200 pending");
    const given = () =>
      here.sql(`update reaction set failed_at = now() where workspace_id = $1 returning 1`, [here.workspace.id]);
    await expect.poll(given).toHaveLength(1);
    await relay.stop();
    const sweep = await work("settle-payments");
    await expect.poll(() => topup(here.owner), { timeout: 15_000 }).toBe(2_000);
    await sweep.stop();
    // The job is still in Redis, as one that an operator tries again.
    const left = () =>
      here.sql(`select 1 from reaction where workspace_id = $1 and failed_at is not null`, [here.workspace.id]);
    expect(await left()).toHaveLength(1);
    await work();
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    await expectSound(here, 2_000);
  });
});

describe.each([
  ["killed", "SIGKILL"],
  ["frozen", "SIGSTOP"],
] as const)("a worker that is %s while it asks how a charge ended", (_, signal) => {
  test.each([
    ["charged", "after", "200", 2_000],
    ["not charged", "before", "402 payment_failed", 0],
  ] as const)("keeps nobody waiting: another one asks again, the card was %s", async (_, when, end, bought) => {
    const here = await world();
    const means = { with: { shared_payment_token: newToken() } };
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "error", when });
    await pay(here.owner, "small", id, means).expect(503, "payment_unknown");
    emulator.fault({ action: "delay", when: "before", delay_ms: 1_500, on: "GET /v1/payment_intents" });
    const worker = await start("worker");
    await faultTaken();
    worker.child.kill(signal);
    await work();
    const began = performance.now();
    const { reply } = await insist(() => pay(here.owner, "small", id, means));
    expect(`${reply.status} ${reply.body.code ?? ""}`.trim(), reply.text).toBe(end);
    expect(performance.now() - began).toBeLessThan(20_000);
    worker.child.kill("SIGCONT");
    await expectSound(here, bought);
  });
});

describe("the web process is stopped", () => {
  test.each([
    ["answers the charge in progress if the platform grants the time for it", "8", "200"],
    ["otherwise cuts it off; the sweep resolves it, and the same call gets its receipt", "3", "broken"],
  ])("and %s", async (_, STOP_SECONDS, end) => {
    const here = await world();
    const [web] = await Promise.all([start("web", { STOP_SECONDS }), work()]);
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

test("the sweep asks about ten purchases at a time, and starts none while stopping", async () => {
  const here = await world();
  // Purchases that other tests have left would be asked about, too.
  await here.sql("update purchase set ask_at = 'infinity' where ask_at is not null");
  for (let n = 0; n < 60; n++) {
    const id = newId();
    await here.sql(
      `with challenge as (
         insert into payment_challenge (id, workspace_id, key_id, pack, credits, amount_cents, method, realm, request,
                                        expires_at, state, created_at)
         values ($1::text, $2, $3, 'small', 2000, 2000, 'stripe', 'test', '', now(), 'processing', now()))
       insert into purchase (id, workspace_id, challenge_id, key_id, user_id, pack, credits, amount_cents, payment_type,
                             state, ask_at, created_at, updated_at)
       values ($1::uuid, $2, $1::text, $3, $3, 'small', 2000, 2000, 'shared_payment_token', 'processing', now(), now(), now())`,
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
  expect(await worker.handle(slow, {}, job)).toMatchObject({ settled: asked });
  expect(most).toBe(10);
  // Those in hand are finished.
  expect(asked).toBeGreaterThanOrEqual(20);
  expect(asked).toBeLessThanOrEqual(30);
  await here.sql(`update purchase set state = 'failed' where workspace_id = $1`, [here.workspace.id]);
});

describe("Postgres", () => {
  test("is unavailable when the charge is stored: 503 with the purchase, and a repeated call gets its receipt", async () => {
    const here = await world();
    await work();
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

  test("delays a purchase for too long: its charge is not started, and the reply says so", async () => {
    const here = await world();
    await work();
    const id = await challenged(here.owner, "small");
    // Longer than PAYMENT_SETTLE_SECONDS, and less than a statement may wait for a lock.
    const release = await hold(`select 1 from workspace where id = '${here.workspace.id}' for update`);
    const paying = Promise.resolve(pay(here.owner, "small", id, keyed("stalled")) as PromiseLike<Reply>);
    await sleep(3_800);
    await release();
    const reply = await paying;
    expect(`${reply.status} ${reply.body.code}`, reply.text).toBe("503 payment_unknown");
    expect(emulator.requests().filter(({ idempotencyKey }) => idempotencyKey === `mpp_${id}`)).toEqual([]);
    const { reply: later } = await insist(() => pay(here.owner, "small", id, keyed("stalled")));
    expect(`${later.status} ${later.body.code}`).toBe("402 challenge_consumed");
    expect(later.body).toMatchObject({ retryable: true, error: { details: { state: "failed" } } });
    await expectSound(here, 0);
  });
});

test("Redis is flushed before the grant: the credits are still granted, once", async () => {
  const here = await world();
  // It hands the job on and does not do it.
  const relay = await work("deliver-webhook");
  const reply = await buy(here.owner, "small", keyed("flush"));
  expect(`${reply.status} ${reply.data?.credits_status}`, reply.text).toBe("200 pending");
  const owed = () => here.sql(`select queue from reaction where workspace_id = $1`, [here.workspace.id]);
  await expect.poll(owed).toEqual([{ queue: "confirm-payment" }]);
  await relay.stop();
  const redis = new Redis(redisUrl);
  expect((await redis.keys("*confirm-payment*")).length).toBeGreaterThan(0);
  await redis.flushall();
  redis.disconnect();
  await work();
  // Work of jobs that Redis lost is checked when it is due.
  await here.sql("update reaction set due_at = now()");
  await expect.poll(() => topup(here.owner), { timeout: 20_000 }).toBe(2_000);
  const again = await ask(here.owner, "small", keyed("flush")).expect(200);
  expect(again.data).toMatchObject({ id: reply.data.id, credits_status: "granted" });
  await expectSound(here, 2_000);
});
