import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { type CardProcessorOptions, openCardProcessor } from "../../src/adapters/card-processor.ts";
import { startStripeEmulator } from "../../src/dev/stripe-emulator/start.ts";
import { CardsAway, type Charge } from "../../src/domain/kernel/ports/card-processor.ts";

const SECRET = "whsec_cards";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function open(apiBase: string, options: Partial<CardProcessorOptions> = {}) {
  const cards = openCardProcessor({
    secretKey: "sk_test_cards",
    webhookSecret: SECRET,
    apiBase,
    sptApiVersion: "2026-07-29.preview",
    timeoutMs: 3000,
    ...options,
  });
  cleanups.push(cards.close);
  return cards;
}

async function start(options: Partial<CardProcessorOptions> = {}) {
  const emulator = await startStripeEmulator();
  cleanups.push(emulator.stop);
  return { emulator, cards: open(emulator.url, options) };
}

/** A processor that gives one answer to everything. */
async function answering(status: number, body: unknown) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  return open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

type Common = Pick<Charge, "amountCents" | "currency" | "idempotencyKey" | "metadata" | "description" | "startBefore">;

/** When a purchase was charged, by a clock that is so far ahead of the processor's. */
const lately = (aheadMs = 0) => {
  const at = (ms: number) => new Date(Date.now() + aheadMs + ms).toISOString();
  return { since: at(-5_000), until: at(0) };
};

const common: Common = {
  amountCents: 2000,
  currency: "usd",
  idempotencyKey: "mpp_c1",
  metadata: { purchase_id: "p1", challenge_id: "c1" },
  description: "2000 AI credits",
  startBefore: "2100-01-01T00:00:00.000Z",
};

const byToken = (token: string, changes: Partial<Common> = {}): Charge => ({
  ...common,
  ...changes,
  kind: "token",
  token,
});

async function withSavedCard(card?: string) {
  const { emulator, cards } = await start();
  const customer = await cards.createCustomer({
    workspaceId: "w1",
    email: "owner@example.com",
    name: "Acme",
    instead: null,
  });
  const session = await cards.createSetupSession({
    customer,
    successUrl: "http://localhost/ok?session={CHECKOUT_SESSION_ID}",
    cancelUrl: "http://localhost/billing",
    metadata: { workspace_id: "w1" },
  });
  expect(await cards.readSetup(session?.id ?? "")).toBeNull();
  emulator.completeSession({ session: session?.id ?? "", ...(card && { card }) });
  const saved = await cards.readSetup(session?.id ?? "");
  const charge = { ...common, kind: "saved_card" as const, customer, paymentMethod: saved?.paymentMethod ?? "" };
  return { emulator, cards, customer, session, saved, charge };
}

describe("charging a token", () => {
  test("the call has the form of Stripe's preview", async () => {
    const { emulator, cards } = await start();
    expect(await cards.charge(byToken("spt_test_ok"))).toEqual({
      kind: "succeeded",
      paymentIntent: expect.stringMatching(/^pi_/),
      amountCents: 2000,
      currency: "usd",
    });
    const [{ body, ...call } = { body: "" }] = emulator.requests();
    expect(call).toMatchObject({
      method: "POST",
      path: "/v1/payment_intents",
      version: "2026-07-29.preview",
      idempotencyKey: "mpp_c1",
    });
    expect(decodeURIComponent(body).split("&")).toEqual([
      "amount=2000",
      "currency=usd",
      "confirm=true",
      "payment_method_data[shared_payment_granted_token]=spt_test_ok",
      "automatic_payment_methods[enabled]=true",
      "automatic_payment_methods[allow_redirects]=never",
      "description=2000 AI credits",
      "metadata[purchase_id]=p1",
      "metadata[challenge_id]=c1",
    ]);
  });

  test.each([
    ["declined", { reason: "declined", code: "card_declined", declineCode: "generic_decline" }],
    ["expired", { reason: "invalid_token", paymentIntent: null }],
    ["limit", { reason: "insufficient_token", paymentIntent: null }],
    ["action", { reason: "action_required", code: "authentication_required" }],
  ])("spt_test_%s is declined and charges nothing", async (word, expected) => {
    const { emulator, cards } = await start();
    expect(await cards.charge(byToken(`spt_test_${word}`))).toMatchObject({ kind: "declined", ...expected });
    expect(emulator.captured()).toEqual({});
  });

  test("an unknown token is declined with a message that does not contain it", async () => {
    const { cards } = await start();
    const outcome = await cards.charge(byToken("spt_1234567890"));
    expect(outcome).toMatchObject({ kind: "declined", reason: "invalid_token" });
    expect(JSON.stringify(outcome)).not.toContain("spt_1234567890");
  });

  test("a payment may stay in processing, and succeed or fail later", async () => {
    const { emulator, cards } = await start();
    const pay = async (key: string) => {
      const outcome = await cards.charge(byToken("spt_test_processing", { idempotencyKey: key }));
      if (outcome.kind !== "processing") expect.fail(outcome.kind);
      return outcome.paymentIntent;
    };
    const [good, bad] = [await pay("k1"), await pay("k2")];
    expect(await cards.retrieve(good)).toMatchObject({ status: "processing", amountReceivedCents: 0 });
    emulator.endProcessing({ payment_intent: good });
    emulator.endProcessing({ payment_intent: bad, outcome: "failed" });
    expect(await cards.retrieve(good)).toMatchObject({ status: "succeeded", amountReceivedCents: 2000 });
    expect(await cards.retrieve(bad)).toMatchObject({ status: "failed", amountReceivedCents: 0 });
  });
});

