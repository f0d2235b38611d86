import { createHmac } from "node:crypto";
import { WEBHOOK_SECRET_PREFIX } from "../../kernel/secrets.ts";

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

function keyOf(secret: string) {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), "base64");
  // Lenient decoding could give an empty key, with which anyone could forge signatures.
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX) || key.length !== 32)
    throw new Error("a webhook secret has the wrong shape");
  return key;
}
