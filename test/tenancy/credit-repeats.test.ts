import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  ask,
  atProcessor,
  balances,
  base64url,
  buy,
  cardProcessorAtWork,
  challenged,
  challengeOf,
  expectBalanced,
  giveCard,
  newToken,
  pay,
  quiet,
  topup,
} from "../support/buyer.ts";
import type { Client, Reply } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/**
 * A repeated paid call without an Idempotency-Key: the same credential from the same key is the same purchase, and
 * only another credential is a second attempt to pay a challenge.
 */

const emulator = await cardProcessorAtWork();

const token = (word?: string) => ({ with: { shared_payment_token: newToken(word) } });
const SAVED = { with: { use_saved_card: true } };
const chargesAsked = () =>
  emulator.requests().filter(({ method, path }) => `${method} ${path}` === "POST /v1/payment_intents").length;

/** Nothing of it asks for money: the same purchase, and a fresh challenge nowhere. */
function expectSamePurchase(reply: Reply, first: Reply): void {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.data).toMatchObject({ id: first.data.id, receipt: first.data.receipt });
  expect(reply.headers.get("payment-receipt")).toBe(first.headers.get("payment-receipt"));
  expect(reply.headers.get("idempotent-replayed")).toBe("true");
  expect(reply.headers.get("www-authenticate")).toBeNull();
}

describe.each<[string, (here: World) => Promise<{ with: Record<string, unknown> }>]>([
  ["a token", async () => token()],
  [
    "the saved card",
    async (here) => {
      await giveCard(emulator, here);
      return SAVED;
    },
  ],
])("a payment with %s", (_, meansOf) => {
  test("that is repeated returns the purchase and its receipt, and is charged once", async () => {
    const here = await world();
    const means = await meansOf(here);
    const id = await challenged(here.owner, "small");
    const first = await pay(here.owner, "small", id, means).expect(200);
    const asked = chargesAsked();
    for (let time = 0; time < 3; time++) expectSamePurchase(await pay(here.owner, "small", id, means), first);
    // The scheme's own shape, an Idempotency-Key that is new, and the other header say the same thing.
    const payload = "use_saved_card" in means.with ? means.with : { spt: means.with.shared_payment_token };
    const standard = `Payment ${base64url({ challenge: { id }, payload })}`;
    expectSamePurchase(await ask(here.owner, "small", { headers: { authorization: standard } }), first);
    expectSamePurchase(await pay(here.owner, "small", id, { ...means, headers: { "idempotency-key": "new" } }), first);
    const apart = { authorization: "", "payment-authorization": standard };
    expectSamePurchase(await ask(here.owner, "small", { headers: apart }), first);
    expect(chargesAsked()).toBe(asked);
    expect(await balances(here.owner)).toMatchObject({ topup_balance: 2_000 });
    await expectBalanced(here);
  });

  test("that is repeated while it runs returns 429, and afterwards the purchase", async () => {
    const here = await world();
    const means = await meansOf(here);
    const id = await challenged(here.owner, "small");
    emulator.holdEvents();
    emulator.fault({ action: "delay", when: "after", delay_ms: 1_500 });
    const paying = pay(here.owner, "small", id, means);
    await expect.poll(() => emulator.faults().length).toBe(0);
    const early = await pay(here.owner, "small", id, means).expect(429, "idempotency_in_progress");
    expect(early.headers.get("retry-after")).toBe("1");
    expect(early.body.error.details.purchase_id).toEqual(expect.any(String));
    const first = await paying.expect(200);
    await emulator.releaseEvents();
    expectSamePurchase(await pay(here.owner, "small", id, means), first);
    expect(await balances(here.owner)).toMatchObject({ topup_balance: 2_000 });
  });

  test("that is sent ten times at once is one charge", async () => {
    const here = await world();
    const means = await meansOf(here);
    const id = await challenged(here.owner, "small");
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => pay(here.owner, "small", id, means) as PromiseLike<Reply>),
    );
    for (const reply of replies) expect([200, 429], reply.text).toContain(reply.status);
    const paid = replies.filter(({ status }) => status === 200);
    expect(new Set(paid.map(({ data }) => data.id)).size).toBe(1);
    expect(emulator.captured()[id]).toMatchObject({ charges: 1 });
  });
});

test("a payment that is still processing returns 202 again, and 200 once it has succeeded", async () => {
  const here = await world();
  const means = token("processing");
  const id = await challenged(here.owner, "small");
  const first = await pay(here.owner, "small", id, means);
  expect(first.status).toBe(202);
  const again = await pay(here.owner, "small", id, means);
  expect(`${again.status} ${again.data.id}`).toBe(`202 ${first.data.id}`);
  expect(again.headers.get("www-authenticate")).toBeNull();
  await pay(here.owner, "small", id).expect(429, "idempotency_in_progress");
  const [intent] = emulator.charges().filter(({ metadata }) => metadata.purchase_id === first.data.id);
  emulator.endProcessing({ payment_intent: intent!.payment_intent });
  await expect.poll(() => pay(here.owner, "small", id, means).then(({ status }) => status)).toBe(200);
  expect(await topup(here.owner)).toBe(2_000);
});