describe("a declined card", () => {
  const grant = async (url: string, card: string) => {
    const response = await fetch(`${url}/v1/test_helpers/shared_payment/granted_tokens`, {
      method: "POST",
      headers: { authorization: "Bearer sk_test_wallet" },
      body: new URLSearchParams({
        payment_method: card,
        "usage_limits[currency]": "usd",
        "usage_limits[max_amount]": "5000",
      }),
    });
    return ((await response.json()) as { id: string }).id;
  };

  test("is identified by any of its tokens, and differs from other cards", async () => {
    const { emulator, cards } = await start();
    const cardOf = async (name: string, key: string) => {
      const outcome = await cards.charge(byToken(await grant(emulator.url, name), { idempotencyKey: key }));
      return outcome.kind === "declined" ? outcome.card : expect.fail(outcome.kind);
    };
    const [first, again] = [await cardOf("pm_card_chargeDeclined", "k1"), await cardOf("pm_card_chargeDeclined", "k2")];
    expect(first).toEqual(expect.any(String));
    expect(again).toBe(first);
    expect(await cardOf("pm_card_chargeCustomerFail", "k3")).not.toBe(first);
  });

  test("is reported in the same way by the charge and by a later read", async () => {
    const { emulator, cards } = await start();
    const token = await grant(emulator.url, "pm_card_visa_chargeDeclinedInsufficientFunds");
    const outcome = await cards.charge(byToken(token));
    if (outcome.kind !== "declined") expect.fail(outcome.kind);
    const { kind: _, paymentIntent, ...decline } = outcome;
    expect(decline).toMatchObject({ declineCode: "insufficient_funds", reason: "declined" });
    expect(await cards.retrieve(paymentIntent!)).toMatchObject({ status: "failed", decline });
  });
});

describe("a refund", () => {
  const paid = async () => {
    const { emulator, cards } = await start();
    const outcome = await cards.charge(byToken("spt_test_ok"));
    if (outcome.kind !== "succeeded") expect.fail(outcome.kind);
    const refund = (idempotencyKey: string) =>
      cards.refund(outcome.paymentIntent, { idempotencyKey, purchaseId: "p1" });
    const back = async () => (await cards.retrieve(outcome.paymentIntent))?.refundedCents;
    return { emulator, cards, refund, back, paymentIntent: outcome.paymentIntent };
  };

  test("gives back what is left, once, under the same key, another one, and at once", async () => {
    const { refund, back, emulator, paymentIntent } = await paid();
    await new Stripe("sk_test_1", { host: "127.0.0.1", port: emulator.port, protocol: "http" }).refunds.create({
      payment_intent: paymentIntent,
      amount: 500,
    });
    const outcomes = await Promise.all([refund("r1"), refund("r1"), refund("r2")].map((one) => one.catch(() => null)));
    expect(outcomes).toContainEqual({ kind: "refunded" });
    for (const key of ["r1", "r3"]) expect(await refund(key)).toEqual({ kind: "refunded" });
    expect(await back()).toBe(2000);
  });

  test("without an answer, or with a 500, is asked for again under another key", async () => {
    for (const when of ["before", "after"] as const) {
      const { emulator, refund, back } = await paid();
      emulator.fault({ action: "error", when, on: "POST /v1/refunds" });
      await expect(refund("r1")).rejects.toThrow(CardsAway);
      await expect(refund("r1")).rejects.toThrow(CardsAway);
      expect(await refund("r2")).toEqual({ kind: "refunded" });
      expect(await back()).toBe(2000);
    }
  });

  test("that is not possible is refused", async () => {
    const { cards } = await start();
    const refused = await cards.refund("pi_unknown", { idempotencyKey: "r1", purchaseId: "p1" });
    expect(refused).toEqual({ kind: "refused", message: expect.stringMatching(/No such payment_intent/) });
  });
});

