import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import type { Background } from "../../src/domain/events/background.ts";
import { reconcile } from "../../src/domain/tenancy/credits/reconcile.ts";
import { app } from "../support/app.ts";
import {
  ask,
  background,
  challenged,
  challengeOf,
  newToken,
  notifyAt,
  type Pack,
  pay,
  quiet,
  topup,
} from "../support/buyer.ts";
import type { Reply } from "../support/client.ts";
import { undefinedEvents } from "../support/events.ts";
import { at, emulator, expectSound, faultTaken, insist, prepareFaults, start, work } from "../support/faulty.ts";
import { startMailbox } from "../support/mailbox.ts";
import { type World, world } from "../support/world.ts";

/**
 * A charge that appears after its purchase was given up: if the buyer has paid again it is refunded, exactly once
 * whatever dies, and people and webhooks are notified; if not, the buyer gets the credits.
 */

await prepareFaults();
// Processes die and come back in each of these.
vi.setConfig({ testTimeout: 90_000 });
afterAll(() => vi.resetConfig());
const mailbox = await startMailbox();

const token = () => ({ with: { shared_payment_token: newToken() } });
const chargesAsked = () =>
  emulator.requests().filter(({ method, path }) => `${method} ${path}` === "POST /v1/payment_intents").length;
const refundsAsked = () => emulator.requests().filter(({ path }) => path === "/v1/refunds");
const purchaseOf = (here: World, challenge: string) =>
  here.sql<{ id: string }>(`select id from purchase where challenge_id = $1`, [challenge]).then(([row]) => row!.id);
const told = (here: World) =>
  here.sql<{ data: Record<string, unknown> }>(
    `select data from event where workspace_id = $1 and type = 'credits.charge_refunded'`,
    [here.workspace.id],
  );
/** Nobody waits half a minute here. */
const lookNow = (here: World) =>
  here.sql(`update purchase set ask_at = now() where workspace_id = $1`, [here.workspace.id]);

/** Calls that pay. Without a worker they wait two seconds for the grant, during which tests go on. */
const paying: Promise<unknown>[] = [];
afterEach(async () => {
  await Promise.all(paying.splice(0));
});

/** Pays a challenge, and returns when it is charged. */
async function payFor(here: World, pack: Pack, challenge: string): Promise<void> {
  const call = Promise.resolve(pay(here.owner, pack, challenge, token()).expect(200));
  call.catch(() => {});
  paying.push(call);
  const state = () =>
    here.sql(`select state from purchase where challenge_id = $1`, [challenge]).then(([row]) => row?.state);
  await expect.poll(state, { interval: 10 }).toBe("succeeded");
}
const payAgain = async (here: World, pack: Pack = "small") => payFor(here, pack, await challenged(here.owner, pack));

type Lost = { challenge: string; id: string; means: ReturnType<typeof token> };

/**
 * A purchase that was charged, and given up without anybody knowing that. As though the processor had not known it for
 * all of that time; no worker may run, for it would find the charge.
 */
async function lostCharge(here: World, challenge?: string): Promise<Lost> {
  const means = token();
  const id = challenge ?? (await challenged(here.owner, "small"));
  emulator.holdEvents();
  emulator.fault({ action: "error", when: "after" });
  await pay(here.owner, "small", id, means).expect(503, "payment_unknown");
  emulator.discardEvents();
  await here.sql(`update purchase set state = 'failed', ask_at = 'infinity' where challenge_id = $1`, [id]);
  await here.sql(`update payment_challenge set state = 'failed' where id = $1`, [id]);
  return { challenge: id, id: await purchaseOf(here, id), means };
}

/** What the buyer is told of it, and the challenge that is offered instead. */
async function refusedWith(here: World, { challenge, means }: Lost): Promise<Reply> {
  const reply = await pay(here.owner, "small", challenge, means).expect(402, "payment_failed");
  expect(reply.body).toMatchObject({ error: { details: { state: "failed", decline_code: null } } });
  return reply;
}

