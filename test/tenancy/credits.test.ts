import { createHash, createPublicKey, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { flattenedVerify, importJWK } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { waitForGrant } from "../../src/domain/tenancy/credits/purchase-reply.ts";
import type { Purchase } from "../../src/domain/tenancy/credits/purchases.sql.ts";
import { reconcile } from "../../src/domain/tenancy/credits/reconcile.ts";
import { startWeb } from "../../src/start-web.ts";
import { snapshot } from "../contract/snapshot.ts";
import { app, configure } from "../support/app.ts";
import {
  ask,
  background,
  balances,
  base64url,
  buy,
  cardProcessorAtWork,
  challenged,
  challengeOf,
  expectBalanced,
  newToken,
  type Pack,
  pathOf,
  pay,
  quiet,
} from "../support/buyer.ts";
import { Client, type Reply } from "../support/client.ts";
import { undefinedEvents } from "../support/events.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Buying credits over HTTP 402, black box: from the challenge to the grant. */

const emulator = await cardProcessorAtWork();
// One of the tests asks for thirteen.
configure({ STRIPE_TIMEOUT_MS: "3000", CHALLENGES_PER_MINUTE: "20" });

beforeEach(() => emulator.clearFaults());

const PACKS: [pack: Pack, credits: number, cents: number, body: unknown][] = [
  ["small", 2_000, 2_000, undefined],
  ["medium", 5_500, 5_000, undefined],
  ["large", 12_000, 10_000, undefined],
  ["custom", 3_141, 3_141, { credits: 3_141 }],
];

const decoded = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
const receiptOf = ({ headers }: Reply) => decoded(headers.get("payment-receipt") ?? "");
const purchaseOf = ({ sql }: World, challenge: string) =>
  sql<{ id: string }>(`select id from purchase where challenge_id = $1`, [challenge]).then(([row]) => row!.id);
/** Workers ask the processor too, but only buyers charge. */
const chargesAsked = () =>
  emulator.requests().filter(({ method, path }) => `${method} ${path}` === "POST /v1/payment_intents").length;
const charges = () => emulator.charges().filter(({ status }) => status === "succeeded").length;

describe.each(PACKS)("the %s pack", (pack, credits, cents, body) => {
  test("is offered exactly as the scheme says, at the price in the table", async () => {
    const { owner } = await world();
    const reply = await ask(owner, pack, { body }).expect(402, "payment_required");
    const { id, expires, request, digest, ...rest } = challengeOf(reply);
    expect(rest).toEqual({
      realm: "muster.test",
      method: "stripe",
      intent: "charge",
      description: `${credits} AI credits`,
      amount: String(cents),
      currency: "USD",
    });
    expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect((Date.parse(expires!) - Date.now()) / 60_000).toBeCloseTo(10, 0);
    const json = `{"amount":"${cents}","currency":"usd","description":"${credits} AI credits","methodDetails":{"networkId":"profile_test_123","paymentMethodTypes":["card","link"]}}`;
    expect(Buffer.from(request!, "base64url").toString()).toBe(json);
    const hash = createHash("sha256")
      .update(JSON.stringify(body) ?? "")
      .digest("base64");
    expect(digest).toBe(pack === "custom" ? `sha-256=:${hash}:` : undefined);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(reply.headers.get("payment-receipt")).toBeNull();
    const offer = {
      intent: "charge",
      method: "stripe",
      amount: String(cents),
      currency: "USD",
      description: `${credits} AI credits`,
    };
    expect(reply.body).toMatchObject({
      type: "https://paymentauth.org/problems/payment-required",
      status: 402,
      code: "payment_required",
      error: { code: "payment_required" },
      retryable: true,
      challenge: { challenge_id: id, expires_at: expires, credits, ...offer, offers: [offer] },
    });
    const again = challengeOf(await ask(owner, pack, { body }).expect(402));
    expect(again).toMatchObject({ request, ...(digest ? { digest } : {}) });
    expect(again.id).not.toBe(id);
  });

  test("is paid and granted, and returns a receipt that others can verify", async () => {
    const here = await world();
    const { owner, workspace } = here;
    const challenge = await challenged(owner, pack, { body });
    const token = newToken();
    const paid = await pay(owner, pack, challenge, { body, with: { shared_payment_token: token } }).expect(200);
    expect(paid.headers.get("cache-control")).toBe("private, no-store");
    expect(paid.headers.get("www-authenticate")).toBeNull();
    const { data } = paid;
    expect(data).toMatchObject({
      id: data.purchase_id,
      challenge_id: challenge,
      pack,
      credits,
      amount: String(cents),
      currency: "USD",
      payment_status: "succeeded",
      credits_status: "granted",
      ai_credits: { remaining: 15_000, topup_balance: credits },
      balance: 15_000 + credits,
    });
    expect(await balances(owner)).toMatchObject({ remaining: 15_000, topup_balance: credits, used: 0 });

    const [charge] = emulator.charges().filter(({ metadata }) => metadata.challenge_id === challenge);
    expect(charge).toMatchObject({ amount: cents, idempotency_key: `mpp_${challenge}` });
    expect(charge!.metadata).toMatchObject({
      purchase_id: data.id,
      workspace_id: workspace.id,
      pack,
      credits: String(credits),
      machine_payment: "true",
    });

    const receipt = receiptOf(paid);
    expect(receipt).toEqual(data.receipt);
    expect(receipt).toMatchObject({
      status: "success",
      method: "stripe",
      intent: "charge",
      reference: charge!.payment_intent,
      amount: String(cents),
      currency: "usd",
      credits,
      pack,
      challengeId: challenge,
      purchaseId: data.id,
      workspace: workspace.slug,
      issuer: "https://muster.test",
      paymentType: "shared_payment_token",
    });
    await expectSigned(owner, receipt);
    expect(data.refunded_credits).toBe(0);
    const read = await owner.get(`/api/mpp/v1/purchases/${data.id}`).expect(200);
    expect(read.data).toEqual(data);
    expect(read.headers.get("payment-receipt")).toBe(paid.headers.get("payment-receipt"));
    await expectBalanced(here);
  });
});

/** With jose, and with node:crypto in ten lines, against the published keys. */
async function expectSigned(client: Client, { signature, ...content }: Record<string, string>): Promise<void> {
  const { signing_keys } = (await client.get("/.well-known/ucp").expect(200)).body;
  const jwk = signing_keys.find(({ kid }: { kid: string }) => kid === content.kid);
  const payload = base64url(JSON.stringify(content, Object.keys(content).sort()));
  const [head = "", , signed = ""] = signature!.split(".");
  expect(decoded(head)).toEqual({ alg: "EdDSA", kid: content.kid });
  await flattenedVerify({ protected: head, payload, signature: signed }, await importJWK(jwk, "EdDSA"));
  const key = createPublicKey({ key: jwk, format: "jwk" });
  expect(verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signed, "base64url"))).toBe(true);
}