describe("when the outcome is unknown", () => {
  test("a charge whose time to start is over is not started", async () => {
    const { emulator, cards } = await start();
    const late = byToken("spt_test_ok", { startBefore: new Date(Date.now() - 1).toISOString() });
    // Nobody was asked, so nothing can come of it.
    expect(await cards.charge(late)).toMatchObject({ kind: "unknown", over: true });
    expect(emulator.requests()).toEqual([]);
  });

  test("an answer that does not come in time is unknown; the same key tells later what happened", async () => {
    const { emulator, cards } = await start({ timeoutMs: 600 });
    expect(await cards.charge(byToken("spt_test_timeout"))).toMatchObject({ kind: "unknown", over: false });
    expect(await cards.charge(byToken("spt_test_timeout"))).toMatchObject({ kind: "succeeded" });
    expect(emulator.captured()).toMatchObject({ c1: { charges: 1 } });
  });

  test("a reply that never ends counts as none", async () => {
    const server = createServer((_, response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => server.closeAllConnections() ?? server.close());
    const cards = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeoutMs: 200 });
    expect(await cards.charge(byToken("spt_test_ok"))).toEqual({
      kind: "unknown",
      message: "No answer within 200 ms.",
      over: false,
    });
  });

  test.each([
    [400, true],
    [429, true],
    [500, true],
    // Another call under the same key still runs.
    [409, false],
    // Of a gateway, perhaps, behind which the charge goes on.
    [502, false],
    [503, false],
    [504, false],
  ])("after an unexplained %i it is over with the charge: %s", async (status, over) => {
    const cards = await answering(status, { error: { type: "api_error", message: "Something else." } });
    expect(await cards.charge(byToken("spt_test_ok"))).toMatchObject({ kind: "unknown", over });
  });

  test("a 500 stays unknown, because it is what the key answers from then on, charged or not", async () => {
    for (const when of ["before", "after"] as const) {
      const { emulator, cards } = await start();
      emulator.fault({ action: "error", when });
      expect(await cards.charge(byToken("spt_test_ok"))).toMatchObject({ kind: "unknown" });
      expect(await cards.charge(byToken("spt_test_ok"))).toMatchObject({ kind: "unknown" });
      expect(emulator.requests()[1]).toMatchObject({ status: 500, replayed: true });
      const found = await cards.findByPurchase("p1", lately());
      expect(found.map(({ status }) => status)).toEqual(when === "after" ? ["succeeded"] : []);
    }
  });

  test("one lost connection is retried with the same key, two are unknown", async () => {
    const { emulator, cards } = await start();
    emulator.fault({ action: "drop", when: "after" });
    expect(await cards.charge(byToken("spt_test_ok"))).toMatchObject({ kind: "succeeded" });
    emulator.fault({ action: "drop", when: "after", times: 2 });
    const other = { idempotencyKey: "mpp_c2", metadata: { purchase_id: "p2", challenge_id: "c2" } };
    expect(await cards.charge(byToken("spt_test_ok", other))).toMatchObject({ kind: "unknown" });
    expect(emulator.captured()).toMatchObject({ c1: { charges: 1 }, c2: { charges: 1 } });
  });

  test("a key in use, or used for something else, is unknown: its first call decides", async () => {
    const { emulator, cards } = await start();
    emulator.fault({ action: "delay", delay_ms: 600 });
    const slow = cards.charge(byToken("spt_test_ok"));
    await expect.poll(() => emulator.requests().length).toBe(1);
    expect(await cards.charge(byToken("spt_test_ok"))).toMatchObject({ kind: "unknown" });
    expect(await slow).toMatchObject({ kind: "succeeded" });
    expect(await cards.charge(byToken("spt_test_declined"))).toMatchObject({ kind: "unknown" });
    expect(emulator.captured()).toMatchObject({ c1: { charges: 1 } });
  });

  test.each([
    [401, { error: { type: "invalid_request_error", message: "Invalid API Key provided: sk_test_cards" } }],
    [403, { error: { type: "invalid_request_error", message: "No permission" } }],
    [404, { error: { type: "invalid_request_error", message: "Unrecognized request URL" } }],
    [429, { error: { type: "invalid_request_error", code: "rate_limit", message: "Too fast" } }],
    [400, { error: { type: "invalid_request_error", code: "parameter_unknown", param: "payment_method_data[x]" } }],
    [400, { error: { type: "invalid_request_error", code: "amount_too_small", param: "amount", message: "Small" } }],
    [400, { error: { type: "invalid_request_error", param: "metadata[a]", message: "Invalid" } }],
    [400, { error: { type: "invalid_request_error", message: "Something about this account is not right." } }],
    [400, { error: { type: "invalid_request_error", code: "account_invalid", message: "The account is closed." } }],
    [400, { error: { type: "invalid_request_error", code: "resource_missing", param: "application", message: "No" } }],
    [400, { error: { type: "invalid_request_error", param: "payment_method", message: "It is not activated." } }],
    [502, "<html>Bad gateway</html>"],
    [200, "not JSON"],
    [200, { id: "pi_1", object: "payment_intent", status: "requires_capture" }],
  ])("an error that is not about the token does not count as a decline: %i %j", async (status, body) => {
    const outcome = await (await answering(status, body)).charge(byToken("spt_test_ok"));
    expect(outcome).toMatchObject({ kind: "unknown" });
    expect(JSON.stringify(outcome)).not.toContain("sk_test_cards");
  });

  test("an unreachable processor is unknown when charging and unavailable when read", async () => {
    const { emulator, cards } = await start();
    await emulator.stop();
    expect(await cards.charge(byToken("spt_test_ok"))).toMatchObject({ kind: "unknown" });
    await expect(cards.retrieve("pi_1")).rejects.toThrow(CardsAway);
    await expect(cards.findByPurchase("p1", lately())).rejects.toThrow(CardsAway);
    await expect(cards.cancel("pi_1")).rejects.toThrow(CardsAway);
    const acme = { workspaceId: "w1", email: null, name: "Acme", instead: null };
    await expect(cards.createCustomer(acme)).rejects.toThrow(CardsAway);
    await expect(cards.readSetup("cs_test_1")).rejects.toThrow(CardsAway);
  });
});