async function expectRefunded(here: World, { id, challenge }: Lost, bought: number): Promise<void> {
  await expect.poll(() => emulator.captured()[challenge]?.refunded, { timeout: 30_000 }).toBe(2_000);
  await expect.poll(() => told(here), { timeout: 30_000 }).toHaveLength(1);
  const [event] = await told(here);
  expect(event!.data).toMatchObject({ purchase_id: id, amount_cents: 2_000, currency: "USD", reason: "late_charge" });
  const read = await here.owner.get(`/api/mpp/v1/purchases/${id}`).expect(200);
  expect(read.data).toMatchObject({ payment_status: "refunded", credits_status: "none", receipt: null });
  // The purchase that was made instead is granted by a worker, in its own time.
  await expect.poll(() => topup(here.owner), { timeout: 30_000 }).toBe(bought);
  await expectSound(here, bought);
}

test("the buyer has paid again: it is refunded, and owner, buyer and receivers are notified", async () => {
  const here = await world({ webhook: ["credits.*"] });
  const lost = await lostCharge(here);
  const again = challengeOf(await refusedWith(here, lost)).id!;
  await payFor(here, "small", again);
  await work();
  notifyAt(emulator, (await app()).baseUrl);
  emulator.resend({ event: "payment_intent.succeeded" });
  await expectRefunded(here, lost, 2_000);

  const mail = await mailbox.latest(here.owner.email);
  expect(mail.subject).toBe("A late charge of $20.00 was refunded");
  expect(mail.text).toContain(`/w/${here.workspace.slug}/billing/purchases/${lost.id}`);
  const messages = await here.receiver.waitFor(2);
  expect(messages.map(({ json }) => json.type).sort()).toEqual(["credits.charge_refunded", "credits.purchased"]);
  // The ledger knows of the purchase that was paid and granted, and of nothing else.
  expect(await here.sql(`select amount from credit_entry where workspace_id = $1`, [here.workspace.id])).toEqual([
    { amount: 2_000 },
  ]);
  // The same notices again tell nobody anything.
  emulator.resend({ event: "payment_intent.succeeded" });
  emulator.resend({ event: "charge.refunded" });
  await emulator.idle();
  await quiet(here);
  expect(mailbox.to(here.owner.email)).toHaveLength(1);
  // The call that was lost then is answered as before, and offers nothing new to pay.
  const repeated = await pay(here.owner, "small", lost.challenge, lost.means).expect(402, "payment_failed");
  expect(repeated.body).toMatchObject({ retryable: false, challenge: { challenge_id: again } });
  expect(repeated.body.detail).toMatch(/refunded/);
  expect(refundsAsked()).toHaveLength(1);
  await expectSound(here, 2_000);
});

test("the notice is lost: the sweep continues to ask, and finds it", async () => {
  const here = await world();
  const lost = await lostCharge(here);
  await payAgain(here);
  await work();
  await lookNow(here);
  await expectRefunded(here, lost, 2_000);
});

test("the charge is made late by a processor that hung while the purchase was given up", async () => {
  const here = await world();
  await work();
  notifyAt(emulator, (await app()).baseUrl);
  const means = token();
  const id = await challenged(here.owner, "small");
  emulator.fault({ action: "delay", when: "before", delay_ms: 12_000 });
  await pay(here.owner, "small", id, means).expect(503, "payment_unknown");
  const { reply } = await insist(() => pay(here.owner, "small", id, means));
  expect(`${reply.status} ${reply.body.code}`).toBe("402 payment_failed");
  await pay(here.owner, "small", challengeOf(reply).id!, token()).expect(200);
  expect(emulator.captured()[id]).toBeUndefined();
  await expectRefunded(here, { challenge: id, id: await purchaseOf(here, id), means }, 2_000);
});

test("the web process itself learns of the charge, after it was given up and paid again", async () => {
  const here = await world();
  const means = token();
  const id = await challenged(here.owner, "small");
  emulator.holdEvents();
  emulator.fault({ action: "delay", when: "after", delay_ms: 2_000 });
  const lost = pay(here.owner, "small", id, means) as PromiseLike<Reply>;
  await faultTaken();
  await here.sql(`update purchase set state = 'failed' where challenge_id = $1`, [id]);
  await here.sql(`update payment_challenge set state = 'failed' where id = $1`, [id]);
  await payAgain(here);
  const late = await lost;
  expect(`${late.status} ${late.body.code}`).toBe("402 payment_failed");
  expect(late.body.detail).toMatch(/refunded/);
  await work();
  await expectRefunded(here, { challenge: id, id: await purchaseOf(here, id), means }, 2_000);
});