describe("a call for credits", () => {
  test("is checked in order: key, rights, body, credential, challenge", async () => {
    const { owner, as, nobody } = await world();
    const broken = { authorization: "Payment payload=!!!" };
    const bad = { body: { credits: 1 }, headers: broken };
    const unknown = await nobody.post(pathOf("custom"), { credits: 1 }, { headers: broken }).expect(401);
    expect(unknown.headers.get("www-authenticate")).toMatch(/^Bearer /);
    await ask(await as({ role: "admin", scopes: ["write", "webhooks:write"] }), "custom", bad).expect(403);
    await ask(await as({ role: "member" }), "custom", bad).expect(403, "insufficient_role");
    const body = await ask(owner, "custom", bad).expect(400, "validation_failed");
    expect(body.headers.get("www-authenticate")).toBeNull();
    for (const credits of [499, 50_001, 500.5, "500", null, undefined]) {
      await ask(owner, "custom", { body: { credits } }).expect(400);
    }
    await ask(owner, "custom", { body: { credits: 500 }, headers: broken }).expect(400, "malformed_credential");
    await ask(owner, "custom", { body: { credits: 500 } }).expect(402);
    await ask(owner, "custom", { body: { credits: 50_000 } }).expect(402);
  });

  test("for a pack of a fixed size needs no body", async () => {
    const { owner } = await world();
    const misled = await ask(owner, "small", { body: { credits: 50_000 } }).expect(400, "unknown_field");
    expect(misled.headers.get("www-authenticate")).toBeNull();
    await ask(owner, "small", { headers: { "content-type": "text/plain", "content-length": "0" } }).expect(402);
    // An empty object is as good as no body, also for who repeats the call.
    const headers = { "idempotency-key": "empty" };
    const id = await challenged(owner, "small", { body: {}, headers });
    const { data } = await pay(owner, "small", id, { headers }).expect(200);
    expect((await ask(owner, "small", { body: {}, headers }).expect(200)).data.id).toBe(data.id);
  });

  test("requests Payment-Authorization only if the key came as Bearer, and reads a credential from both", async () => {
    const { owner } = await world();
    const byBearer = await owner.post(pathOf("small")).expect(402);
    expect(challengeOf(byBearer).header).toBe("Payment-Authorization");
    expect(challengeOf(await ask(owner, "small").expect(402)).header).toBeUndefined();
    const credential = (id = "") => `Payment ${base64url({ challenge_id: id, shared_payment_token: newToken() })}`;
    const apart = { "payment-authorization": credential(challengeOf(byBearer).id) };
    await owner.post(pathOf("small"), undefined, { headers: apart }).expect(200);
    const keyed = { "payment-authorization": credential(await challenged(owner, "small")), authorization: "" };
    await ask(owner, "small", { headers: keyed }).expect(200);
    const id = await challenged(owner, "small");
    const both = { "payment-authorization": credential(id), authorization: credential(id) };
    await ask(owner, "small", { headers: both }).expect(400, "malformed_credential");
  });

  test.each([
    ["payload=", (json: string) => `payload=${json}`],
    ['payload="…"', (json: string) => `payload="${json}"`],
    ["token68", (json: string) => json],
  ])("takes %s in the spec's shape and in the scheme's", async (_, carry) => {
    const { owner } = await world();
    const send = (value: unknown) =>
      ask(owner, "small", { headers: { authorization: `payment ${carry(base64url(value))}` } });
    const id = await challenged(owner, "small");
    await send({ challenge_id: id, shared_payment_token: newToken() }).expect(200);
    const challenge = challengeOf(await ask(owner, "small").expect(402));
    await send({ challenge, payload: { spt: newToken() }, source: "did:key:z6Mk" }).expect(200);
  });
});

