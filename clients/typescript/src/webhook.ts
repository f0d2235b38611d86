import { fromBase64 } from "./base64.ts";
import type { WebhookEvent } from "./events.ts";

/** Headers of a request, as `fetch`, Node and most frameworks have them. */
export type RequestHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type WebhookOptions = {
  /** How far the message's time may be from the clock, in both directions. Default: 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the clock. */
  now?: number;
};

/** Why a message is not accepted. */
export type WebhookProblem = "missing_header" | "wrong_time" | "wrong_signature" | "invalid_secret" | "invalid_payload";

export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Returns the event of a request to a webhook if one of the secrets has signed it
 * (https://www.standardwebhooks.com). It may come again: remember the ids that you have handled.
 * @param payload the body as it was received; parsing and writing it again would change it
 * @param secret as it was shown: `whsec_…`. While a secret is being changed: both
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: RequestHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = signaturesIn(header(headers, "webhook-signature"));
  checkTime(timestamp, toleranceSeconds, now);
  const body = typeof payload === "string" ? new TextEncoder().encode(payload) : new Uint8Array(payload);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const keys = await Promise.all([secret].flat().map(keyOf));
  // verify() takes the same time wherever the signatures differ.
  const matches = await Promise.all(
    keys.flatMap((key) => signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, signed))),
  );
  if (!matches.includes(true)) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "No signature is valid. Check that the secret is this webhook's, and that the body is the one that was received.",
    );
  }
  return parse(body);
}

function header(headers: RequestHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : [Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]].flat()[0];
  if (!value) throw new WebhookVerificationError("missing_header", `The header ${name} is missing.`);
  return value;
}

/** The signatures of the known scheme. More than a few are not ours. */
function signaturesIn(value: string): Uint8Array<ArrayBuffer>[] {
  const known = value.split(" ").filter((part) => part.startsWith("v1,"));
  return known.slice(0, 10).flatMap((part) => {
    try {
      return [fromBase64(part.slice("v1,".length))];
    } catch {
      return [];
    }
  });
}

function checkTime(timestamp: string, toleranceSeconds: number, now: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const late = now / 1000 - seconds;
  if (Math.abs(late) <= toleranceSeconds) return;
  const message = Number.isNaN(late)
    ? "The header webhook-timestamp is not a number of seconds."
    : `The message is ${Math.round(Math.abs(late))} seconds ${late > 0 ? "old" : "ahead"}. Check the clock, or set toleranceSeconds.`;
  throw new WebhookVerificationError("wrong_time", message);
}

async function keyOf(secret: string) {
  try {
    const bytes = fromBase64(secret.replace(/^whsec_/, ""));
    // Anybody could sign with an empty key, which some engines accept.
    if (bytes.length === 0) throw new Error("empty");
    return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  } catch {
    throw new WebhookVerificationError("invalid_secret", "The secret is not one of a webhook: whsec_ and base64.");
  }
}

function parse(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("invalid_payload", "The message is signed but is not JSON.");
  }
}