describe("the buyer has not paid again", () => {
  test("it grants the credits, and the challenge offered instead returns them", async () => {
    const here = await world();
    const lost = await lostCharge(here);
    const offered = challengeOf(await refusedWith(here, lost)).id!;
    await work();
    await lookNow(here);
    await expect.poll(() => topup(here.owner)).toBe(2_000);
    const asked = chargesAsked();
    const instead = await pay(here.owner, "small", offered, token()).expect(200);
    expect(instead.data).toMatchObject({ id: lost.id, credits_status: "granted" });
    expect(instead.headers.get("idempotent-replayed")).toBe("true");
    expect(instead.headers.get("payment-receipt")).not.toBeNull();
    expect(chargesAsked()).toBe(asked);
    expect((await pay(here.owner, "small", lost.challenge, lost.means).expect(200)).data.id).toBe(lost.id);
    await expectSound(here, 2_000);
    // A challenge of its own is another purchase.
    await pay(here.owner, "small", await challenged(here.owner, "small"), token()).expect(200);
    await expect.poll(() => topup(here.owner)).toBe(4_000);
    await expectSound(here, 4_000);
  });

  test("two late charges: one grants the credits, and one is refunded", async () => {
    const here = await world();
    const first = await lostCharge(here);
    const second = await lostCharge(here, challengeOf(await refusedWith(here, first)).id!);
    await work();
    await lookNow(here);
    await expect.poll(() => topup(here.owner)).toBe(2_000);
    await expect.poll(() => told(here), { timeout: 20_000 }).toHaveLength(1);
    const refunded = [first, second].map(({ challenge }) => emulator.captured()[challenge]!.refunded);
    expect(refunded.sort()).toEqual([0, 2_000]);
    await expectSound(here, 2_000);
  });

  test("for this pack: other purchases do not count", async () => {
    const here = await world();
    await lostCharge(here);
    await payAgain(here, "medium");
    await work();
    await lookNow(here);
    await expect.poll(() => topup(here.owner)).toBe(7_500);
    await expectSound(here, 7_500);
  });

  test("and pays at the moment when it is found: one of both is kept", async () => {
    // It grants what was paid, and nobody waits for that.
    await work("confirm-payment");
    for (let round = 0; round < 5; round++) {
      const here = await world();
      const lost = await lostCharge(here);
      const offered = challengeOf(await refusedWith(here, lost)).id!;
      const ctx = await background();
      const [paid] = await Promise.all([
        pay(here.owner, "small", offered, token()) as PromiseLike<Reply>,
        sleep(round * 4).then(() => reconcile(ctx, here.workspace.id, lost.id)),
      ]);
      expect(paid.status, paid.text).toBe(200);
      await reconcile(ctx, here.workspace.id, paid.data.id);
      await expect.poll(() => topup(here.owner)).toBe(2_000);
      await expectSound(here, 2_000);
    }
  });
});