describe("a payment that does not succeed", () => {
  test.each([
    ["declined", "payment_failed", "verification-failed", true],
    ["expired", "payment_failed", "verification-failed", true],
    ["limit", "payment_insufficient", "payment-insufficient", true],
    ["action", "payment_action_required", "payment-action-required", false],
  ])("because the token is %s is 402 %s with a fresh challenge", async (word, code, type, retryable) => {
    const here = await world();
    const { owner } = here;
    const id = await challenged(owner, "small");
    const reply = await pay(owner, "small", id, { with: { shared_payment_token: newToken(word) } }).expect(402, code);
    expect(reply.body).toMatchObject({ type: `https://paymentauth.org/problems/${type}`, retryable });
    expect(reply.text).not.toContain("spt_");
    const fresh = challengeOf(reply).id!;
    expect(fresh).not.toBe(id);
    // Spent, however it ended; the fresh one is good.
    const again = await pay(owner, "small", id).expect(402, "challenge_consumed");
    expect(again.body.error.details).toMatchObject({ state: "failed", purchase_id: expect.any(String) });
    expect(again.body.retryable).toBe(true);
    await pay(owner, "small", fresh).expect(200);
    expect(await balances(owner)).toMatchObject({ topup_balance: 2_000 });
    await expectBalanced(here);
  });

  test("because it is still processing returns 202 without a receipt; the credits come later", async () => {
    const here = await world({ webhook: ["credits.*"] });
    const { owner } = here;
    const reply = await buy(owner, "small", { with: { shared_payment_token: newToken("processing") } });
    expect(reply.status, reply.text).toBe(202);
    expect(reply.headers.get("payment-receipt")).toBeNull();
    expect(reply.data).toMatchObject({ payment_status: "pending", credits_status: "pending", receipt: null });
    const path = `/api/mpp/v1/purchases/${reply.data.id}`;
    await owner.get(path).expect(202);
    const [intent] = emulator.charges().filter(({ metadata }) => metadata.purchase_id === reply.data.id);
    emulator.endProcessing({ payment_intent: intent!.payment_intent });
    await expect.poll(() => owner.get(path).then(({ status }) => status)).toBe(200);
    expect((await owner.get(path)).data).toMatchObject({ payment_status: "succeeded", credits_status: "granted" });
    expect(await balances(owner)).toMatchObject({ topup_balance: 2_000 });
    const [message] = await here.receiver.waitFor(1);
    expect(message!.json).toMatchObject({ type: "credits.purchased", data: { purchase_id: reply.data.id } });
  });

  test("in the end, after 202, is shown as failed and grants nothing", async () => {
    const here = await world();
    const { owner } = here;
    const headers = { "idempotency-key": "ends-badly" };
    const reply = await buy(owner, "small", { headers, with: { shared_payment_token: newToken("processing") } });
    const path = `/api/mpp/v1/purchases/${reply.data.id}`;
    await ask(owner, "small", { headers }).expect(202);
    const intent = emulator.charges().find(({ metadata }) => metadata.purchase_id === reply.data.id)!.payment_intent;
    emulator.endProcessing({ payment_intent: intent, outcome: "failed" });
    await expect.poll(() => owner.get(path).then(({ data }) => data.payment_status)).toBe("failed");
    const read = await owner.get(path).expect(200);
    expect(read.data).toMatchObject({ credits_status: "none", receipt: null });
    expect(read.headers.get("payment-receipt")).toBeNull();
    expect(await balances(owner)).toMatchObject({ topup_balance: 0 });
    // Nothing was paid under the key, so it is free to pay with.
    expect((await buy(owner, "small", { headers })).status).toBe(200);
    await expectBalanced(here);
  });

  test("because its outcome is unknown is logged with its purchase and the reason, without the token", async () => {
    const { owner } = await world();
    const web = await startProcess("web", (await app()).config, { LOG_LEVEL: "warn" });
    try {
      emulator.fault({ action: "error", when: "before" });
      const id = await challenged(owner, "small");
      const reply = await pay(new Client(web.url, {}, owner), "small", id).expect(503, "payment_unknown");
      const line = web
        .output()
        .split("\n")
        .find((text) => text.includes("the outcome of a charge is unknown"));
      expect(JSON.parse(line ?? "{}")).toMatchObject({
        purchase_id: reply.body.error.details.purchase_id,
        reason: expect.stringMatching(/500/),
      });
      expect(web.output()).not.toMatch(/spt_test/);
    } finally {
      await web.kill();
    }
  });

  test("because its outcome is unknown is 503, never 402, and resolves by itself", async () => {
    const here = await world();
    const { owner } = here;
    emulator.holdEvents();
    const id = await challenged(owner, "small");
    const before = charges();
    const lost = { with: { shared_payment_token: newToken("timeout") } };
    const reply = await pay(owner, "small", id, lost).expect(503, "payment_unknown");
    expect(reply.headers.get("retry-after")).toBe("5");
    expect(reply.body.type).toBe("https://paymentauth.org/problems/internal-payment-error");
    const again = await pay(owner, "small", id).expect(429, "idempotency_in_progress");
    expect(again.headers.get("retry-after")).toBe("1");
    await emulator.releaseEvents();
    const path = `/api/mpp/v1/purchases/${reply.body.error.details.purchase_id}`;
    await expect.poll(() => owner.get(path).then(({ data }) => data.credits_status)).toBe("granted");
    await pay(owner, "small", id).expect(402, "challenge_consumed");
    expect(charges() - before).toBe(1);
    expect(await balances(owner)).toMatchObject({ topup_balance: 2_000 });
  });

  test.each([
    ["amount", { amount_received: 1 }],
    ["currency", { currency: "eur" }],
  ])("because another %s was charged is unknown, logged as an error, and never granted", async (_, wrong) => {
    const here = await world();
    const intent = { id: `pi_${newToken()}`, object: "payment_intent", status: "succeeded", metadata: {} };
    const answered = { ...intent, amount: 2_000, amount_received: 2_000, currency: "usd", ...wrong };
    const processor = createServer((request, response) => {
      request.resume().on("end", () => response.end(JSON.stringify(answered)));
    });
    await new Promise<void>((listening) => processor.listen(0, "127.0.0.1", listening));
    const { port } = processor.address() as AddressInfo;
    const web = await startProcess("web", (await app()).config, { STRIPE_API_BASE: `http://127.0.0.1:${port}` });
    try {
      const id = await challenged(here.owner, "small");
      await pay(new Client(web.url, {}, here.owner), "small", id).expect(503, "payment_unknown");
      expect(web.output()).toMatch(/a card was charged an amount other than the price/);
      await pay(here.owner, "small", id).expect(429, "idempotency_in_progress");
      await quiet(here);
      // It is asked for by its id, and stays open however long that takes.
      const rows = () => here.sql(`select state, payment_intent from purchase where challenge_id = $1`, [id]);
      expect(await rows()).toEqual([{ state: "processing", payment_intent: intent.id }]);
      const ctx = await background(new Date(Date.now() + 86_400_000).toISOString());
      expect(await reconcile(ctx, here.workspace.id, await purchaseOf(here, id))).toBe("unknown");
      expect(await rows()).toEqual([{ state: "processing", payment_intent: intent.id }]);
      expect(await balances(here.owner)).toMatchObject({ topup_balance: 0 });
    } finally {
      await web.kill();
      processor.close();
    }
  });
});

