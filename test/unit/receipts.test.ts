import { createPublicKey, randomBytes, verify } from "node:crypto";
import { calculateJwkThumbprint, flattenedVerify, importJWK } from "jose";
import { expect, test } from "vitest";
import { jcsFlat } from "../../src/domain/kernel/jcs.ts";
import type { Jwk } from "../../src/domain/kernel/ports/receipt-keys.ts";
import {
  openReceiptKeys,
  type Receipt,
  receiptHeader,
  SignedReceipt,
} from "../../src/domain/tenancy/credits/receipts.ts";

// RFC 8037, appendix A.1.
const SEED = Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url").toString("base64");
const KID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

const RECEIPT: Receipt = {
  status: "success",
  method: "stripe",
  timestamp: "2026-11-21T12:01:02Z",
  reference: "pi_test_1",
  amount: "2000",
  currency: "usd",
  credits: 2000,
  pack: "small",
  challengeId: "kP2vR8wQ4mT7xN1cZ6bY3hJ9sL5gD0aF",
  purchaseId: "pur_01",
  workspace: "acme",
  issuer: "https://api.example.com",
  intent: "charge",
  paymentType: "shared_payment_token",
};

const newSeed = () => randomBytes(32).toString("base64");

test("the signature is the one that other implementations made", () => {
  const signed = openReceiptKeys({ current: SEED, retired: [] }).sign(RECEIPT);
  const { signature, ...content } = signed;
  expect(jcsFlat(content)).toBe(
    '{"amount":"2000","challengeId":"kP2vR8wQ4mT7xN1cZ6bY3hJ9sL5gD0aF","credits":2000,"currency":"usd",' +
      '"intent":"charge","issuer":"https://api.example.com","kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",' +
      '"method":"stripe","pack":"small","paymentType":"shared_payment_token","purchaseId":"pur_01",' +
      '"reference":"pi_test_1","status":"success","timestamp":"2026-11-21T12:01:02Z","workspace":"acme"}',
  );
  expect(signature).toBe(
    "eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.." +
      "IDhLqaFyH8gaOC04HoW3CJEG7mZ8k8m3sf0JB5wlNhWrhG9rcgUhvezC8wfO5aNN1xaDUS5P5RH6NPfvAMrbAA",
  );
  expect(SignedReceipt.parse(signed)).toEqual(signed);
});

test("keys are published as RFC 8037 has them, named by their thumbprint", async () => {
  const keys = openReceiptKeys({ current: SEED, retired: [] });
  expect(keys.kid).toBe(KID);
  expect(keys.jwks()).toEqual([
    {
      kid: KID,
      kty: "OKP",
      crv: "Ed25519",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      alg: "EdDSA",
      use: "sig",
    },
  ]);
  const other = openReceiptKeys({ current: newSeed(), retired: [] });
  expect(other.kid).toBe(await calculateJwkThumbprint(other.jwks()[0]!));
});

test("a buyer verifies the header with jose and the published key, although the receipt was serialized again", async () => {
  const keys = openReceiptKeys({ current: newSeed(), retired: [] });
  const received = readHeader(receiptHeader(keys.sign(RECEIPT)));
  const shuffled = Object.fromEntries(Object.entries(received).reverse()) as SignedReceipt;
  expect(await holds(shuffled, keys.jwks())).toBe(true);
});

test("node:crypto verifies it too, in a few lines", () => {
  const keys = openReceiptKeys({ current: newSeed(), retired: [] });
  const { signature, ...content } = readHeader(receiptHeader(keys.sign(RECEIPT)));
  const [head, , signed] = signature.split(".");
  const sorted = JSON.stringify(content, Object.keys(content).sort());
  const key = createPublicKey({ key: keys.jwks()[0]!, format: "jwk" });
  const input = Buffer.from(`${head}.${Buffer.from(sorted).toString("base64url")}`);
  expect(verify(null, input, key, Buffer.from(signed!, "base64url"))).toBe(true);
});

test("a change of any member, or of the key's name, is noticed", async () => {
  const keys = openReceiptKeys({ current: newSeed(), retired: [] });
  const signed = keys.sign(RECEIPT);
  for (const [name, value] of Object.entries(signed)) {
    const changed = { ...signed, [name]: typeof value === "number" ? value + 1 : `${value}x` };
    expect(await holds(changed, keys.jwks()), name).toBe(false);
  }
  const { credits, ...fewer } = signed;
  expect(await holds(fewer as SignedReceipt, keys.jwks())).toBe(false);
  expect(await holds({ ...signed, more: "x" } as SignedReceipt, keys.jwks())).toBe(false);
});

test("after a rotation old receipts verify, new ones have the new key, and only public parts are published", async () => {
  const [oldest, older, newer] = [newSeed(), newSeed(), newSeed()];
  const old = openReceiptKeys({ current: older, retired: [] });
  const publicKey = openReceiptKeys({ current: oldest, retired: [] }).jwks()[0]!.x;
  const rotated = openReceiptKeys({ current: newer, retired: [older, `public:${publicKey}`, newer, older] });

  expect(rotated.jwks()).toHaveLength(3);
  expect(rotated.jwks().map(({ kid }) => kid)).toEqual([rotated.kid, old.kid, expect.any(String)]);
  expect(rotated.sign(RECEIPT).kid).toBe(rotated.kid);
  expect(await holds(old.sign(RECEIPT), rotated.jwks())).toBe(true);
  expect(await holds(openReceiptKeys({ current: oldest, retired: [] }).sign(RECEIPT), rotated.jwks())).toBe(true);
  const published = JSON.stringify(rotated.jwks());
  expect(published).not.toContain('"d"');
  for (const seed of [older, newer]) {
    expect(published).not.toContain(Buffer.from(seed, "base64").toString("base64url"));
  }
});

test("the header stays below a kilobyte, and a receipt that is not flat is not signed", () => {
  const keys = openReceiptKeys({ current: SEED, retired: [] });
  expect(receiptHeader(keys.sign(RECEIPT)).length).toBeLessThan(1024);
  expect(() => keys.sign({ ...RECEIPT, credits: 0.5 })).toThrow("neither a string nor an integer");
  expect(() => keys.sign({ ...RECEIPT, nested: {} } as never)).toThrow("neither a string nor an integer");
});

test.each(["", "c2hvcnQ=", Buffer.alloc(33).toString("base64"), Buffer.alloc(64).toString("base64")])(
  "%j is no key",
  (key) => {
    expect(() => openReceiptKeys({ current: key, retired: [] })).toThrow("32 bytes");
    expect(() => openReceiptKeys({ current: SEED, retired: [key] })).toThrow("32 bytes");
    expect(() => openReceiptKeys({ current: SEED, retired: [`public:${key}`] })).toThrow("32 bytes");
  },
);

const readHeader = (header: string): SignedReceipt => JSON.parse(Buffer.from(header, "base64url").toString());

async function holds({ signature, ...content }: SignedReceipt, keys: Jwk[]): Promise<boolean> {
  const [head, , signed] = signature.split(".") as [string, string, string];
  const key = keys.find(({ kid }) => kid === content.kid);
  if (!key) return false;
  const payload = Buffer.from(jcsFlat(content)).toString("base64url");
  return flattenedVerify({ protected: head, payload, signature: signed }, await importJWK(key, "EdDSA")).then(
    ({ protectedHeader }) => protectedHeader?.kid === content.kid,
    () => false,
  );
}
