import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** Workspace key, agent key, personal token, OAuth access token, refresh token and client secret. */
export type SecretPrefix = "wk_" | "ak_" | "pat_" | "oat_" | "ort_" | "ocs_";

/**
 * `plaintext` is shown once; the rest is stored. `hash` is a plain SHA-256, because 256 random bits cannot be guessed.
 */
export type NewSecret = { plaintext: string; hash: Buffer; prefix: string; last_four: string };

/** Makes a secret: prefix, 32 random bytes in base62 (43 characters), checksum (6 characters). */
export function newSecret(prefix: SecretPrefix): NewSecret {
  const text = prefix + base62(BigInt(`0x${randomBytes(32).toString("hex")}`), BODY_LENGTH);
  const plaintext = text + checksum(text);
  return { plaintext, hash: hashSecret(plaintext), prefix: plaintext.slice(0, 11), last_four: plaintext.slice(-4) };
}

/** Whether a text has the format and checksum of a secret. Invalid texts are refused without a database read. */
export function looksLikeSecret(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns the hash that is stored and looked up instead of the secret. */
export const hashSecret = (text: string): Buffer => hash("sha256", text, "buffer");

export const WEBHOOK_SECRET_PREFIX = "whsec_";

/** Returns a new signing secret in the format of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (): string => WEBHOOK_SECRET_PREFIX + randomBytes(32).toString("base64");

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 43; // 62^43 > 2^256
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32
/** A prefix, the body and its checksum. */
const SHAPE = /^(?:wk|ak|pat|oat|ort|ocs)_[0-9A-Za-z]{49}$/;

const checksum = (text: string) => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

function base62(value: bigint, length: number) {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text;
}