describe("a challenge", () => {
  const expectFresh = (reply: Reply, id: string) => expect(challengeOf(reply).id).not.toBe(id);

  test("can be paid once", async () => {
    const { owner } = await world();
    const id = await challenged(owner, "small");
    const { data } = await pay(owner, "small", id).expect(200);
    const again = await pay(owner, "small", id).expect(402, "challenge_consumed");
    expect(again.body).toMatchObject({
      type: "https://paymentauth.org/problems/invalid-challenge",
      retryable: false,
      error: { details: { state: "consumed", purchase_id: data.id } },
    });
    expectFresh(again, id);
    expect(again.headers.get("payment-receipt")).toBeNull();
    expect(emulator.captured()[id]).toEqual({ charges: 1, amount: 2_000, refunded: 0 });
  });

  test("expires after ten minutes", async () => {
    const { owner, sql } = await world();
    const id = await challenged(owner, "small");
    await sql(`update payment_challenge set expires_at = now() where id = $1`, [id]);
    const late = await pay(owner, "small", id).expect(402, "challenge_expired");
    expect(late.body.type).toBe("https://paymentauth.org/problems/payment-expired");
    expectFresh(late, id);
    // The sweep closes it for good.
    const state = () => sql(`select state from payment_challenge where id = $1`, [id]).then(([row]) => row?.state);
    await expect.poll(state, { timeout: 5_000 }).toBe("expired");
    await pay(owner, "small", id).expect(402, "challenge_expired");
    expect(emulator.captured()[id]).toBeUndefined();
    // A day later it is deleted.
    await sql(`update payment_challenge set expires_at = now() - interval '25 hours' where id = $1`, [id]);
    await expect.poll(state, { timeout: 5_000 }).toBeUndefined();
  });

  test("is for one workspace, one pack and one size", async () => {
    const here = await world();
    const { owner } = here;
    const other = await here.other();
    const id = await challenged(owner, "small");
    const unknown = await pay(other.owner, "small", id).expect(402, "challenge_unknown");
    expect(unknown.body.type).toBe("https://paymentauth.org/problems/invalid-challenge");
    expectFresh(unknown, id);
    await pay(owner, "small", "no-such-challenge").expect(402, "challenge_unknown");
    expectFresh(await pay(owner, "large", id).expect(402, "challenge_mismatch"), id);
    const custom = await challenged(owner, "custom", { body: { credits: 500 } });
    await pay(owner, "custom", custom, { body: { credits: 50_000 } }).expect(402, "challenge_mismatch");
    expect(emulator.captured()[id]).toBeUndefined();
    expect(emulator.captured()[custom]).toBeUndefined();
    // None of that used them up, and the same body may be written differently.
    await pay(owner, "small", id).expect(200);
    const raw = '{ "credits" : 500 }';
    const authorization = `Payment ${base64url({ challenge_id: custom, shared_payment_token: newToken() })}`;
    const headers = { "x-api-key": owner.key!, authorization, "content-type": "application/json" };
    await owner.post(pathOf("custom"), undefined, { raw, headers }).expect(200);
  });

  test("must be repeated as it was issued, if it is repeated", async () => {
    const { owner } = await world();
    const issued = challengeOf(await ask(owner, "custom", { body: { credits: 500 } }).expect(402));
    const send = (changes: Record<string, string>) =>
      ask(owner, "custom", {
        body: { credits: 500 },
        headers: {
          authorization: `Payment ${base64url({ challenge: { ...issued, ...changes }, payload: { spt: newToken() } })}`,
        },
      });
    const others: Record<string, string>[] = [
      { realm: "evil.test" },
      { intent: "session" },
      { request: base64url({ amount: "1", currency: "usd" }) },
      { expires: "2036-01-01T00:00:00Z" },
      { digest: "sha-256=:lo2kwUraK3MPrmk4/j/MrzRDnWkMO7HT9sRXFr3Z/dk=:" },
      { opaque: "e30" },
    ];
    for (const changes of others) await send(changes).expect(402, "challenge_mismatch");
    const method = await send({ method: "tempo" }).expect(400, "method_unsupported");
    expect(method.body.type).toBe("https://paymentauth.org/problems/method-unsupported");
    expectFresh(method, issued.id!);
    await send({ digest: issued.digest!.replaceAll(":", "") }).expect(200);
  });
});

