import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { sign } from "../../src/domain/delivery/webhooks/signature.ts";
import { newWebhookSecret } from "../../src/domain/kernel/secrets.ts";

const ID = "0199a1b2-0000-7000-8000-000000000001";
const BODY = JSON.stringify({ type: "issue.updated", title: "Übergrößen ✓" });

const headersOf = (signature: string, timestamp: number) => ({
  "webhook-id": ID,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signature,
});
const now = () => Math.floor(Date.now() / 1000);

test("the reference library verifies our signatures", () => {
  const secret = newWebhookSecret();
  const timestamp = now();
  expect(new Webhook(secret).verify(BODY, headersOf(sign([secret], ID, timestamp, BODY), timestamp))).toEqual(
    JSON.parse(BODY),
  );
});

test("during a rotation both secrets verify, and no other", () => {
  const [newer, older] = [newWebhookSecret(), newWebhookSecret()];
  const timestamp = now();
  const headers = headersOf(sign([newer, older], ID, timestamp, BODY), timestamp);
  expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
  new Webhook(newer).verify(BODY, headers);
  new Webhook(older).verify(BODY, headers);
  expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow("No matching signature");
});

test("id, time and body are all signed", () => {
  const secret = newWebhookSecret();
  const timestamp = now();
  const signature = sign([secret], ID, timestamp, BODY);
  const webhook = new Webhook(secret);
  expect(() => webhook.verify(`${BODY} `, headersOf(signature, timestamp))).toThrow("No matching signature");
  expect(() => webhook.verify(BODY, headersOf(signature, timestamp + 1))).toThrow("No matching signature");
  expect(() => webhook.verify(BODY, { ...headersOf(signature, timestamp), "webhook-id": "other" })).toThrow(
    "No matching signature",
  );
});

test("secrets are whsec_ and 32 bytes, each one new", () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(secret);
});

test.each(["", "whsec_", "whsec_c2hvcnQ=", newWebhookSecret().slice(6)])("refuses to sign with %j", (secret) => {
  expect(() => sign([secret], ID, now(), BODY)).toThrow("wrong shape");
});
