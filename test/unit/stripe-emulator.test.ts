import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { type EmulatorOptions, type StripeEmulator, startStripeEmulator } from "../../src/dev/stripe-emulator/start.ts";
import { startReceiver } from "../support/receiver.ts";

const SECRET = "whsec_emulator";
const PREVIEW = { apiVersion: "2026-07-29.preview" };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(options: EmulatorOptions = {}) {
  const emulator = await startStripeEmulator({ webhookRetryMs: [10, 10, 10], ...options });
  cleanups.push(emulator.stop);
  return { emulator, stripe: client(emulator) };
}

async function withReceiver() {
  const receiver = await startReceiver();
  cleanups.push(receiver.stop);
  return { receiver, ...(await start({ webhookUrl: receiver.url, webhookSecret: SECRET })) };
}

const client = ({ port }: StripeEmulator) =>
  new Stripe("sk_test_1", { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0, telemetry: false });

type Extra = Omit<Partial<Stripe.PaymentIntentCreateParams>, "payment_method_data">;

/** Pays by token as the seller does. */
const pay = (stripe: Stripe, token: string, extra: Extra = {}, options: Stripe.RequestOptions = {}) =>
  stripe.paymentIntents.create(
    {
      amount: 2000,
      currency: "usd",
      confirm: true,
      payment_method_data: { shared_payment_granted_token: token } as never,
      automatic_payment_methods: { enabled: true, allow_redirects: "never" },
      ...extra,
    },
    { ...PREVIEW, ...options },
  );

/** The error as Stripe's library throws it. */
const failure = async (call: Promise<unknown>) => {
  const { type, statusCode, code, decline_code, message, param, payment_intent } = await call.then(
    () => expect.fail("the call succeeded"),
    (error: Stripe.errors.StripeError) => error,
  );
  return { type, statusCode, code, decline_code, message, param, payment_intent };
};