describe("Idempotency-Key", () => {
  const withKey = (key: string, more: Record<string, string> = {}) => ({ "idempotency-key": key, ...more });

  test("repeats the 200 and its receipt, also to a call without a credential; never a 402", async () => {
    const { owner } = await world();
    const headers = withKey("key-1");
    const id = await challenged(owner, "small", { headers });
    await challenged(owner, "small", { headers });
    const declined = { headers, with: { shared_payment_token: newToken("declined") } };
    const fresh = challengeOf(await pay(owner, "small", id, declined).expect(402)).id!;
    const first = await pay(owner, "small", fresh, { headers }).expect(200);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const before = charges();
    for (const reply of [
      await ask(owner, "small", { headers }).expect(200),
      await pay(owner, "small", fresh, { headers }).expect(200),
      await pay(owner, "small", await challenged(owner, "small"), { headers }).expect(200),
    ]) {
      expect(reply.data).toEqual(first.data);
      expect(reply.headers.get("payment-receipt")).toBe(first.headers.get("payment-receipt"));
      expect(reply.headers.get("idempotent-replayed")).toBe("true");
    }
    expect(charges()).toBe(before);
    expect(await balances(owner)).toMatchObject({ topup_balance: 2_000 });
  });

  test("belongs to one body, one pack and one key", async () => {
    const { owner, as } = await world();
    const headers = withKey("key-2");
    const paying = { body: { credits: 500 }, headers };
    expect((await buy(owner, "custom", paying)).status).toBe(200);
    const other = await ask(owner, "custom", { body: { credits: 501 }, headers }).expect(409, "idempotency_key_reused");
    expect(other.body.error.code).toBe("idempotency_violation");
    await ask(owner, "small", { headers }).expect(402);
    await ask(await as({ role: "admin" }), "custom", paying).expect(402);
  });

  test("depends on the meaning of the body, not on its spelling or on how the previous version stored it", async () => {
    const { owner, sql } = await world();
    const headers = withKey("spelled", { "x-api-key": owner.key ?? "" });
    const first = await buy(owner, "custom", { body: { credits: 500 }, headers });
    const before = charges();
    for (const raw of ['{ "credits" : 500 }', '{"credits":5e2}\n', '{"credits":501,"credits":500}']) {
      const again = await owner.post("/api/mpp/v1/credits/custom", undefined, { raw, headers }).expect(200);
      expect(again.data).toEqual(first.data);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      // Before, the text as it came was hashed.
      await sql("update purchase set body_hash = sha256($2::bytea) where idempotency_key = $1", ["spelled", raw]);
    }
    expect(charges()).toBe(before);
  });

  test("returns 429 while the first call is in progress", async () => {
    const { owner } = await world();
    const headers = withKey("key-3");
    const id = await challenged(owner, "small", { headers });
    const second = await challenged(owner, "small", { headers });
    // A notice would resolve it before the reply does.
    emulator.holdEvents();
    emulator.fault({ action: "delay", when: "after", delay_ms: 2_000 });
    const paying = pay(owner, "small", id, { headers });
    await expect.poll(() => emulator.faults().length).toBe(0);
    for (const call of [
      ask(owner, "small", { headers }),
      pay(owner, "small", id, { headers }),
      pay(owner, "small", id),
      pay(owner, "small", second, { headers }),
    ]) {
      const reply = await call.expect(429, "idempotency_in_progress");
      expect(reply.headers.get("retry-after")).toBe("1");
    }
    const paid = await paying.expect(200);
    await emulator.releaseEvents();
    expect((await ask(owner, "small", { headers }).expect(200)).data.id).toBe(paid.data.id);
    expect(emulator.captured()[second]).toBeUndefined();
  });
});