test("a payment that was refunded or disputed later is still the same purchase and is never charged again", async () => {
  const here = await world();
  const means = token();
  const id = await challenged(here.owner, "small");
  const first = await pay(here.owner, "small", id, means).expect(200);
  await atProcessor(emulator, "POST /v1/refunds", { payment_intent: first.data.receipt.reference, amount: "500" });
  await expect.poll(() => topup(here.owner)).toBe(1_500);
  const again = await pay(here.owner, "small", id, means);
  expectSamePurchase(again, first);
  expect(again.data.refunded_credits).toBe(500);
  emulator.dispute({ payment_intent: first.data.receipt.reference });
  await expect.poll(() => topup(here.owner)).toBe(0);
  expectSamePurchase(await pay(here.owner, "small", id, means), first);
  expect(emulator.captured()[id]).toMatchObject({ charges: 1 });
  await expectBalanced(here);
});

describe("another credential", () => {
  const declines = async (call: PromiseLike<Reply>, id: string, state: string) => {
    const reply = await call;
    expect(`${reply.status} ${reply.body?.code}`, reply.text).toBe("402 challenge_consumed");
    expect(reply.body.error.details).toMatchObject({ state, purchase_id: expect.any(String) });
    expect(challengeOf(reply).id).not.toBe(id);
    expect(reply.headers.get("payment-receipt")).toBeNull();
  };

  test("on a spent challenge is 402: other means, another key, another pack, another body, another echo", async () => {
    const here = await world();
    const admin = await here.as({ role: "admin" });
    const means = token();
    const body = { credits: 700 };
    const issued = challengeOf(await ask(here.owner, "custom", { body }).expect(402));
    const id = issued.id!;
    await pay(here.owner, "custom", id, { body, ...means }).expect(200);
    await declines(pay(here.owner, "custom", id, { body, ...token() }), id, "consumed");
    await giveCard(emulator, here);
    await declines(pay(here.owner, "custom", id, { body, ...SAVED }), id, "consumed");
    await declines(pay(admin, "custom", id, { body, ...means }), id, "consumed");
    await declines(pay(here.owner, "small", id, means), id, "consumed");
    await declines(pay(here.owner, "custom", id, { body: { credits: 50_000 }, ...means }), id, "consumed");
    const echo = { ...issued, request: base64url({ amount: "1", currency: "usd" }) };
    const altered = { challenge: echo, payload: { spt: means.with.shared_payment_token } };
    const headers = { authorization: `Payment ${base64url(altered)}` };
    await declines(ask(here.owner, "custom", { body, headers }), id, "consumed");
    const other = await here.other();
    await pay(other.owner, "custom", id, { body, ...means }).expect(402, "challenge_unknown");
    // The body may be written differently.
    const raw = '{ "credits" : 700 }';
    const credential = base64url({ challenge_id: id, ...means.with });
    const written = {
      "x-api-key": here.owner.key!,
      authorization: `Payment payload=${credential}`,
      "content-type": "application/json",
    };
    await here.owner.post("/api/mpp/v1/credits/custom", undefined, { raw, headers: written }).expect(200);
    expect(await topup(here.owner)).toBe(700);
    expect(await topup(other.owner)).toBe(0);
    await expectBalanced(here);
  });

  test("on a declined challenge is 402 and does not say that it was paid", async () => {
    const { owner } = await world();
    const id = await challenged(owner, "small");
    await pay(owner, "small", id, token("declined")).expect(402, "payment_failed");
    const reply = await pay(owner, "small", id);
    await declines(Promise.resolve(reply), id, "failed");
    expect(reply.body.detail).toMatch(/failed/);
    expect(reply.body.retryable).toBe(true);
  });
});