describe("the refund", () => {
  /** A late charge whose money is owed, found by nobody yet. */
  async function owed(here: World): Promise<Lost> {
    const lost = await lostCharge(here);
    await payAgain(here);
    return lost;
  }

  test.each<[string, Parameters<typeof emulator.fault>[0]]>([
    ["before the processor does it", { action: "delay", when: "before", delay_ms: 1_500, on: "POST /v1/refunds" }],
    ["after the processor did it", { action: "delay", when: "after", delay_ms: 1_500, on: "POST /v1/refunds" }],
    ["before it is decided", { action: "delay", when: "after", delay_ms: 1_500, on: "GET /v1/payment_intents" }],
  ])("is made once although the worker is killed %s", async (_, fault) => {
    const here = await world();
    const lost = await owed(here);
    emulator.fault(fault);
    const worker = await start("worker");
    await lookNow(here);
    await faultTaken();
    await sleep(300);
    await worker.kill();
    await work();
    await lookNow(here);
    await expectRefunded(here, lost, 2_000);
    expect(await here.sql(`select id from mail where workspace_id = $1`, [here.workspace.id])).toHaveLength(1);
  });

  test.each<[string, Parameters<typeof emulator.fault>[0]]>([
    ["answers 500 and keeps that answer", { action: "error", when: "before", on: "POST /v1/refunds" }],
    ["answers 500 having done it", { action: "error", when: "after", on: "POST /v1/refunds" }],
    ["drops the connection", { action: "drop", when: "after", times: 2, on: "POST /v1/refunds" }],
    ["is away for some questions", { action: "error", when: "before", times: 2, on: "GET /v1/payment_intents/pi" }],
  ])("is made once although the processor %s", async (_, fault) => {
    const here = await world();
    const lost = await owed(here);
    emulator.fault(fault);
    const worker = await start("worker");
    await lookNow(here);
    await expectRefunded(here, lost, 2_000);
    // It logs errors only, and all of this is foreseen. Mail that another test's worker left is another matter.
    expect(worker.output().replaceAll(/^.*"queue":"send-email".*\n/gm, "")).toBe("");
  });

  test("is made once although two workers, one of them frozen meanwhile, find the charge at once", async () => {
    const here = await world();
    const lost = await owed(here);
    emulator.fault({ action: "delay", when: "before", delay_ms: 800, on: "POST /v1/refunds" });
    const [frozen] = await Promise.all([start("worker"), work()]);
    await lookNow(here);
    await faultTaken();
    frozen.child.kill("SIGSTOP");
    await sleep(2_000);
    frozen.child.kill("SIGCONT");
    await expectRefunded(here, lost, 2_000);
    await quiet(here);
    expect(await told(here)).toHaveLength(1);
  });

  test("is made once by ten concurrent decisions in two processes", async () => {
    const here = await world();
    const lost = await owed(here);
    const ctx = await background();
    await start("worker");
    await Promise.all([lookNow(here), ...Array.from({ length: 10 }, () => reconcile(ctx, here.workspace.id, lost.id))]);
    await expectRefunded(here, lost, 2_000);
  });

  test("that a bank returns leaves the money here, and grants the credits", async () => {
    const here = await world();
    const lost = await owed(here);
    await work();
    notifyAt(emulator, (await app()).baseUrl);
    await lookNow(here);
    await expectRefunded(here, lost, 2_000);
    await quiet(here);
    const response = await fetch(`${emulator.url}/v1/refunds?limit=1`, {
      headers: { authorization: "Bearer sk_test_dashboard" },
    });
    const { data } = (await response.json()) as { data: { id: string }[] };
    emulator.failRefund({ refund: data[0]!.id });
    await expect.poll(() => topup(here.owner)).toBe(4_000);
    const read = await here.owner.get(`/api/mpp/v1/purchases/${lost.id}`).expect(200);
    expect(read.data).toMatchObject({ payment_status: "succeeded", credits_status: "granted" });
    expect(read.data.receipt).not.toBeNull();
    await quiet(here);
    expect(await told(here)).toHaveLength(1);
  });

  test("is not made if the buyer's bank has taken the money back already", async () => {
    const here = await world();
    const lost = await owed(here);
    const intent = emulator.charges().find(({ metadata }) => metadata.purchase_id === lost.id)!.payment_intent;
    emulator.dispute({ payment_intent: intent });
    await work();
    await lookNow(here);
    await expect.poll(() => told(here)).toHaveLength(1);
    expect(refundsAsked().filter(({ body }) => body.includes(intent))).toEqual([]);
    await quiet(here);
    expect(await topup(here.owner)).toBe(2_000);
  });

  test("that the processor refuses is logged as an error, and is requested again", async () => {
    const here = await world();
    const lost = await owed(here);
    const refusal = { kind: "refused" as const, message: "the balance is too low" };
    const ctx = await background();
    const said: string[] = [];
    const log = { ...ctx.log, error: (_: object, sentence: string) => said.push(sentence) };
    const refund = async () => refusal;
    const refusing = { ...ctx, log, ports: { ...ctx.ports, cards: { ...ctx.ports.cards, refund } } } as Background;
    expect(await reconcile(refusing, here.workspace.id, lost.id)).toBe("to be refunded");
    expect(said).toEqual([expect.stringMatching(/refuses to refund a late charge/)]);
    const read = await here.owner.get(`/api/mpp/v1/purchases/${lost.id}`).expect(200);
    expect(read.data.payment_status).toBe("refunded");
    expect(await told(here)).toEqual([]);
    await work();
    await expectRefunded(here, lost, 2_000);
  });
});