describe("a malformed credential", () => {
  const json = (value: unknown) => `Payment ${base64url(value)}`;
  const malformed = (id: string): Record<string, string> => {
    const good = { challenge_id: id, shared_payment_token: "spt_test_ok" };
    const echo = { challenge: { id }, payload: { spt: "spt_test_ok" } };
    return {
      "nothing after the scheme": "Payment",
      "nothing after payload=": "Payment payload=",
      "an empty quoted value": 'Payment payload=""',
      "no base64": "Payment payload=!!!",
      "standard base64 with bad padding": "Payment e30==",
      "one character": "Payment a",
      "a colon": `Payment ${base64url(good)}:`,
      "JSON as it is": `Payment ${JSON.stringify(good)}`,
      "two parameters": `Payment payload=${base64url(good)}, other="1"`,
      "the payload twice": `Payment payload=${base64url(good)}, payload=${base64url(good)}`,
      "another parameter": `Payment token=${base64url(good)}`,
      "an open quote": `Payment payload="${base64url(good)}`,
      "bytes that are no UTF-8": `Payment ${Buffer.from([0xff, 0xfe, 0x7b]).toString("base64url")}`,
      "half of the JSON": json(`{"challenge_id":"${id}"`),
      "an empty object": json({}),
      "an array": json([good]),
      "a string": json(`"${id}"`),
      "a number": json("7"),
      null: json("null"),
      "a member twice": json(`{"challenge_id":"x","challenge_id":"${id}","shared_payment_token":"spt_test_ok"}`),
      "no challenge": json({ shared_payment_token: "spt_test_ok" }),
      "a challenge that is a number": json({ ...good, challenge_id: 7 }),
      "an empty challenge": json({ ...good, challenge_id: "" }),
      "NUL in the challenge": json({ ...good, challenge_id: "a\u0000b" }),
      "no means": json({ challenge_id: id }),
      "both means": json({ ...good, use_saved_card: true }),
      "use_saved_card: false": json({ challenge_id: id, use_saved_card: false }),
      'use_saved_card: "true"': json({ challenge_id: id, use_saved_card: "true" }),
      "use_saved_card: 1": json({ challenge_id: id, use_saved_card: 1 }),
      "an empty token": json({ ...good, shared_payment_token: "" }),
      "a token that is null": json({ ...good, shared_payment_token: null }),
      "a token that is an object": json({ ...good, shared_payment_token: {} }),
      "a token with a line break": json({ ...good, shared_payment_token: "spt_test_ok\r\nx: y" }),
      "a long token": json({ ...good, shared_payment_token: "x".repeat(501) }),
      "an unknown member": json({ ...good, amount: 1 }),
      "both shapes": json({ ...good, ...echo }),
      "a challenge without a payload": json({ challenge: echo.challenge }),
      "a payload without a challenge": json({ payload: echo.payload }),
      "a payload that is a string": json({ ...echo, payload: "spt_test_ok" }),
      "a challenge without an id": json({ ...echo, challenge: {} }),
      "both means in the payload": json({ ...echo, payload: { spt: "x", use_saved_card: true } }),
      "a realm that is a number": json({ ...echo, challenge: { id, realm: 7 } }),
      "deep nesting": json(
        `{"challenge":{"id":"${id}","x":${"[".repeat(500)}${"]".repeat(500)}},"payload":{"spt":"x"}}`,
      ),
    };
  };

  /** What is left to do for other purchases is done first. */
  const othersDone = async ({ sql }: World) => {
    await emulator.idle();
    const open = () =>
      sql<{ open: number }>(`select (select count(*) from outbox) + (select count(*) from reaction) as open`);
    await expect.poll(() => open().then(([row]) => row?.open), { timeout: 20_000 }).toBe(0);
  };
  /** Other tests' purchases are still being asked about; this workspace has none. */
  const withoutChallenges = async (here: World) => {
    const { payment_challenge, purchase, ...rest } = await snapshot(here);
    return { ...rest, own: await here.sql(`select id from purchase where workspace_id = $1`, [here.workspace.id]) };
  };

  test("is 400 with a fresh challenge and changes nothing", async () => {
    const here = await world();
    const { owner } = here;
    const id = await challenged(owner, "small");
    await othersDone(here);
    const [asked, before] = [chargesAsked(), await withoutChallenges(here)];
    expect(Object.keys(malformed(id)).length).toBeGreaterThanOrEqual(30);
    for (const [what, value] of Object.entries(malformed(id))) {
      const name = what.length % 2 ? "authorization" : "payment-authorization";
      const headers = { ...(name === "authorization" ? {} : { authorization: "" }), [name]: value };
      const reply = await ask(owner, "small", { headers });
      expect(`${what}: ${reply.status} ${reply.body?.code}`, reply.text).toBe(`${what}: 400 malformed_credential`);
      expect(reply.body.type).toBe("https://paymentauth.org/problems/malformed-credential");
      expect(challengeOf(reply)).toMatchObject({ amount: "2000", method: "stripe" });
      expect(reply.text).not.toContain("spt_test_ok");
    }
    expect(await withoutChallenges(here)).toEqual(before);
    expect(chargesAsked()).toBe(asked);
    const states = await here.sql(`select distinct state from payment_challenge where workspace_id = $1`, [
      here.workspace.id,
    ]);
    expect(states).toEqual([{ state: "issued" }]);
    await pay(owner, "small", id).expect(200);
  });

  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  test(`is never a fault, a payment or a change, whatever it is (FUZZ_SEED=${seed})`, async () => {
    const here = await world();
    const { owner } = here;
    await othersDone(here);
    const [asked, before] = [chargesAsked(), await withoutChallenges(here)];
    const text = fc.string({ unit: fc.constantFrom(..."abcXYZ019+/=-_.,;: \"'\\{}[]!%&~") });
    const value = fc.oneof(
      text.map((tail) => `Payment ${tail}`),
      text.map((tail) => `Payment payload=${tail}`),
      fc.jsonValue({ maxDepth: 3 }).map(json),
      fc
        .dictionary(
          fc.constantFrom("challenge_id", "shared_payment_token", "use_saved_card", "challenge", "payload"),
          fc.jsonValue(),
        )
        .map(json),
    );
    const check = fc.asyncProperty(value, async (authorization) => {
      const reply = await ask(owner, "small", { headers: { authorization } });
      expect([400, 402], reply.text).toContain(reply.status);
      if (reply.status === 400) expect(reply.body.code).toBe("malformed_credential");
      expect(challengeOf(reply).amount).toBe("2000");
    });
    await fc.assert(check, { seed, numRuns: 150 });
    expect(await withoutChallenges(here)).toEqual(before);
    expect(chargesAsked()).toBe(asked);
  });
});

