import { createHash } from "node:crypto";
import { base64url, jcs } from "../../kernel/jcs.ts";
import type { Pack } from "./packs.ts";

/** The offer of a purchase: the challenge of the `Payment` scheme, and the payment-info object with the price. */

export const INTENT = "charge";
export const CURRENCY = "USD";

export type PaymentTerms = {
  /** The processor's id of the seller, `profile_…`. */
  networkId: string;
  paymentMethodTypes: readonly string[];
};

/**
 * Returns the challenge's `request`: base64url of canonical JSON with the price of the purchase. The same pack always
 * gives the same bytes, because buyers fetch a fresh challenge after a person has agreed, and refuse it if the terms
 * changed.
 */
export function requestOf({ amountCents, description }: Pack, { networkId, paymentMethodTypes }: PaymentTerms): string {
  const request = {
    amount: String(amountCents),
    currency: CURRENCY.toLowerCase(),
    description,
    methodDetails: { networkId, paymentMethodTypes },
  };
  return base64url(jcs(request));
}

export type PaymentInfo = Price & { offers: Price[] };
type Price = { intent: string; method: string; amount: string; currency: string; description: string };

/** The spec's payment-info object; all values are strings. `amount` is in cents. */
export function paymentInfo(price: { method: string; amount: string; description: string }): PaymentInfo {
  const { method, amount, description } = price;
  const offer = { intent: INTENT, method, amount, currency: CURRENCY, description };
  return { ...offer, offers: [offer] };
}

export type ChallengeParameters = {
  id: string;
  realm: string;
  method: string;
  request: string;
  /** RFC 3339. */
  expires: string;
  /** Digest of the body, if the body determines the price. */
  digest?: string | null;
  description: string;
  /** In cents; for clients that do not decode `request`. */
  amount: string;
  /** Requests the credential in Payment-Authorization, because the buyer's API key is in Authorization. */
  paymentAuthorization: boolean;
};

/**
 * The value of `WWW-Authenticate`. Clients ignore parameters that are new to them.
 * @throws TypeError when a value has a character that a header cannot carry.
 */
export function challengeHeader(challenge: ChallengeParameters): string {
  const { id, realm, method, request, expires, digest, description, amount, paymentAuthorization } = challenge;
  const parameters = {
    id,
    realm,
    method,
    intent: INTENT,
    request,
    expires,
    ...(digest ? { digest } : {}),
    description,
    amount,
    currency: CURRENCY,
    ...(paymentAuthorization ? { header: "Payment-Authorization" } : {}),
  };
  return `Payment ${Object.entries(parameters)
    .map(([name, value]) => `${name}=${quoted(name, value)}`)
    .join(", ")}`;
}

/** A quoted-string (RFC 9110, 5.6.4) of printable ASCII, which all clients parse the same way. */
function quoted(name: string, value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value)) throw new TypeError(`The challenge's ${name} is not printable ASCII.`);
  return `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Returns the SHA-256 of a body as UTF-8, in the format of RFC 9530. */
export function bodyDigest(text: string): string {
  return `sha-256=:${sha256(text)}:`;
}

/** Whether a digest matches this body. */
export function digestMatches(digest: string, text: string): boolean {
  return readDigest(digest) === readDigest(bodyDigest(text));
}

/** Returns the base64 value of a digest, or null. Some clients send `sha-256=…` without the colons of RFC 9530. */
export function readDigest(digest: string): string | null {
  return /^sha-256=(:?)([A-Za-z0-9+/]{43})=?\1$/.exec(digest)?.[2] ?? null;
}

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("base64");