async function grant({ url }: StripeEmulator, limits: Record<string, string> = {}, card = "pm_card_visa") {
  const body = new URLSearchParams({ payment_method: card });
  const usage = { currency: "usd", max_amount: "2000", ...limits };
  for (const [name, value] of Object.entries(usage)) body.set(`usage_limits[${name}]`, value);
  const response = await fetch(`${url}/v1/test_helpers/shared_payment/granted_tokens`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("sk_test_1:")}` },
    body,
  });
  return { status: response.status, ...((await response.json()) as { id: string; error?: { message: string } }) };
}

const readToken = async (stripe: Stripe, id: string) =>
  (await stripe.rawRequest("GET", `/v1/shared_payment/granted_tokens/${id}`, {}, PREVIEW)) as unknown as Record<
    string,
    unknown
  >;

const unixNow = () => Math.floor(Date.now() / 1000);

describe("payments", () => {
  test("a payment by token succeeds and can be read, listed and searched", async () => {
    const { emulator, stripe } = await start();
    const { id } = await pay(stripe, "spt_test_ok", { metadata: { challenge_id: "c1", pack: "small" } });

    const intent = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
    expect(intent).toMatchObject({
      object: "payment_intent",
      status: "succeeded",
      amount: 2000,
      amount_received: 2000,
      metadata: { challenge_id: "c1", pack: "small" },
      latest_charge: { object: "charge", amount_captured: 2000, paid: true, payment_intent: id },
    });
    expect(intent).not.toHaveProperty("_key");
    const found = await stripe.paymentIntents.search({ query: "metadata['challenge_id']:'c1' AND status:'succeeded'" });
    expect(found.data.map((each) => each.id)).toEqual([id]);
    expect(emulator.captured()).toEqual({ c1: { charges: 1, amount: 2000, refunded: 0 } });
  });

  test("both spellings of the token are accepted, under a preview version only", async () => {
    const { stripe } = await start();
    const older = { payment_method_data: undefined, shared_payment_granted_token: "spt_test_ok" } as Extra;
    expect(await pay(stripe, "", older)).toMatchObject({ status: "succeeded" });
    const released = { apiVersion: "2026-10-28.endive" };
    expect(await failure(pay(stripe, "spt_test_ok", {}, released))).toMatchObject({
      statusCode: 400,
      code: "parameter_unknown",
      param: "payment_method_data[shared_payment_granted_token]",
    });
  });

  test("requests that Stripe would reject are refused", async () => {
    const { stripe } = await start();
    const refused = async (extra: Record<string, unknown>) => {
      const { statusCode, code, param } = await failure(pay(stripe, "spt_test_ok", extra as Extra));
      return [statusCode, code, param];
    };
    expect(await refused({ amount: undefined })).toEqual([400, "parameter_missing", "amount"]);
    expect(await refused({ amount: 49 })).toEqual([400, "amount_too_small", "amount"]);
    expect(await refused({ amount: "12.5" })).toEqual([400, undefined, "amount"]);
    expect(await refused({ currency: "USD" })).toEqual([400, undefined, "currency"]);
    expect(await refused({ payment_method_types: ["card"] })).toEqual([
      400,
      "parameter_unknown",
      "payment_method_types",
    ]);
    expect(await refused({ metadata: { note: "x".repeat(501) } })).toEqual([400, undefined, "metadata[note]"]);
    expect(await refused({ customer: "cus_none" })).toEqual([400, "resource_missing", "customer"]);
    expect(await refused({ payment_method_data: undefined, payment_method: "spt_test_ok" })).toEqual([
      400,
      "resource_missing",
      "payment_method",
    ]);
    expect(await refused({ automatic_payment_methods: { enabled: true } })).toEqual([400, undefined, undefined]);
  });

  test("reserved tokens fail as their names say", async () => {
    const { emulator, stripe } = await start();
    expect(await failure(pay(stripe, "spt_test_declined"))).toMatchObject({
      type: "StripeCardError",
      statusCode: 402,
      code: "card_declined",
      decline_code: "generic_decline",
      payment_intent: { status: "requires_payment_method", last_payment_error: { code: "card_declined" } },
    });
    expect(await failure(pay(stripe, "spt_test_expired"))).toMatchObject({
      type: "StripeInvalidRequestError",
      statusCode: 400,
      code: undefined,
      message: "The shared payment granted token cannot be used because it is already in a deactivated state.",
    });
    expect(await failure(pay(stripe, "spt_test_limit_1"))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("greater than the remaining amount"),
    });
    expect(await pay(stripe, "spt_test_action")).toMatchObject({ status: "requires_action", amount_received: 0 });
    expect(await pay(stripe, "spt_test_processing")).toMatchObject({ status: "processing", amount_received: 0 });
    expect(await failure(pay(stripe, "spt_other"))).toMatchObject({ code: "resource_missing" });
    expect(emulator.captured()).toEqual({});

    expect(await failure(pay(stripe, "spt_test_timeout", {}, { timeout: 200 }))).toMatchObject({
      type: "StripeConnectionError",
    });
    expect(emulator.captured({ by: "none" })).toEqual({ "": { charges: 1, amount: 2000, refunded: 0 } });
  });

  test("a payment in processing ends on command", async () => {
    const { emulator, stripe } = await start();
    const [first, second] = [await pay(stripe, "spt_test_processing"), await pay(stripe, "spt_test_processing")];
    emulator.endProcessing({ payment_intent: first.id });
    emulator.endProcessing({ payment_intent: second.id, outcome: "failed" });
    expect(await stripe.paymentIntents.retrieve(first.id)).toMatchObject({
      status: "succeeded",
      amount_received: 2000,
    });
    expect(await stripe.paymentIntents.retrieve(second.id)).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined" },
    });

    const { stripe: hasty } = await start({ processingMs: 20 });
    const { id } = await pay(hasty, "spt_test_processing");
    await expect.poll(async () => (await hasty.paymentIntents.retrieve(id)).status).toBe("succeeded");
  });

  test("lists are newest first and come in pages", async () => {
    const { stripe } = await start();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await pay(stripe, "spt_test_ok")).id);
    const page = await stripe.paymentIntents.list({ limit: 2, created: { gte: unixNow() - 60 } });
    expect(page).toMatchObject({ object: "list", has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
    const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect((await stripe.paymentIntents.list({ created: { gte: unixNow() + 60 } })).data).toEqual([]);
    expect(await failure(stripe.paymentIntents.list({ starting_after: "pi_none" }))).toMatchObject({ statusCode: 400 });
  });

  test("an intent can be made first and confirmed or cancelled later", async () => {
    const { stripe } = await start();
    const { id } = await stripe.paymentIntents.create({ amount: 500, currency: "usd", payment_method: "pm_card_visa" });
    expect(await stripe.paymentIntents.confirm(id)).toMatchObject({ id, status: "succeeded" });
    expect(await failure(stripe.paymentIntents.confirm(id))).toMatchObject({ code: "payment_intent_unexpected_state" });
    const other = await stripe.paymentIntents.create({ amount: 500, currency: "usd" });
    expect(await stripe.paymentIntents.cancel(other.id)).toMatchObject({ status: "canceled" });
  });

  test("only a test key is accepted, by Bearer or Basic", async () => {
    const { emulator } = await start();
    const get = async (authorization: string) =>
      (await fetch(`${emulator.url}/v1/payment_intents`, { headers: { authorization } })).status;
    expect(await get("Bearer sk_test_abc")).toBe(200);
    expect(await get(`Basic ${btoa("rk_test_abc:")}`)).toBe(200);
    expect(await get("Bearer sk_live_abc")).toBe(401);
    expect(await get("")).toBe(401);
  });
});

describe("granted tokens", () => {
  test("a token pays until its limit is reached", async () => {
    const { emulator, stripe } = await start();
    const token = await grant(emulator, { max_amount: "3000" });
    expect(token).toMatchObject({ object: "shared_payment.granted_token", usage_limits: { max_amount: 3000 } });
    expect(token).not.toHaveProperty("_card");
    await pay(stripe, token.id);
    expect(await failure(pay(stripe, token.id))).toMatchObject({
      message: expect.stringContaining("greater than the remaining amount capturable"),
    });
    await pay(stripe, token.id, { amount: 1000 });
    expect(await readToken(stripe, token.id)).toMatchObject({
      deactivated_reason: "consumed",
      usage_details: { amount_captured: { currency: "usd", value: 3000 } },
    });
    expect(await failure(pay(stripe, token.id, { amount: 50 }))).toMatchObject({
      message: expect.stringContaining("deactivated state"),
    });
  });

  test("it is limited by currency and time, and its creator can revoke it", async () => {
    const { emulator, stripe } = await start();
    expect((await grant(emulator, { expires_at: String(unixNow() - 1) })).status).toBe(400);
    const euro = await grant(emulator, { currency: "eur" });
    expect(await failure(pay(stripe, euro.id))).toMatchObject({ statusCode: 400 });

    const brief = await grant(emulator, { expires_at: String(unixNow() + 2) });
    await expect
      .poll(async () => (await readToken(stripe, brief.id)).deactivated_reason, { timeout: 5000 })
      .toBe("expired");
    expect(await failure(pay(stripe, brief.id))).toMatchObject({ message: expect.stringContaining("deactivated") });

    const revoked = await grant(emulator);
    await stripe.rawRequest("POST", `/v1/test_helpers/shared_payment/granted_tokens/${revoked.id}/revoke`, {}, PREVIEW);
    expect(await readToken(stripe, revoked.id)).toMatchObject({ deactivated_reason: "revoked" });
    expect(await failure(pay(stripe, revoked.id))).toMatchObject({ message: expect.stringContaining("deactivated") });
  });

  test("it behaves as its card does, and a declined payment costs it nothing", async () => {
    const { emulator, stripe } = await start();
    const { id } = await grant(emulator, {}, "pm_card_visa_chargeDeclinedInsufficientFunds");
    expect(await failure(pay(stripe, id))).toMatchObject({ statusCode: 402, decline_code: "insufficient_funds" });
    expect(await readToken(stripe, id)).toMatchObject({ usage_details: { amount_captured: { value: 0 } } });
  });
});

describe("idempotency", () => {
  test("a key repeats its first answer, errors and all", async () => {
    const { emulator, stripe } = await start();
    const first = await pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k1" });
    const again = await pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k1" });
    expect(again.id).toBe(first.id);
    expect(first.lastResponse.headers).not.toHaveProperty("idempotent-replayed");
    expect(again.lastResponse.headers).toMatchObject({
      "idempotent-replayed": "true",
      "original-request": first.lastResponse.requestId,
    });

    const declined = () => failure(pay(stripe, "spt_test_declined", {}, { idempotencyKey: "k2" }));
    expect(await declined()).toEqual(await declined());
    expect(emulator.charges().map(({ status, idempotency_key }) => [status, idempotency_key])).toEqual([
      ["failed", "k2"],
      ["succeeded", "k1"],
    ]);
  });

  test("other parameters under the key are refused, and so is a second call while the first runs", async () => {
    const { emulator, stripe } = await start();
    await pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k1" });
    expect(await failure(pay(stripe, "spt_test_ok", { amount: 999 }, { idempotencyKey: "k1" }))).toMatchObject({
      type: "StripeIdempotencyError",
      statusCode: 400,
    });

    emulator.fault({ action: "delay", delay_ms: 600 });
    const slow = pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k2" });
    await expect.poll(() => emulator.requests().length).toBe(3);
    expect(await failure(pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k2" }))).toMatchObject({
      statusCode: 409,
      code: "idempotency_key_in_use",
    });
    const { id } = await slow;
    expect((await pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k2" })).id).toBe(id);
  });

  test("a misspelt call does not use up its key", async () => {
    const { stripe } = await start();
    const key = { idempotencyKey: "k1" };
    expect(await failure(pay(stripe, "spt_test_ok", { off: "x" } as Extra, key))).toMatchObject({ statusCode: 400 });
    expect(await pay(stripe, "spt_test_ok", {}, key)).toMatchObject({ status: "succeeded" });
  });
});

describe("faults", () => {
  test("an error before charging is kept under the key and nothing is charged", async () => {
    const { emulator, stripe } = await start();
    emulator.fault({ action: "error" });
    const key = { idempotencyKey: "k1" };
    expect(await failure(pay(stripe, "spt_test_ok", {}, key))).toMatchObject({
      type: "StripeAPIError",
      statusCode: 500,
    });
    expect(await failure(pay(stripe, "spt_test_ok", {}, key))).toMatchObject({ statusCode: 500 });
    expect(emulator.requests().map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(emulator.captured()).toEqual({});
    expect(await pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k2" })).toMatchObject({ status: "succeeded" });
  });

  test("an error after charging hides a payment that was made", async () => {
    const { emulator, stripe } = await start();
    emulator.fault({ action: "error", when: "after", status: 503 });
    const metadata = { challenge_id: "c1" };
    expect(await failure(pay(stripe, "spt_test_ok", { metadata }))).toMatchObject({ statusCode: 503 });
    expect(emulator.captured()).toEqual({ c1: { charges: 1, amount: 2000, refunded: 0 } });
  });

  test("the connection can be dropped before and after charging", async () => {
    const { emulator, stripe } = await start();
    // Twice each time, because the library tries again once when a connection is closed under it.
    emulator.fault({ action: "drop", when: "before", times: 2 });
    expect(await failure(pay(stripe, "spt_test_ok"))).toMatchObject({ type: "StripeConnectionError" });
    expect(emulator.captured()).toEqual({});

    emulator.fault({ action: "drop", when: "after", times: 2 });
    expect(await failure(pay(stripe, "spt_test_ok"))).toMatchObject({ type: "StripeConnectionError" });
    expect(emulator.captured()).toEqual({ "": { charges: 1, amount: 2000, refunded: 0 } });
    expect(emulator.faults()).toEqual([]);
  });

  test("a card can be made to decline, and reads can be made to fail", async () => {
    const { emulator, stripe } = await start();
    emulator.fault({ action: "decline", decline_code: "lost_card" });
    expect(await failure(pay(stripe, "spt_test_ok"))).toMatchObject({ decline_code: "lost_card" });
    const { id } = await pay(stripe, "spt_test_ok");

    emulator.fault({ action: "error", on: "GET /v1/payment_intents/", times: "always" });
    expect(await pay(stripe, "spt_test_ok")).toMatchObject({ status: "succeeded" });
    expect(await failure(stripe.paymentIntents.retrieve(id))).toMatchObject({ statusCode: 500 });
    expect(await failure(stripe.paymentIntents.retrieve(id))).toMatchObject({ statusCode: 500 });
    emulator.clearFaults();
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ id });
  });

  test("the controls work over HTTP too, but not for web pages", async () => {
    const { emulator, stripe } = await start();
    const post = (name: string, body: string, type = "application/json") =>
      fetch(`${emulator.url}/_control/${name}`, { method: "POST", headers: { "content-type": type }, body });
    expect((await post("fault", '{"action":"decline"}')).status).toBe(200);
    expect(await failure(pay(stripe, "spt_test_ok"))).toMatchObject({ statusCode: 402 });
    expect((await post("fault", '{"action":"explode"}')).status).toBe(400);
    expect((await post("fault", '{"action":"decline"}', "text/plain")).status).toBe(415);
    expect((await fetch(`${emulator.url}/_control/reset`)).status).toBe(415);
    expect((await post("toString", "{}")).status).toBe(404);
    const charges = (await (await fetch(`${emulator.url}/_control/charges`)).json()) as unknown[];
    expect(charges).toMatchObject([{ status: "failed" }]);
  });
});

describe("saved cards", () => {
  async function withCard(card = "pm_card_visa") {
    const { emulator, stripe } = await start();
    const customer = await stripe.customers.create({ name: "Acme" });
    const session = await stripe.checkout.sessions.create({
      mode: "setup",
      customer: customer.id,
      currency: "usd",
      allowed_payment_method_types: ["card"],
      success_url: "http://localhost/ok?session={CHECKOUT_SESSION_ID}",
      cancel_url: "http://localhost/no?a=1&b=2",
    });
    emulator.completeSession({ session: session.id, card });
    const { data } = await stripe.customers.listPaymentMethods(customer.id);
    const charge = (extra: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
      stripe.paymentIntents.create({
        amount: 2000,
        currency: "usd",
        customer: customer.id,
        payment_method: data[0]?.id ?? "",
        off_session: true,
        confirm: true,
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
        ...extra,
      });
    return { stripe, emulator, customer, session, card: data[0] as Stripe.PaymentMethod, charge };
  }

  test("a session saves a card that can be charged without its holder", async () => {
    const { stripe, session, customer, card, charge } = await withCard("pm_card_mastercard");
    const expand = ["setup_intent.payment_method"];
    expect(await stripe.checkout.sessions.retrieve(session.id, { expand })).toMatchObject({
      status: "complete",
      customer: customer.id,
      setup_intent: {
        status: "succeeded",
        payment_method: { id: card.id, card: { brand: "mastercard", last4: "4444" } },
      },
    });
    expect(await charge()).toMatchObject({ status: "succeeded", customer: customer.id, payment_method: card.id });
  });

  test("its page shows a form, saves the card once and redirects back", async () => {
    const { emulator, stripe } = await start();
    const { id } = await stripe.customers.create({});
    const { url } = await stripe.checkout.sessions.create({
      mode: "setup",
      customer: id,
      currency: "usd",
      success_url: "http://localhost/ok?session={CHECKOUT_SESSION_ID}",
      cancel_url: 'http://localhost/no?a=1&b="<',
    });
    const page = await (await fetch(url ?? "")).text();
    expect(page).toContain("<button>Save card</button>");
    expect(page).toContain('href="http://localhost/no?a=1&amp;b=&quot;&lt;"');
    const press = () =>
      fetch(url ?? "", { method: "POST", body: new URLSearchParams({ card: "pm_card_amex" }), redirect: "manual" });
    for (const { status, headers } of [await press(), await press()]) {
      expect(status).toBe(303);
      expect(headers.get("location")).toMatch(/^http:\/\/localhost\/ok\?session=cs_test_\w+$/);
    }
    expect((await stripe.customers.listPaymentMethods(id)).data).toMatchObject([{ card: { brand: "amex" } }]);
    expect(await (await fetch(url ?? "")).text()).not.toContain("<button>");
    expect((await fetch(`${emulator.url}/checkout/cs_test_none`)).status).toBe(404);
  });

  test("cards decline and ask for their holder as Stripe's test cards do", async () => {
    const declining = await withCard("pm_card_chargeCustomerFail");
    expect(await failure(declining.charge())).toMatchObject({ statusCode: 402, code: "card_declined" });
    const strict = await withCard("pm_card_authenticationRequired");
    expect(await failure(strict.charge())).toMatchObject({
      statusCode: 402,
      code: "authentication_required",
      payment_intent: { status: "requires_payment_method" },
    });
    expect(await strict.charge({ off_session: false })).toMatchObject({ status: "requires_action" });
  });

  test("a card belongs to one customer, and cannot be charged once detached", async () => {
    const { stripe, card, charge } = await withCard();
    const other = await stripe.customers.create({});
    expect(await failure(charge({ customer: other.id }))).toMatchObject({ statusCode: 400, param: "payment_method" });
    await stripe.paymentMethods.detach(card.id);
    expect(await failure(charge())).toMatchObject({ statusCode: 400, code: "resource_missing" });
  });
});

describe("refunds and disputes", () => {
  test("a payment is refunded in parts, up to its amount", async () => {
    const { emulator, stripe } = await start();
    const { id } = await pay(stripe, "spt_test_ok");
    await stripe.refunds.create({ payment_intent: id, amount: 500 });
    expect(await failure(stripe.refunds.create({ payment_intent: id, amount: 1501 }))).toMatchObject({
      param: "amount",
    });
    const rest = await stripe.refunds.create({ payment_intent: id });
    expect(rest).toMatchObject({ amount: 1500, status: "succeeded" });
    expect(await failure(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: "charge_already_refunded",
    });
    emulator.failRefund({ refund: rest.id });
    const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
    expect(latest_charge).toMatchObject({ amount_refunded: 500, refunded: false });
  });

  test("a dispute can be opened, found, and closed", async () => {
    const { emulator, stripe } = await start();
    const { id } = await pay(stripe, "spt_test_ok");
    const dispute = emulator.dispute({ payment_intent: id, amount: 1200 });
    expect((await stripe.disputes.list({ payment_intent: id })).data).toMatchObject([
      { id: dispute.id, amount: 1200, status: "needs_response" },
    ]);
    emulator.closeDispute({ dispute: dispute.id, status: "lost" });
    expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: "lost" });
    const types = (await stripe.events.list({ limit: 3 })).data.map(({ type }) => type);
    expect(types).toEqual(["charge.dispute.closed", "charge.dispute.funds_withdrawn", "charge.dispute.created"]);
  });
});

describe("webhooks", () => {
  test("events arrive signed as Stripe signs them", async () => {
    const { receiver, emulator, stripe } = await withReceiver();
    const { id } = await pay(stripe, "spt_test_ok", {}, { idempotencyKey: "k1" });
    await emulator.idle();
    const events = receiver.requests.map(({ body, headers }) =>
      stripe.webhooks.constructEvent(body, headers["stripe-signature"] ?? "", SECRET),
    );
    expect(events.map(({ type }) => type).sort()).toEqual([
      "charge.succeeded",
      "payment_intent.created",
      "payment_intent.succeeded",
    ]);
    expect(events.find(({ type }) => type === "payment_intent.succeeded")).toMatchObject({
      object: "event",
      data: { object: { id, status: "succeeded" } },
      request: { idempotency_key: "k1" },
    });
    const { body, headers } = receiver.requests[0] ?? { body: "", headers: {} as Record<string, string> };
    const signature = headers["stripe-signature"] ?? "";
    expect(() => stripe.webhooks.constructEvent(body, signature, "whsec_other")).toThrow();
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, SECRET)).toThrow();
    const later = Date.now() + 302_000;
    expect(() => stripe.webhooks.constructEvent(body, signature, SECRET, 300, undefined, later)).toThrow(/tolerance/);
  });

  test("an event is repeated until it is accepted, with a new signature and the same id", async () => {
    const { receiver, emulator, stripe } = await withReceiver();
    receiver.answers(500, 302, 204);
    await stripe.customers.create({});
    await emulator.idle();
    expect(new Set(receiver.requests.map(({ json }) => json.id)).size).toBe(1);
    expect(emulator.attempts().map(({ status }) => status)).toEqual([500, 302, 204]);
  });

  test("events can be held back, reversed, repeated and lost", async () => {
    const { receiver, emulator, stripe } = await withReceiver();
    const types = () => receiver.requests.splice(0).map(({ json }) => json.type);
    emulator.holdEvents();
    await pay(stripe, "spt_test_ok");
    await emulator.idle();
    expect(types()).toEqual([]);

    await emulator.releaseEvents({ reverse: true });
    expect(types()).toEqual(["payment_intent.succeeded", "charge.succeeded", "payment_intent.created"]);
    emulator.resend({ event: "payment_intent.succeeded" });
    await emulator.idle();
    expect(types()).toEqual(["payment_intent.succeeded"]);

    emulator.holdEvents();
    await stripe.customers.create({});
    expect(emulator.discardEvents()).toEqual(["customer.created"]);
    await emulator.idle();
    expect(types()).toEqual([]);
    expect((await stripe.events.list({ type: "customer.created" })).data).toHaveLength(1);
  });
});

describe("state", () => {
  test("with a file, a restart forgets neither cards nor keys nor undelivered events", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stripe-emulator-"));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const receiver = await startReceiver();
    cleanups.push(receiver.stop);
    receiver.answers(500);
    const options = { stateFile: join(folder, "stripe.json"), webhookUrl: receiver.url, webhookSecret: SECRET };

    const first = await start({ ...options, webhookRetryMs: [60_000] });
    const { id: customer } = await first.stripe.customers.create({ name: "Acme" });
    const { id } = await pay(first.stripe, "spt_test_ok", {}, { idempotencyKey: "k1" });
    await receiver.waitFor(4);
    await first.emulator.stop();

    receiver.answers(204);
    const second = await start(options);
    await second.emulator.idle();
    expect(new Set(receiver.requests.slice(4).map(({ json }) => json.type))).toEqual(
      new Set(["customer.created", "payment_intent.created", "charge.succeeded", "payment_intent.succeeded"]),
    );
    expect(await second.stripe.customers.retrieve(customer)).toMatchObject({ name: "Acme" });
    expect((await pay(second.stripe, "spt_test_ok", {}, { idempotencyKey: "k1" })).id).toBe(id);

    second.emulator.reset();
    expect(second.emulator.charges()).toEqual([]);
  });
});