describe("events", () => {
  test("credits.purchased reaches a webhook; what workers tell each other reaches none", async () => {
    const here = await world({ webhook: ["*"] });
    const reply = await buy(here.owner, "medium");
    expect(reply.status, reply.text).toBe(200);
    await emulator.idle();
    const { receiver } = here;
    await expect.poll(() => receiver.requests.map(({ json }) => json.type)).toContain("credits.purchased");
    const drained = () =>
      here.sql<{ open: number }>(
        `select (select count(*) from outbox) + (select count(*) from reaction)
              + (select count(*) from webhook_delivery where state in ('pending', 'delivering')) as open`,
      );
    await expect.poll(() => drained().then(([row]) => row?.open), { timeout: 10_000 }).toBe(0);
    expect(receiver.requests.map(({ json }) => json.type)).toEqual(["credits.purchased"]);
    expect(receiver.requests[0]!.json.data).toEqual({
      purchase_id: reply.data.id,
      pack: "medium",
      credits: 5_500,
      amount_cents: 5_000,
      currency: "USD",
      topup_balance: 5_500,
    });
    const internal = await here.sql(
      `select distinct type from event where workspace_id = $1 and type like 'payment.%'`,
      [here.workspace.id],
    );
    expect(internal.length).toBeGreaterThan(0);
    for (const name of ["payment.succeeded", "payment.noticed", "card.noticed", "payment.*", "card.*"]) {
      const refused = await here.owner.patch(`W/webhooks/${await hookId(here)}`, { event_types: [name] });
      expect(`${name} ${refused.status}`).toBe(`${name} 400`);
    }
  });

  const hookId = async ({ owner }: World) => (await owner.get("W/webhooks").expect(200)).data[0].id;
});

