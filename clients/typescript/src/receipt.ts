import { fromBase64Url, toBase64Url } from "./base64.ts";
import type { PaymentReceipt } from "./generated/schema.ts";

/** A public key of the service (RFC 8037), as `/.well-known/ucp` lists them in `signing_keys`. */
export type SigningKey = { kid: string; kty: string; crv: string; x: string };

/**
 * Whether one of the keys has signed the receipt. Its `signature` is a detached JWS (RFC 7515, appendix F) of the
 * receipt's canonical JSON (RFC 8785) without it.
 */
export async function isGenuineReceipt(receipt: PaymentReceipt, keys: readonly SigningKey[]): Promise<boolean> {
  const { signature, ...content } = receipt;
  const [head, detached, signed] = signature.split(".");
  const key = keys.find(({ kid, crv }) => kid === receipt.kid && crv === "Ed25519");
  if (!key || !head || detached !== "" || !signed) return false;
  try {
    if (JSON.parse(new TextDecoder().decode(fromBase64Url(head))).alg !== "EdDSA") return false;
    const { kty, crv, x } = key;
    const imported = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
    // The receipt is flat, with texts and integers, so sorting its members makes it canonical.
    const canonical = toBase64Url(JSON.stringify(content, Object.keys(content).sort()));
    const bytes = new TextEncoder().encode(`${head}.${canonical}`);
    return await crypto.subtle.verify("Ed25519", imported, fromBase64Url(signed), bytes);
  } catch {
    return false;
  }
}