test.each([
  // No code: these are the sentences of Stripe's test mode.
  [
    "The requested amount is greater than the remaining amount capturable with this shared payment granted token.",
    "insufficient_token",
  ],
  ["The shared payment granted token cannot be used because it is already in a deactivated state.", "invalid_token"],
  ["The currency does not match this shared payment granted token.", "invalid_token"],
  [
    "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a " +
      "connected account without Customer attachment, or was detached from a Customer. It may not be used again.",
    "invalid_token",
  ],
])("Stripe's own words: %s", async (message, reason) => {
  const cards = await answering(400, { error: { type: "invalid_request_error", message } });
  expect(await cards.charge(byToken("spt_1"))).toMatchObject({ kind: "declined", reason, paymentIntent: null });
});

describe("asking about payments", () => {
  test("a purchase's payments are found among others, on whatever page of the list", async () => {
    const { cards } = await start();
    const make = (n: number) =>
      cards.charge(byToken("spt_test_ok", { idempotencyKey: `k${n}`, metadata: { purchase_id: `p${n}` } }));
    for (let n = 0; n < 120; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => make(n + i)));
    expect(await cards.findByPurchase("p0", lately())).toMatchObject([
      { status: "succeeded", metadata: { purchase_id: "p0" } },
    ]);
    expect(await cards.findByPurchase("p119", lately())).toHaveLength(1);
    expect(await cards.findByPurchase("p200", lately())).toEqual([]);
    // The processor's clock may be an hour behind or ahead of ours; nobody pages through more than that.
    const hour = 3_600_000;
    for (const [off, found] of [
      [-0.9, 1],
      [0.9, 1],
      [-1.1, 0],
      [1.1, 0],
    ] as const) {
      expect(await cards.findByPurchase("p0", lately(off * hour))).toHaveLength(found);
    }
  });

  test("refunds and disputes are totals", async () => {
    const { emulator, cards } = await start();
    const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port: emulator.port, protocol: "http" });
    const outcome = await cards.charge(byToken("spt_test_ok"));
    if (outcome.kind !== "succeeded") expect.fail(outcome.kind);
    const id = outcome.paymentIntent;
    const backAre = async (refundedCents: number, disputedCents: number) =>
      expect(await cards.retrieve(id)).toEqual({
        paymentIntent: id,
        status: "succeeded",
        amountCents: 2000,
        amountReceivedCents: 2000,
        currency: "usd",
        metadata: common.metadata,
        refundedCents,
        disputedCents,
        decline: null,
      });
    await backAre(0, 0);
    await stripe.refunds.create({ payment_intent: id, amount: 300 });
    await stripe.refunds.create({ payment_intent: id, amount: 200 });
    await backAre(500, 0);
    emulator.dispute({ payment_intent: id, amount: 100, inquiry: true });
    await backAre(500, 0);
    const dispute = emulator.dispute({ payment_intent: id, amount: 1500 });
    await backAre(500, 1500);
    emulator.closeDispute({ dispute: dispute.id, status: "won" });
    await backAre(500, 0);
    expect(await cards.findByPurchase("p1", lately())).toMatchObject([{ refundedCents: 500 }]);
  });

  test("a payment that does not exist is none", async () => {
    const { cards } = await start();
    expect(await cards.retrieve("pi_none")).toBeNull();
    expect(await cards.cancel("pi_none")).toBeNull();
  });

  test("a payment is cancelled while it was not charged; afterwards it stays what it is", async () => {
    const { emulator, cards } = await start();
    const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port: emulator.port, protocol: "http" });
    const { id } = await stripe.paymentIntents.create({ amount: 2000, currency: "usd" });
    for (let time = 0; time < 2; time++) expect(await cards.cancel(id)).toMatchObject({ status: "canceled" });
    const paid = await cards.charge(byToken("spt_test_ok"));
    if (paid.kind !== "succeeded") expect.fail(paid.kind);
    expect(await cards.cancel(paid.paymentIntent)).toMatchObject({ status: "succeeded", amountReceivedCents: 2000 });
  });

  test("a payment in progress does not count as failed", async () => {
    const intent = { id: "pi_1", object: "payment_intent", status: "requires_payment_method", metadata: {} };
    const made = await answering(200, { ...intent, last_payment_error: null });
    expect(await made.retrieve("pi_1")).toMatchObject({ status: "untried" });
    const failed = await answering(200, { ...intent, last_payment_error: { code: "card_declined" } });
    expect(await failed.retrieve("pi_1")).toMatchObject({ status: "failed" });
  });
});

