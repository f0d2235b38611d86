import { describe, expect, test } from "vitest";
import {
  isGenuineReceipt,
  type Muster,
  MusterPaymentRefused,
  MusterPaymentUnknown,
  type PaymentOptions,
  type PaymentRequest,
} from "../../clients/typescript/src/index.ts";
import { cardProcessorAtWork, expectBalanced, giveCard, newToken, topup } from "../support/buyer.ts";
import { type Fate, startLosingProxy } from "../support/losing-proxy.ts";
import { musterOf } from "../support/muster.ts";
import { type World, world } from "../support/world.ts";

/** A program that has a way to pay buys credits: once, whatever happens on the way. */

const emulator = await cardProcessorAtWork();

/** A buyer behind a bad network, and what it was asked to pay for. */
async function buyer(here: World, payment: Partial<PaymentOptions> = {}) {
  const asked: PaymentRequest[] = [];
  const proxy = await startLosingProxy(here.app.baseUrl);
  const pay: PaymentOptions["pay"] = (challenge) => {
    asked.push(challenge);
    return { shared_payment_token: newToken() };
  };
  const muster = await musterOf(here.owner, { url: proxy.url, payment: { pay, ...payment } });
  return { muster, proxy, asked };
}

const charges = () => Object.values(emulator.captured()).reduce((sum, { charges }) => sum + charges, 0);

const failed = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => expect.fail("It was not refused."),
    (error: unknown) => error,
  );

test("it pays, and has the purchase with a receipt that the service has signed", async () => {
  const here = await world();
  const { muster, asked } = await buyer(here);
  const purchase = await muster.credits.buySmall();
  expect(purchase).toMatchObject({ pack: "small", credits: 2_000, payment_status: "succeeded" });
  expect(asked).toMatchObject([{ credits: 2_000, amount: "2000", currency: "USD" }]);
  expect(asked[0]!.request).toMatchObject({ methodDetails: { networkId: expect.any(String) } });
  const receipt = purchase.receipt!;
  expect(await muster.isGenuine(receipt)).toBe(true);
  expect(await muster.isGenuine({ ...receipt, credits: 9_000 })).toBe(false);
  expect(await isGenuineReceipt(receipt, [])).toBe(false);
  expect(await topup(here.owner)).toBe(2_000);
});

test("any number of credits, with the saved card", async () => {
  const here = await world();
  await giveCard(emulator, here);
  const { muster } = await buyer(here, { pay: () => ({ use_saved_card: true }) });
  expect(await muster.credits.buyCustom({ credits: 3_000 })).toMatchObject({ amount: "3000" });
  await expect.poll(() => topup(here.owner)).toBe(3_000);
});