test("an outcome that stays unknown is requested at growing intervals", async () => {
  const here = await world();
  await work();
  const id = await challenged(here.owner, "small");
  emulator.fault({ action: "error", when: "before" });
  await pay(here.owner, "small", id, token()).expect(503, "payment_unknown");
  // The processor answers neither the charge nor any question.
  emulator.fault({ action: "error", on: "GET /v1/payment_intents", times: "always" });
  const purchase = await purchaseOf(here, id);
  // A question at the moment of giving up would come in between.
  await here.sql(`update purchase set give_up_at = null where id = $1`, [purchase]);
  const seen: { asks: number; wait: number }[] = [];
  const read = async () => {
    const [row] = await here.sql<{ asks: number; wait: number }>(
      `select asks, extract(epoch from ask_at - now())::float as wait from purchase where id = $1`,
      [purchase],
    );
    if (row && row.asks !== seen.at(-1)?.asks) {
      seen.push(row);
      // How long it waits has been seen, and takes too long here.
      if (row.asks > 0) await lookNow(here);
    }
    return row?.asks ?? 0;
  };
  await expect.poll(read, { interval: 50, timeout: 20_000 }).toBeGreaterThanOrEqual(4);
  const waits = seen.filter(({ asks }) => asks > 0).map(({ wait }) => wait);
  for (const [n, wait] of waits.entries()) if (n > 0) expect(wait).toBeGreaterThan(waits[n - 1]!);
  await ask(here.owner, "small").expect(402);
  // Once it answers, the outcome is known.
  emulator.clearFaults();
  await lookNow(here);
  const { reply } = await insist(() => pay(here.owner, "small", id, token()));
  expect(`${reply.status} ${reply.body.code}`).toBe("402 challenge_consumed");
  await expectSound(here, 0);
});

test("the outcome of a killed process's purchase is known within the time that a charge may take", async () => {
  const here = await world();
  const [web] = await Promise.all([start("web"), work()]);
  const means = token();
  const id = await challenged(here.owner, "small");
  emulator.fault({ action: "drop", when: "before", delay_ms: 2_500 });
  const lost = (pay(at(web, here), "small", id, means) as PromiseLike<Reply>).then(
    () => "answered",
    () => "broken",
  );
  await faultTaken();
  await web.kill();
  expect(await lost).toBe("broken");
  const began = performance.now();
  const { reply } = await insist(() => pay(here.owner, "small", id, means));
  expect(`${reply.status} ${reply.body.code}`).toBe("402 payment_failed");
  // PAYMENT_ABANDON_SECONDS is 6 here.
  expect(performance.now() - began).toBeLessThan(10_000);
  await expectSound(here, 0);
});

test("after one 500 of the processor, the outcome is known within seconds", async () => {
  const here = await world();
  await work();
  for (const [when, end] of [
    ["before", "402 payment_failed"],
    ["after", "200 "],
  ] as const) {
    const means = token();
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "error", when });
    const began = performance.now();
    await pay(here.owner, "small", id, means).expect(503, "payment_unknown");
    const { reply } = await insist(() => pay(here.owner, "small", id, means));
    expect(`${reply.status} ${reply.body.code ?? ""}`).toBe(end);
    expect(performance.now() - began).toBeLessThan(when === "after" ? 5_000 : 10_000);
  }
  await expectSound(here, 2_000);
});

test("events of refunds match their definitions", async () => {
  expect(await undefinedEvents(await world())).toEqual([]);
});
