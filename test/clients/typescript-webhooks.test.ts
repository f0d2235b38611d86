import { readFileSync } from "node:fs";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../../clients/typescript/src/index.ts";
import { newWebhookSecret } from "../../src/domain/kernel/secrets.ts";
import { drain } from "../support/jobs.ts";
import { musterOf } from "../support/muster.ts";
import { startReceiver } from "../support/receiver.ts";
import { world } from "../support/world.ts";

const vector = JSON.parse(readFileSync(new URL("../../docs/webhook-vector.json", import.meta.url), "utf8"));
const NOW = Date.parse("2026-01-15T09:30:00Z");
const AT = NOW / 1000;
const ID = "0199a1b2-0000-7000-8000-000000000001";
const BODY = JSON.stringify({ id: ID, type: "issue.updated", data: { title: "Übergrößen ✓" } });
const SECRET = newWebhookSecret();

/** Headers as the reference library makes them. */
const signed = (secrets: readonly string[] = [SECRET], at = AT, body = BODY, id = ID) => ({
  "webhook-id": id,
  "webhook-timestamp": String(at),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, new Date(at * 1000), body)).join(" "),
});

describe("verifyWebhook", () => {
  test("accepts what the reference library has signed, in every form of body and headers", async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, bytes.buffer]) {
      expect(await verifyWebhook(body, signed(), SECRET, { now: NOW })).toEqual(JSON.parse(BODY));
    }
    const { "webhook-id": id, ...rest } = signed();
    for (const headers of [new Headers(signed()), { ...rest, "Webhook-Id": id }, { ...rest, "webhook-id": [id] }]) {
      expect(await verifyWebhook(BODY, headers, SECRET, { now: NOW })).toEqual(JSON.parse(BODY));
    }
  });

  test("accepts the message of the documentation", async () => {
    const { secret, id, timestamp, body, signature } = vector;
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    expect(await verifyWebhook(body, headers, secret, { now: timestamp * 1000 })).toEqual(JSON.parse(body));
  });

  test("agrees with the reference library on any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.uuid(), async (body, id) => {
        const headers = signed([SECRET], AT, body, id);
        expect(await verifyWebhook(body, headers, SECRET, { now: NOW })).toEqual(JSON.parse(body));
      }),
      { numRuns: 50 },
    );
  });

  test("accepts one valid signature among several, and any of several secrets", async () => {
    const [newer, older] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signed([newer, older]);
    for (const secret of [newer, older, [newWebhookSecret(), older]]) {
      expect(await verifyWebhook(BODY, headers, secret, { now: NOW })).toHaveProperty("id", ID);
    }
    const more = { ...headers, "webhook-signature": `v2,abc v1,%% v1a,xyz ${headers["webhook-signature"]}` };
    expect(await verifyWebhook(BODY, more, newer, { now: NOW })).toHaveProperty("id", ID);
  });

  const other = newWebhookSecret();
  test.each<[string, string, () => Promise<unknown>]>([
    ["another secret", "wrong_signature", () => verifyWebhook(BODY, signed(), other, { now: NOW })],
    ["no secret", "wrong_signature", () => verifyWebhook(BODY, signed(), [], { now: NOW })],
    ["an empty secret", "invalid_secret", () => verifyWebhook(BODY, signed(), "whsec_", { now: NOW })],
    ["a secret that is none", "invalid_secret", () => verifyWebhook(BODY, signed(), "wk_%%%", { now: NOW })],
    ["another body", "wrong_signature", () => verifyWebhook(`${BODY} `, signed(), SECRET, { now: NOW })],
    [
      "another id",
      "wrong_signature",
      () => verifyWebhook(BODY, { ...signed(), "webhook-id": "1" }, SECRET, { now: NOW }),
    ],
    [
      "another time",
      "wrong_signature",
      () => verifyWebhook(BODY, { ...signed(), "webhook-timestamp": String(AT + 1) }, SECRET, { now: NOW }),
    ],
    [
      "a time that is none",
      "wrong_time",
      () => verifyWebhook(BODY, { ...signed(), "webhook-timestamp": "1e9" }, SECRET, { now: NOW }),
    ],
    ["an old message", "wrong_time", () => verifyWebhook(BODY, signed([SECRET], AT - 301), SECRET, { now: NOW })],
    ["one ahead", "wrong_time", () => verifyWebhook(BODY, signed([SECRET], AT + 301), SECRET, { now: NOW })],
    [
      "a missing header",
      "missing_header",
      () => verifyWebhook(BODY, { ...signed(), "webhook-signature": undefined }, SECRET, { now: NOW }),
    ],
    [
      "signed text that is not JSON",
      "invalid_payload",
      () => verifyWebhook("{", signed([SECRET], AT, "{"), SECRET, { now: NOW }),
    ],
  ])("refuses %s", async (_, reason, verify) => {
    const error = await verify().catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ reason });
  });

  test("the tolerance can be changed", async () => {
    const headers = signed([SECRET], AT - 900);
    expect(await verifyWebhook(BODY, headers, SECRET, { now: NOW, toleranceSeconds: 900 })).toHaveProperty("id", ID);
  });
});

test("a receiver verifies what the service sends, also while the secret changes", async () => {
  const here = await world();
  const muster = await musterOf(here.owner);
  const receiver = await startReceiver();
  const webhook = await muster.webhooks.create({ url: receiver.url, event_types: ["issue.*"] });
  const { secret: newer } = await muster.webhooks.rotateSecret(webhook.id);
  await muster.issues.create("WEB", { title: "Fix the sign-in" });
  await drain();
  const [request] = receiver.requests;
  for (const secret of [webhook.secret!, newer]) {
    const event = await verifyWebhook(request!.body, request!.headers, secret);
    // A type narrows the data.
    if (event.type !== "issue.created") return expect.fail(event.type);
    expect(event.data.title).toBe("Fix the sign-in");
  }
});
