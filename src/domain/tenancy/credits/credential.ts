import { jcs, type Plain } from "../../kernel/jcs.ts";
import { own } from "../../kernel/own.ts";
import { readInstant } from "../../kernel/wire.ts";
import { type CredentialFields, decodeCredential, isObject, Malformed } from "./credential-header.ts";
import { INTENT, readDigest } from "./offer.ts";

/**
 * Reads Payment credentials: the spec's two shapes, and the Payment scheme's own shape, which repeats the challenge.
 */

export type PaymentMeans = { kind: "token"; token: string } | { kind: "saved_card" };

export type Credential = {
  kind: "credential";
  challengeId: string;
  means: PaymentMeans;
  /** The challenge that the credential repeats, not yet checked; null in the spec's shapes. */
  echo: Record<string, unknown> | null;
};

export type CredentialReading =
  | { kind: "none" }
  | Credential
  /** `reason` is a clause for the buyer without a full stop. It does not repeat the input. */
  | { kind: "malformed"; reason: string };

/**
 * Reads a request's Payment credential from Authorization or Payment-Authorization. It does not throw on invalid input.
 * The caller passes repeated header fields as lists, because Node keeps only one Authorization.
 */
export function readCredential(fields: CredentialFields): CredentialReading {
  try {
    const sent = decodeCredential(fields);
    if (sent === null) return { kind: "none" };
    return has(sent, "challenge") || has(sent, "payload") ? readStandard(sent) : readPlain(sent);
  } catch (error) {
    if (error instanceof Malformed) return { kind: "malformed", reason: error.message };
    throw error;
  }
}

const PLAIN_MEMBERS = ["challenge_id", "shared_payment_token", "use_saved_card"];

/** `{challenge_id, shared_payment_token}` or `{challenge_id, use_saved_card: true}`. */
function readPlain(sent: Record<string, unknown>): CredentialReading {
  if (Object.keys(sent).some((name) => !PLAIN_MEMBERS.includes(name)))
    throw new Malformed("send challenge_id with shared_payment_token or use_saved_card, and nothing else");
  const challengeId = printable("challenge_id", sent.challenge_id);
  return { kind: "credential", challengeId, means: meansOf(sent, "shared_payment_token"), echo: null };
}

/**
 * `{challenge: {id, …}, payload: {spt}}`. The scheme allows further members in both. A saved card is Muster's
 * extension.
 */
function readStandard(sent: Record<string, unknown>): CredentialReading {
  const { challenge, payload, source } = sent;
  if (PLAIN_MEMBERS.some((name) => has(sent, name)))
    throw new Malformed("send either challenge and payload, or challenge_id with its members, not both");
  if (!isObject(challenge)) throw new Malformed("challenge must be an object");
  if (!isObject(payload)) throw new Malformed("payload must be an object");
  if (typeof (source ?? "") !== "string") throw new Malformed("source must be a string");
  const challengeId = printable("challenge.id", challenge.id);
  for (const name of ECHOED) {
    if (typeof (own(challenge, name) ?? "") !== "string") throw new Malformed(`challenge.${name} must be a string`);
  }
  return { kind: "credential", challengeId, means: meansOf(payload, "spt"), echo: challenge };
}

function meansOf(members: Record<string, unknown>, token: string): PaymentMeans {
  if (has(members, token) === has(members, "use_saved_card"))
    throw new Malformed(`send exactly one of ${token} and use_saved_card`);
  if (has(members, token)) return { kind: "token", token: printable(token, own(members, token)) };
  if (members.use_saved_card !== true) throw new Malformed("use_saved_card must be true");
  return { kind: "saved_card" };
}

/** Ids and tokens are used in SQL, headers and forms, so characters that need escaping there are rejected. */
function printable(name: string, value: unknown): string {
  if (typeof value !== "string" || !/^[\x21-\x7e]{1,500}$/.test(value))
    throw new Malformed(`${name} must be a string of 1 to 500 printable ASCII characters without spaces`);
  return value;
}

/** A challenge as it was issued; `expires_at` is RFC 3339. */
export type IssuedChallenge = {
  realm: string;
  method: string;
  request: string;
  digest: string | null;
  expires_at: string;
};

const ECHOED = ["realm", "method", "intent", "request", "expires", "digest"] as const;

/**
 * Returns the names of the members that differ from the issued challenge. Members that the buyer left out do not count.
 */
export function checkEcho(echo: Record<string, unknown> | null, issued: IssuedChallenge): string[] {
  const { realm, method, request, digest, expires_at } = issued;
  const same: Record<string, (sent: string) => boolean> = {
    realm: (sent) => sent === realm,
    method: (sent) => sent === method,
    intent: (sent) => sent === INTENT,
    request: (sent) => sent === request || equal(canonical(sent), canonical(request)),
    expires: (sent) => equal(readInstant(sent), readInstant(expires_at)),
    digest: (sent) => equal(readDigest(sent), digest && readDigest(digest)),
    // Never issued.
    opaque: () => false,
    // There is only one value. A credential is accepted from either header field, so it does not matter whether the
    // challenge had it.
    header: (sent) => sent.toLowerCase() === "payment-authorization",
  };
  return Object.entries(same)
    .filter(([name, isSame]) => {
      const sent = own(echo ?? {}, name) ?? null;
      return sent !== null && !(typeof sent === "string" && isSame(sent));
    })
    .map(([name]) => name);
}

const equal = (sent: string | null, issued: string | null) => sent !== null && sent === issued;

/** Clients decode `request` and encode it again, possibly with the members in another order. */
function canonical(request: string): string | null {
  try {
    return jcs(JSON.parse(Buffer.from(request, "base64url").toString("utf8")) as Plain);
  } catch {
    return null;
  }
}

const has = (object: Record<string, unknown>, name: string) => Object.hasOwn(object, name);