test.each<[string, Fate[]]>([
  ["the reply to the payment is lost", ["pass", "lose"]],
  ["it is cut", ["pass", "cut", "lose"]],
  ["the payment does not arrive", ["pass", "refuse"]],
  ["the challenge is lost", ["lose", "pass", "lose"]],
  ["a proxy answers instead", ["pass", "lose", { status: 502 }, { status: 503, headers: { "retry-after": "1" } }]],
])("it pays once if %s", async (_, fates) => {
  const here = await world();
  const before = charges();
  const { muster, proxy, asked } = await buyer(here);
  proxy.plan(...fates);
  const purchase = await muster.credits.buySmall();
  expect(purchase.receipt).not.toBeNull();
  expect(asked).toHaveLength(1);
  expect(charges() - before).toBe(1);
  expect(new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(await topup(here.owner)).toBe(2_000);
  await expectBalanced(here);
});

test.each<[string, Fate[]]>([
  [
    "a page of a proxy with status 200",
    [{ status: 200, headers: { "content-type": "text/html" }, body: "<p>Sign in" }],
  ],
  ["a redirect", [{ status: 302, headers: { location: "/" } }]],
  ["a refusal by a proxy", [{ status: 403, body: "<h1>Forbidden" }]],
  [
    "a refusal of the second attempt, of which the first had no reply",
    ["lose", { status: 401, body: '{"code":"unauthorized"}' }],
  ],
])("the outcome is unknown after %s, and the purchase goes on", async (_, fates) => {
  const here = await world();
  const before = charges();
  const { muster, proxy, asked } = await buyer(here, { maxTotal: 2_000 });
  proxy.plan("pass", ...fates);
  const error = await failed(muster.credits.buySmall());
  expect(error).toBeInstanceOf(MusterPaymentUnknown);
  const { credential, idempotencyKey } = error as MusterPaymentUnknown;
  expect((await muster.credits.buySmall({}, { credential, idempotencyKey })).payment_status).toBe("succeeded");
  expect(charges() - before).toBe(1);
  expect(asked).toHaveLength(1);
});

test("a purchase whose outcome stayed unknown goes on with the same credential, even in another process", async () => {
  const here = await world();
  const before = charges();
  const { muster, proxy } = await buyer(here);
  proxy.plan("pass", "lose", "lose");
  const error = await failed(muster.credits.buySmall({}, { retries: 1 }));
  expect(error).toBeInstanceOf(MusterPaymentUnknown);
  const { credential, idempotencyKey } = error as MusterPaymentUnknown;
  const other = await musterOf(here.owner);
  const purchase = await other.credits.buySmall({}, { credential, idempotencyKey });
  expect(purchase).toMatchObject({ challenge_id: credential.challenge_id, payment_status: "succeeded" });
  expect(charges() - before).toBe(1);
});

test("a signal that ends the payment leaves a way to go on", async () => {
  const here = await world();
  const before = charges();
  const { muster, proxy } = await buyer(here);
  proxy.plan("pass", "hang");
  const abort = new AbortController();
  const ended = failed(muster.credits.buySmall({}, { signal: abort.signal }));
  await expect.poll(charges, { timeout: 10_000 }).toBe(before + 1);
  abort.abort();
  const { credential, idempotencyKey } = (await ended) as MusterPaymentUnknown;
  await muster.credits.buySmall({}, { credential, idempotencyKey });
  expect(charges() - before).toBe(1);
});

test("a card that is declined is not asked for again", async () => {
  const here = await world();
  let asked = 0;
  const { muster } = await buyer(here, {
    pay: () => {
      asked++;
      return { shared_payment_token: newToken("declined") };
    },
  });
  expect(await failed(muster.credits.buySmall())).toMatchObject({ status: 402, code: "payment_failed" });
  expect(asked).toBe(1);
  expect(await topup(here.owner)).toBe(0);
});

describe("limits", () => {
  test("nothing above them is paid, and pay() is not asked", async () => {
    const { muster, asked } = await buyer(await world(), { maxAmount: 1_999 });
    expect(await failed(muster.credits.buySmall())).toBeInstanceOf(MusterPaymentRefused);
    expect(asked).toEqual([]);
  });

  test("the total of all purchases is bounded, also of those at the same time", async () => {
    const here = await world();
    const { muster, asked } = await buyer(here, { maxTotal: 4_000 });
    const bought = await Promise.allSettled([1, 2, 3].map(() => muster.credits.buySmall()));
    expect(bought.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(asked).toHaveLength(2);
    await expect.poll(() => topup(here.owner)).toBe(4_000);
  });

  test("what was declined does not count", async () => {
    const tokens = [newToken("declined"), newToken()];
    const pay = () => ({ shared_payment_token: tokens.shift()! });
    const { muster } = await buyer(await world(), { maxTotal: 2_000, pay });
    await failed(muster.credits.buySmall());
    expect((await muster.credits.buySmall()).payment_status).toBe("succeeded");
  });
});

describe("credits_exhausted", () => {
  const REFUSAL = JSON.stringify({ status: 403, code: "credits_exhausted", detail: "Buy some." });

  /** A buyer whose first calls of a kind are refused, as those of the service's own AI are. */
  async function exhausted(
    here: World,
    count: number,
    payment: Partial<PaymentOptions>,
    of = "/issues",
    url = here.app.baseUrl,
  ) {
    const asked: PaymentRequest[] = [];
    const pay: PaymentOptions["pay"] = (challenge) => {
      asked.push(challenge);
      return { shared_payment_token: newToken() };
    };
    let left = count;
    const refusing: typeof fetch = async (url, init) => {
      if (init?.method !== "POST" || !String(url).endsWith(of) || left-- <= 0) return fetch(url, init);
      return new Response(REFUSAL, { status: 403, headers: { "content-type": "application/problem+json" } });
    };
    return { muster: await musterOf(here.owner, { payment: { pay, ...payment }, fetch: refusing, url }), asked };
  }
  const work = (muster: Muster) => muster.issues.create("WEB", { title: "Summarise" });

  test("it buys a pack and goes on", async () => {
    const here = await world();
    const { muster, asked } = await exhausted(here, 1, { refill: "small" });
    expect((await work(muster)).title).toBe("Summarise");
    expect(asked).toHaveLength(1);
    await expect.poll(() => topup(here.owner)).toBe(2_000);
  });

  test("calls that run out at the same time buy once", async () => {
    const { muster, asked } = await exhausted(await world(), 3, { refill: "small" });
    await Promise.all([work(muster), work(muster), work(muster)]);
    expect(asked).toHaveLength(1);
  });

  test("a refill whose outcome is unknown is continued by the next one", async () => {
    const here = await world();
    const before = charges();
    const proxy = await startLosingProxy(here.app.baseUrl);
    const { muster, asked } = await exhausted(here, 2, { refill: "small" }, "/issues", proxy.url);
    proxy.plan("pass", "pass", "lose", { status: 302 });
    expect(await failed(work(muster))).toBeInstanceOf(MusterPaymentUnknown);
    expect((await work(muster)).title).toBe("Summarise");
    expect(asked).toHaveLength(1);
    expect(charges() - before).toBe(1);
  });

  test("it buys nothing without refill, and not twice for a call", async () => {
    const here = await world();
    const without = await exhausted(here, 1, {});
    expect(await failed(work(without.muster))).toMatchObject({ code: "credits_exhausted" });
    expect(without.asked).toEqual([]);

    const refilling = await exhausted(here, 2, { refill: "small" });
    expect(await failed(work(refilling.muster))).toMatchObject({ code: "credits_exhausted" });
    expect(refilling.asked).toHaveLength(1);
  });

  test("a purchase does not wait for itself", async () => {
    const { muster, asked } = await exhausted(await world(), 9, { refill: "small" }, "");
    expect(await failed(work(muster))).toMatchObject({ code: "credits_exhausted" });
    expect(asked).toEqual([]);
  });
});
