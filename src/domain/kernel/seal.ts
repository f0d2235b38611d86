import { createHash } from "node:crypto";
import nacl from "tweetnacl";
import type { Sealer } from "./ports/ports.ts";

/**
 * Seals with the current key, and opens with the current and the earlier keys.
 * Sealed bytes are the key's id (4 bytes), the nonce (24) and the NaCl secretbox. Sealed text is `v1.` and the base64url of
 * these bytes. Opening throws an Error if the bytes were changed or their key is unknown.
 * @throws Error if a key is not 32 bytes as base64
 */
export function openSealer(currentKeyBase64: string, retiredKeysBase64: string[]): Sealer {
  const current = readKey(currentKeyBase64);
  const keys = [current, ...retiredKeysBase64.map(readKey)];

  function sealBytes(plain: Uint8Array): Buffer {
    const nonce = nacl.randomBytes(nacl.secretbox.nonceLength);
    return Buffer.concat([current.id, nonce, nacl.secretbox(plain, nonce, current.bytes)]);
  }

  function openBytes(sealed: Uint8Array): Buffer {
    if (sealed.length < BOX_AT + nacl.secretbox.overheadLength) throw new Error("a sealed text is cut short");
    const candidates = keys.filter((key) => key.id.equals(sealed.subarray(0, NONCE_AT)));
    if (candidates.length === 0) throw new Error("a text is sealed with a key that is neither current nor retired");
    for (const key of candidates) {
      const plain = nacl.secretbox.open(sealed.subarray(BOX_AT), sealed.subarray(NONCE_AT, BOX_AT), key.bytes);
      if (plain) return Buffer.from(plain);
    }
    throw new Error("a sealed text was changed");
  }

  return {
    sealBytes,
    openBytes,
    seal: (plain) => VERSION + sealBytes(Buffer.from(plain, "utf8")).toString("base64url"),
    open(sealed) {
      if (!sealed.startsWith(VERSION)) throw new Error("not a sealed text");
      return openBytes(Buffer.from(sealed.slice(VERSION.length), "base64url")).toString("utf8");
    },
  };
}

const VERSION = "v1.";
const NONCE_AT = 4;
const BOX_AT = NONCE_AT + nacl.secretbox.nonceLength;

function readKey(base64: string) {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== nacl.secretbox.keyLength) throw new Error("a sealing key must be 32 bytes as base64");
  return { bytes, id: createHash("sha256").update(bytes).digest().subarray(0, NONCE_AT) };
}