describe("saved cards", () => {
  test("a card is saved on the processor's page and charged without its holder", async () => {
    const { emulator, cards, customer, saved, charge } = await withSavedCard("pm_card_mastercard");
    expect(saved).toEqual({
      customer,
      paymentMethod: expect.stringMatching(/^pm_/),
      brand: "mastercard",
      last4: "4444",
      expMonth: 12,
      expYear: expect.any(Number),
      setUpAt: expect.stringMatching(/^20.*:\d\d\.000Z$/),
    });
    expect(await cards.charge(charge)).toMatchObject({ kind: "succeeded", amountCents: 2000 });
    const body = decodeURIComponent(emulator.requests().at(-1)?.body ?? "");
    expect(body).toContain(`customer=${customer}&payment_method=${saved?.paymentMethod}&off_session=true`);
    // Released parameters need no preview.
    expect(emulator.requests().at(-1)?.version).not.toContain("preview");
  });

  test("the set-up intent of a session returns the same", async () => {
    const { emulator, cards, session, saved } = await withSavedCard();
    const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port: emulator.port, protocol: "http" });
    const { setup_intent } = await stripe.checkout.sessions.retrieve(session?.id ?? "");
    expect(await cards.readSetup(setup_intent as string)).toEqual(saved);
  });

  test("a bank that requires the holder, declines, and detached cards", async () => {
    const strict = await withSavedCard("pm_card_authenticationRequired");
    expect(await strict.cards.charge(strict.charge)).toMatchObject({ kind: "declined", reason: "action_required" });
    const empty = await withSavedCard("pm_card_chargeCustomerFail");
    expect(await empty.cards.charge(empty.charge)).toMatchObject({ kind: "declined", reason: "declined" });

    const { emulator, cards, charge, customer } = await withSavedCard();
    const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port: emulator.port, protocol: "http" });
    await stripe.paymentMethods.detach(charge.paymentMethod);
    expect(await cards.charge(charge)).toMatchObject({ kind: "declined", reason: "invalid_token" });
    await stripe.customers.del(customer);
    const urls = { successUrl: "http://localhost/", cancelUrl: "http://localhost/" };
    expect(await cards.createSetupSession({ customer, ...urls, metadata: {} })).toBeNull();
  });

  test("two people who press the button at once create one customer", async () => {
    const { cards } = await start();
    const make = (name = "Acme", instead: string | null = null) =>
      cards.createCustomer({ workspaceId: "w1", email: null, name, instead });
    const first = await make();
    expect(await make()).toBe(first);
    expect(await make("Acme Inc")).not.toBe(first);
    // Nor is it the one that is gone.
    const second = await make("Acme", first);
    expect(second).not.toBe(first);
    expect(await make("Acme", first)).toBe(second);
  });

  test("only ids of set-ups are sent to the processor", async () => {
    const { emulator, cards } = await start();
    for (const id of ["", "../customers", "pi_1", "cs_1/../x", "seti_1?expand"])
      expect(await cards.readSetup(id)).toBeNull();
    expect(emulator.requests()).toEqual([]);
    expect(await cards.readSetup("cs_test_none")).toBeNull();
  });
});