describe("a decline", () => {
  test.each([
    ["declined", "payment_failed", true],
    ["limit", "payment_insufficient", true],
    ["action", "payment_action_required", false],
    ["expired", "payment_failed", true],
  ])("because of %s, repeated, is the same decline with the same challenge", async (word, code, retryable) => {
    const here = await world();
    const means = token(word);
    const id = await challenged(here.owner, "small");
    const first = await pay(here.owner, "small", id, means).expect(402, code);
    const asked = chargesAsked();
    for (let time = 0; time < 3; time++) {
      const again = await pay(here.owner, "small", id, means).expect(402, code);
      const [{ request_id: _, ...body }, { request_id: __, ...earlier }] = [again.body, first.body];
      expect(body).toEqual(earlier);
      expect(body.retryable).toBe(retryable);
      expect(challengeOf(again)).toEqual(challengeOf(first));
    }
    expect(chargesAsked()).toBe(asked);
    // However many replies a client saw, it has one challenge to pay.
    const next = challengeOf(first).id!;
    const paid = await pay(here.owner, "small", next, token()).expect(200);
    expect(await topup(here.owner)).toBe(2_000);
    // The decline stays what it was, and says that its challenge is not to be paid again.
    const late = await pay(here.owner, "small", id, means).expect(402, code);
    expect(challengeOf(late).id).toBe(next);
    expect(late.body.retryable).toBe(false);
    const twice = await pay(here.owner, "small", next, token()).expect(402, "challenge_consumed");
    expect(twice.body.error.details).toMatchObject({ state: "consumed", purchase_id: paid.data.id });
    expect(await topup(here.owner)).toBe(2_000);
    await expectBalanced(here);
  });

  test("repeated after the replacement challenge has expired returns one new challenge, always the same", async () => {
    const here = await world();
    const means = token("declined");
    const id = await challenged(here.owner, "small");
    const next = challengeOf(await pay(here.owner, "small", id, means).expect(402)).id!;
    await here.sql(`update payment_challenge set expires_at = now() where id = $1`, [next]);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => pay(here.owner, "small", id, means) as PromiseLike<Reply>),
    );
    const named = new Set(replies.map((reply) => challengeOf(reply).id));
    expect(named.size).toBe(1);
    expect(named).not.toContain(next);
    await pay(here.owner, "small", [...named][0]!).expect(200);
  });

  test("of a saved card stays the same after the card was replaced", async () => {
    const here = await world();
    await giveCard(emulator, here, "pm_card_chargeCustomerFail");
    const id = await challenged(here.owner, "small");
    const first = await pay(here.owner, "small", id, SAVED).expect(402, "payment_failed");
    await giveCard(emulator, here);
    const again = await pay(here.owner, "small", id, SAVED).expect(402, "payment_failed");
    expect(challengeOf(again).id).toBe(challengeOf(first).id);
    await pay(here.owner, "small", challengeOf(first).id!, SAVED).expect(200);
  });
});

test("repeats and an Idempotency-Key together: whichever comes first is the purchase", async () => {
  const here = await world();
  const key = (name: string) => ({ headers: { "idempotency-key": name } });
  const means = token();
  const id = await challenged(here.owner, "small");
  const first = await pay(here.owner, "small", id, { ...key("a"), ...means }).expect(200);
  // Without the key, with another key, and with the key and another credential.
  expectSamePurchase(await pay(here.owner, "small", id, means), first);
  expectSamePurchase(await pay(here.owner, "small", id, { ...key("b"), ...means }), first);
  expectSamePurchase(await pay(here.owner, "small", await challenged(here.owner, "small"), key("a")), first);
  // The other key has bought nothing.
  await ask(here.owner, "small", key("b")).expect(402, "payment_required");
  expect(await topup(here.owner)).toBe(2_000);
});

test("the database contains nothing from which a credential can be made", async () => {
  const here = await world();
  const secret = newToken();
  const reply = await buy(here.owner, "small", { with: { shared_payment_token: secret } });
  await quiet(here);
  const rows = await here.sql<{ whole: string; means_hash: Buffer }>(
    `select p::text as whole, means_hash from purchase p where id = $1`,
    [reply.data.id],
  );
  const { whole, means_hash } = rows[0]!;
  expect(whole).not.toContain(secret);
  // Keyed, so that nobody who reads the table can test a token.
  for (const text of [secret, `token ${secret}`]) {
    expect(means_hash.equals(createHash("sha256").update(text).digest())).toBe(false);
  }
});

test("a client that is slow to hear of a decline pays once, whatever it repeats meanwhile", async () => {
  const here = await world();
  const means = token("declined");
  const id = await challenged(here.owner, "small");
  emulator.fault({ action: "delay", when: "after", delay_ms: 800 });
  const slow = pay(here.owner, "small", id, means) as PromiseLike<Reply>;
  await sleep(200);
  const replies: Reply[] = [];
  const insist = async (client: Client) => {
    for (;;) {
      const reply = await pay(client, "small", id, means);
      if (reply.status !== 429) return reply;
      await sleep(50);
    }
  };
  replies.push(...(await Promise.all([slow, insist(here.owner), insist(here.owner)])));
  expect(new Set(replies.map((reply) => `${reply.status} ${challengeOf(reply).id}`)).size).toBe(1);
});
