import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSealer } from "../../src/domain/kernel/seal.ts";

const newKey = () => randomBytes(32).toString("base64");

test("opens any text that it sealed", () => {
  const sealer = openSealer(newKey(), []);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => sealer.open(sealer.seal(text)) === text),
  );
});

test("the same text is sealed differently each time and does not show", () => {
  const sealer = openSealer(newKey(), []);
  const sealed = sealer.seal("whsec_secret");
  expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
  expect(sealed).not.toBe(sealer.seal("whsec_secret"));
  expect(Buffer.from(sealed.slice(3), "base64url").toString("latin1")).not.toContain("secret");
});

test("a retired key still opens, and new texts are sealed with the current one", () => {
  const [older, newer] = [newKey(), newKey()];
  const sealed = openSealer(older, []).seal("kept");
  const rotated = openSealer(newer, [older]);
  expect(rotated.open(sealed)).toBe("kept");
  expect(openSealer(newer, []).open(rotated.seal("fresh"))).toBe("fresh");
  expect(() => openSealer(newer, []).open(sealed)).toThrow("neither current nor retired");
});

test("a change of any byte is noticed", () => {
  const sealer = openSealer(newKey(), []);
  const bytes = Buffer.from(sealer.seal("amount: 5").slice(3), "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => sealer.open(`v1.${changed.toString("base64url")}`), `byte ${at}`).toThrow(/changed|neither current/);
  }
});

test("other text and cut text are refused with a clear error", () => {
  const sealer = openSealer(newKey(), []);
  expect(() => sealer.open("whsec_plain")).toThrow("not a sealed text");
  expect(() => sealer.open("v1.")).toThrow("cut short");
  expect(() => sealer.open(sealer.seal("x").slice(0, 20))).toThrow("cut short");
});

test("a key of another length is refused at once", () => {
  expect(() => openSealer("c2hvcnQ=", [])).toThrow("32 bytes");
  expect(() => openSealer(newKey(), [""])).toThrow("32 bytes");
});
