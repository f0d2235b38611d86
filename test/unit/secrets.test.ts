import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashSecret, looksLikeSecret, newSecret } from "../../src/domain/kernel/secrets.ts";

const PREFIXES = ["wk_", "ak_", "pat_", "oat_", "ort_", "ocs_"] as const;

test.each(PREFIXES)("a %s secret has its shape and the parts that are stored", (prefix) => {
  const secret = newSecret(prefix);
  expect(secret.plaintext).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
  expect(looksLikeSecret(secret.plaintext)).toBe(true);
  expect(secret.prefix).toBe(secret.plaintext.slice(0, 11));
  expect(secret.last_four).toBe(secret.plaintext.slice(-4));
  expect(secret.hash).toEqual(createHash("sha256").update(secret.plaintext).digest());
  expect(hashSecret(secret.plaintext)).toEqual(secret.hash);
});

test("secrets do not repeat", () => {
  expect(new Set(Array.from({ length: 1000 }, () => newSecret("wk_").plaintext)).size).toBe(1000);
});

test("a changed character, prefix or length is noticed", () => {
  const { plaintext } = newSecret("wk_");
  for (let at = 3; at < plaintext.length; at++) {
    const other = plaintext[at] === "a" ? "b" : "a";
    expect(looksLikeSecret(plaintext.slice(0, at) + other + plaintext.slice(at + 1)), `character ${at}`).toBe(false);
  }
  for (const text of [plaintext.replace("wk_", "ak_"), plaintext.slice(0, -1), `${plaintext}0`, `${plaintext}\n`]) {
    expect(looksLikeSecret(text)).toBe(false);
  }
});

test("any garbage is refused", () => {
  const prefixed = fc.tuple(fc.constantFrom(...PREFIXES), fc.string({ minLength: 40, maxLength: 60 }));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        prefixed.map((parts) => parts.join("")),
      ),
      (text) => !looksLikeSecret(text),
    ),
  );
  expect(looksLikeSecret(`wk_${"a".repeat(1_000_000)}`)).toBe(false);
});
