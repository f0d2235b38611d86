import { createHmac } from "node:crypto";

/**
 * HMAC-SHA256 of a text: one for the current key first, then one for each retired key. A stored hash shows whether the
 * same text came before. Guesses cannot be tested against it without the key.
 */
export type KeyedHash = (text: string) => readonly [Buffer, ...Buffer[]];

/** @param purpose keeps hashes that are made for different ends apart. */
export function openKeyedHash(purpose: string, current: string, retired: readonly string[]): KeyedHash {
  const keyOf = (secret: string) => createHmac("sha256", secret).update(purpose).digest();
  const [first, ...others] = [keyOf(current), ...retired.map(keyOf)];
  const hash = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  return (text) => [hash(first!, text), ...others.map((key) => hash(key, text))];
}
