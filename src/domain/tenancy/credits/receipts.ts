import { createHash } from "node:crypto";
import nacl from "tweetnacl";
import { z } from "zod";
import { view } from "../../kernel/described.ts";
import { base64url, jcsFlat } from "../../kernel/jcs.ts";
import type { Jwk, ReceiptKeys } from "../../kernel/ports/receipt-keys.ts";
import { timestamp } from "../../kernel/wire.ts";
import { aboutReceipt } from "./descriptions.ts";

/**
 * Receipts are flat objects that contain their signature, so that it stays valid after parsing and serialising.
 * `signature` is a detached JWS (RFC 7515, appendix F; EdDSA) over the canonical JSON of all other members.
 */

/** The names are those of the Payment scheme, so they are in camel case. `amount` is in cents. */
export const SignedReceipt = view("PaymentReceipt", aboutReceipt, {
  status: z.literal("success"),
  method: z.string(),
  timestamp: timestamp,
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  credits: z.int(),
  pack: z.string(),
  challengeId: z.string(),
  purchaseId: z.string(),
  workspace: z.string(),
  issuer: z.string(),
  intent: z.literal("charge"),
  paymentType: z.enum(["shared_payment_token", "saved_card"]),
  kid: z.string(),
  signature: z.string(),
});
export type SignedReceipt = z.output<typeof SignedReceipt>;
export type Receipt = Omit<SignedReceipt, "kid" | "signature">;

/**
 * Signs with the current key, a 32-byte Ed25519 seed as base64. A retired key is such a seed, too, or `public:` and the
 * base64 of its public key, which is enough to publish it.
 * @throws Error when a key is not 32 bytes as base64.
 */
export function openReceiptKeys({ current, retired }: { current: string; retired: readonly string[] }): ReceiptKeys {
  const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(read(current));
  const jwk = jwkOf(publicKey);
  const published = new Map([jwk, ...retired.map((key) => jwkOf(publicPart(key)))].map((key) => [key.kid, key]));
  const head = base64url(jcsFlat({ alg: jwk.alg, kid: jwk.kid }));

  return {
    kid: jwk.kid,
    sign(receipt) {
      const content = { ...receipt, kid: jwk.kid };
      const signed = nacl.sign.detached(Buffer.from(`${head}.${base64url(jcsFlat(content))}`), secretKey);
      return { ...content, signature: `${head}..${Buffer.from(signed).toString("base64url")}` };
    },
    jwks: () => [...published.values()],
  };
}

/** The value of `Payment-Receipt`. */
export const receiptHeader = (receipt: Readonly<Record<string, string | number>>): string =>
  base64url(jcsFlat(receipt));

const PUBLIC = "public:";

const publicPart = (key: string): Uint8Array =>
  key.startsWith(PUBLIC) ? read(key.slice(PUBLIC.length)) : nacl.sign.keyPair.fromSeed(read(key)).publicKey;

function read(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== nacl.sign.seedLength) throw new Error("a receipt key must be 32 bytes as base64");
  return new Uint8Array(bytes);
}

/** The key's id is its thumbprint (RFC 7638). */
function jwkOf(publicKey: Uint8Array): Jwk {
  const x = Buffer.from(publicKey).toString("base64url");
  const required = { crv: "Ed25519", kty: "OKP", x } as const;
  const kid = createHash("sha256").update(jcsFlat(required)).digest("base64url");
  return { kid, ...required, alg: "EdDSA", use: "sig" };
}
