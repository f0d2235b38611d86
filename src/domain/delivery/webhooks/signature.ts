import { createHmac, randomBytes } from "node:crypto";

/** Returns a new signing secret in the format of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/**
 * The `webhook-signature` header (Standard Webhooks 1.0): one `v1,<base64>` for each secret that is valid now, newest
 * first, so that receivers verify with the old or the new one while a rotation lasts.
 * @throws Error if a secret does not have the format of `newWebhookSecret`
 */
export function sign(secrets: string[], id: string, timestampSeconds: number, body: string): string {
  return secrets
    .map((secret) => createHmac("sha256", keyOf(secret)).update(`${id}.${timestampSeconds}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
}

const PREFIX = "whsec_";

function keyOf(secret: string) {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  // Lenient decoding could give an empty key, with which anyone could forge signatures.
  if (!secret.startsWith(PREFIX) || key.length !== 32) throw new Error("a webhook secret has the wrong shape");
  return key;
}