describe("an installation", () => {
  test("whose receipt key was changed still publishes the old one, and old receipts verify", async () => {
    const { owner } = await world();
    const old = await buy(owner, "small");
    const { config } = await app();
    const next = Buffer.alloc(32, 9).toString("base64");
    const web = await startWeb({ ...config, RECEIPT_KEY: next, RECEIPT_KEYS_RETIRED: [config.RECEIPT_KEY] });
    try {
      const there = new Client(`http://127.0.0.1:${web.port}`, {}, owner);
      const fresh = receiptOf(await buy(there, "small"));
      expect(fresh.kid).not.toBe(old.data.receipt.kid);
      await expectSigned(there, fresh);
      await expectSigned(there, (await there.get(`/api/mpp/v1/purchases/${old.data.id}`).expect(200)).data.receipt);
    } finally {
      await web.stop();
    }
  });

  test("without a card processor answers 503, and says so when it starts", async () => {
    const { owner } = await world();
    const { config } = await app();
    const web = await startProcess("web", config, { LOG_LEVEL: "info", STRIPE_SECRET_KEY: "", STRIPE_API_BASE: "" });
    try {
      const there = new Client(web.url, {}, owner);
      const reply = await ask(there, "small").expect(503, "payments_off");
      expect(reply.headers.get("retry-after")).toBe("3600");
      expect(reply.headers.get("www-authenticate")).toBeNull();
      await ask(there, "custom", { body: { credits: 1 } }).expect(400);
      await there.post("/api/mpp/v1/card/setup").expect(403, "person_required");
      expect(web.output()).toMatch(/payments_off: STRIPE_SECRET_KEY is not set/);
    } finally {
      await web.kill();
    }
  });

  test("limits the challenges of a workspace", async () => {
    const here = await world();
    const { config } = await app();
    const web = await startWeb({ ...config, CHALLENGES_PER_MINUTE: 3 });
    try {
      const there = new Client(`http://127.0.0.1:${web.port}`, {}, here.owner);
      for (let call = 0; call < 3; call++) await ask(there, "small").expect(402);
      const refused = await ask(there, "small").expect(429, "rate_limited");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

      // Ten times as many for calls that do carry a credential, be it a bad one.
      const another = new Client(`http://127.0.0.1:${web.port}`, {}, (await here.other()).owner);
      const bad = { headers: { authorization: "Payment payload=!!!" } };
      for (let call = 0; call < 30; call++) await ask(another, "small", bad).expect(400, "malformed_credential");
      await ask(another, "small", bad).expect(429, "rate_limited");
      await pay(another, "small", "no-such-challenge").expect(429, "rate_limited");
    } finally {
      await web.stop();
    }
  });
});

test("a receipt has the time of the payment, not that of the call", async () => {
  const { owner } = await world();
  const id = await challenged(owner, "small");
  emulator.fault({ action: "delay", when: "before", delay_ms: 1_500 });
  const { data } = await pay(owner, "small", id).expect(200);
  expect(Date.parse(data.receipt.timestamp) - Date.parse(data.created_at)).toBeGreaterThanOrEqual(1_400);
});

test("a buyer waits two seconds for the grant at most, however slow the database is", async () => {
  let asked = 0;
  const query = async () => {
    asked++;
    await sleep(500);
    return [];
  };
  const began = performance.now();
  const ctx = { db: { query }, workspace: { id: "w" } } as unknown as Parameters<typeof waitForGrant>[0];
  await waitForGrant(ctx, { id: "p", state: "succeeded", granted_at: null } as Purchase);
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(asked).toBeGreaterThan(1);
});

test("only admins of the workspace can read its purchases", async () => {
  const here = await world();
  const { data } = await buy(here.owner, "small");
  const path = `/api/mpp/v1/purchases/${data.id}`;
  await (await here.as({ role: "admin" })).get(path).expect(200);
  await (await here.as({ role: "member" })).get(path).expect(403);
  await (await here.other()).owner.get(path).expect(404);
  await here.owner.get("/api/mpp/v1/purchases/nonsense").expect(404);
});

test("after all of these tests, balances equal the sums of their ledger lines", async () => {
  await emulator.idle();
  await expectBalanced(await world());
});

test("events of purchases match their definitions", async () => {
  expect(await undefinedEvents(await world())).toEqual([]);
});
