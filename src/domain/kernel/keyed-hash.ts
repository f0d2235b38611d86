import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/**
 * HMAC-SHA256 of a text with the current key and then with each earlier key. A stored hash shows whether the same text
 * was used before. Without the key, nobody can test guesses against it.
 */
export type KeyedHash = (text: string) => readonly [Buffer, ...Buffer[]];

/** @param purpose makes hashes for different purposes differ */
export function openKeyedHash(purpose: string, current: string, retired: readonly string[]): KeyedHash {
  const keyOf = (secret: string) => createSecretKey(createHmac("sha256", secret).update(purpose).digest());
  const [first, ...others] = [keyOf(current), ...retired.map(keyOf)];
  const hash = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest();
  return (text) => [hash(first!, text), ...others.map((key) => hash(key, text))];
}