describe("notices", () => {
  const { webhooks } = new Stripe("sk_test_1");
  const notice = (type: string, object: object) =>
    JSON.stringify({ id: "evt_1", object: "event", type, created: 1_790_000_000, data: { object } });
  const signed = (payload: string, age = 0, secret = SECRET) =>
    webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(Date.now() / 1000) - age });

  test("a signed notice names its object", async () => {
    const { cards } = await start();
    const read = (type: string, object: object) => {
      const payload = notice(type, object);
      return cards.verifyNotice(Buffer.from(payload), signed(payload));
    };
    const intent = { id: "pi_1", object: "payment_intent" };
    expect(read("payment_intent.succeeded", intent)).toEqual({
      id: "evt_1",
      type: "payment_intent.succeeded",
      created: 1_790_000_000,
      paymentIntent: "pi_1",
      setup: null,
      data: intent,
    });
    expect(read("charge.refunded", { id: "ch_1", payment_intent: "pi_2" })).toMatchObject({ paymentIntent: "pi_2" });
    expect(read("charge.dispute.created", { id: "du_1", payment_intent: "pi_3" })).toMatchObject({
      paymentIntent: "pi_3",
    });
    expect(read("checkout.session.completed", { id: "cs_1", mode: "setup", payment_intent: null })).toMatchObject({
      paymentIntent: null,
      setup: "cs_1",
    });
    expect(read("setup_intent.succeeded", { id: "seti_1" })).toMatchObject({ setup: "seti_1" });
    expect(read("customer.created", { id: "cus_1" })).toMatchObject({ paymentIntent: null, setup: null });
  });

  test("anything else is rejected", async () => {
    const { cards } = await start();
    const payload = notice("payment_intent.succeeded", { id: "pi_1" });
    expect(cards.verifyNotice(payload, signed(payload, 290))).not.toBeNull();
    expect(cards.verifyNotice(payload, signed(payload, 310))).toBeNull();
    expect(cards.verifyNotice(payload, signed(payload, 0, "whsec_other"))).toBeNull();
    expect(cards.verifyNotice(payload.replace("pi_1", "pi_2"), signed(payload))).toBeNull();
    for (const header of ["", "t=1", "v1=abc", "nonsense", signed(payload).replace("v1=", "v0=")]) {
      expect(cards.verifyNotice(payload, header)).toBeNull();
    }
    for (const broken of ["{", "null", '"text"', "{}", '{"id":"evt_1","type":"x","created":1}']) {
      expect(cards.verifyNotice(broken, signed(broken))).toBeNull();
    }
    const { cards: closed } = await start({ webhookSecret: "" });
    expect(closed.verifyNotice(payload, signed(payload, 0, ""))).toBeNull();
  });
});
