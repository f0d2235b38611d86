import { describe, expect, test } from "vitest";
import { purchasesToCheck } from "../../src/domain/tenancy/credits/next-check.sql.ts";
import { recordNotice } from "../../src/domain/tenancy/credits/notices.ts";
import { reconcile } from "../../src/domain/tenancy/credits/reconcile.ts";
import { app } from "../support/app.ts";
import {
  ask,
  atProcessor,
  background,
  buy,
  challenged,
  challengeOf,
  newToken,
  notifyAt,
  pay,
  quiet,
  topup,
} from "../support/buyer.ts";
import type { Client, Reply } from "../support/client.ts";
import { at, emulator, expectSound, insist, keyed, prepareFaults, start, work } from "../support/faulty.ts";
import { type World, world } from "../support/world.ts";

/**
 * Buying credits while the processor misbehaves and calls run concurrently: a card is charged at most once per
 * challenge, credits are granted exactly once per charge, and nobody is asked to pay again before the outcome is
 * known.
 */

await prepareFaults();

describe("the processor", () => {
  test("created a payment and never tried it: it is cancelled there before the purchase fails", async () => {
    const here = await world();
    await work();
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
    await work();
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
    await work();
    const id = await challenged(here.owner, "small");
    emulator.fault({ action: "error", when: "before" });
    await pay(here.owner, "small", id, keyed("500")).expect(503, "payment_unknown");
    const { reply } = await insist(() => pay(here.owner, "small", id, keyed("500")));
    expect(`${reply.status} ${reply.body.code}`).toBe("402 challenge_consumed");
    await pay(here.owner, "small", challengeOf(reply).id!, keyed("500")).expect(200);
    await expectSound(here, 2_000);
  });

  test("is unavailable when the worker asks: the grant waits for it", async () => {
    const here = await world();
    await work();
    emulator.fault({ action: "error", on: "GET /v1/payment_intents", times: 2 });
    const reply = await buy(here.owner, "small");
    expect(`${reply.status} ${reply.data?.payment_status}`).toBe("200 succeeded");
    await expect.poll(() => topup(here.owner), { timeout: 10_000 }).toBe(2_000);
    await expectSound(here, 2_000);
  });

  test("sends its notices before the reply", async () => {
    const here = await world();
    await work();
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
    await work();
    notifyAt(emulator, (await app()).baseUrl);
    emulator.holdEvents();
    const reply = await buy(here.owner, "small");
    expect(reply.status, reply.text).toBe(200);
    await atProcessor(emulator, "POST /v1/refunds", { payment_intent: reply.data.receipt.reference, amount: "500" });
    await emulator.releaseEvents({ reverse: true });
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
    await work("deliver-webhook", "confirm-payment");
    notifyAt(emulator, (await app()).baseUrl);
    emulator.holdEvents();
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
    await emulator.releaseEvents();
    await expect.poll(() => topup(here.owner), { timeout: 10_000 }).toBe(2_000);
    const read = await here.owner.get(`/api/mpp/v1/purchases/${unknown.body.error.details.purchase_id}`).expect(200);
    expect(read.data).toMatchObject({ payment_status: "succeeded", receipt: { challengeId: id } });
    await quiet(here);
    await expectSound(here, 2_000);
  });

  test("has a clock two minutes behind ours, and its notice is lost: the sweep finds the payment", async () => {
    const here = await world();
    await work();
    emulator.fault({ action: "error", when: "after" });
    const id = await challenged(here.owner, "small");
    await pay(here.owner, "small", id).expect(503, "payment_unknown");
    await here.sql(`update purchase set created_at = created_at + interval '2 minutes' where challenge_id = $1`, [id]);
    await expect.poll(() => topup(here.owner), { timeout: 15_000 }).toBe(2_000);
    await expectSound(here, 2_000);
  });

  test("is accepted only with its signature", async () => {
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

describe("a notice of a refund", () => {
  const bought = async (here: World) => {
    const worker = await work();
    const { data } = await buy(here.owner, "small");
    await expect.poll(() => topup(here.owner)).toBe(2_000);
    await quiet(here);
    await worker.stop();
    return data as { id: string; receipt: { reference: string } };
  };
  const refund = (payment_intent: string) =>
    atProcessor(emulator, "POST /v1/refunds", { payment_intent, amount: "500" });

  test("whose job was given up is not lost: the sweep asks the processor", async () => {
    const here = await world();
    const { receipt } = await bought(here);
    notifyAt(emulator, (await app()).baseUrl);
    const relay = await work("deliver-webhook");
    await refund(receipt.reference);
    await emulator.idle();
    const owed = () => here.sql(`select queue from reaction where workspace_id = $1`, [here.workspace.id]);
    await expect.poll(owed).toContainEqual({ queue: "confirm-payment" });
    await here.sql(`update reaction set failed_at = now() where workspace_id = $1`, [here.workspace.id]);
    await relay.stop();
    await work("settle-payments");
    await expect.poll(() => topup(here.owner), { timeout: 15_000 }).toBe(1_500);
    const unheeded = () =>
      here.sql(`select id from purchase where workspace_id = $1 and notices > notices_heeded`, [here.workspace.id]);
    expect(await unheeded()).toEqual([]);
    await expectSound(here, 1_500);
  });

  test("that arrives while an older reply is being applied still counts", async () => {
    const here = await world();
    const { id, receipt } = await bought(here);
    const ctx = await background();
    const notice = (name: string) =>
      recordNotice(ctx, {
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
    const dueIn = async (ms: number) => {
      const open = `select id from purchase where ${purchasesToCheck.open} and ask_at <= now() + $1 * interval '1 ms'`;
      return (await here.sql<{ id: string }>(open, [ms])).map((row) => row.id);
    };
    expect(await topup(here.owner)).toBe(2_000);
    expect(await dueIn(60_000)).toContain(id);
    await reconcile(ctx, here.workspace.id, id);
    expect(await dueIn(3_600_000)).not.toContain(id);
    expect(await topup(here.owner)).toBe(1_500);
    await expectSound(here, 1_500);
  });
});

describe("at once", () => {
  test("one challenge, sent 50 times to two processes, is charged once", async () => {
    const here = await world();
    const [web] = await Promise.all([start("web"), work()]);
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
    const [web] = await Promise.all([start("web"), work()]);
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
});
