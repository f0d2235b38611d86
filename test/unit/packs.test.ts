import { expect, test } from "vitest";
import { advertised, PACK_NAMES, packOf } from "../../src/domain/credits/packs.ts";

test("the packs are those of the spec", () => {
  expect(packOf("small")).toEqual({
    pack: "small",
    credits: 2000,
    amountCents: 2000,
    description: "2000 AI credits",
  });
  expect(packOf("medium")).toMatchObject({ credits: 5500, amountCents: 5000 });
  expect(packOf("large")).toMatchObject({ credits: 12000, amountCents: 10000 });
});

test.each([500, 501, 3000, 50_000])("%i custom credits cost a cent each", (credits) => {
  expect(packOf("custom", credits)).toEqual({
    pack: "custom",
    credits,
    amountCents: credits,
    description: `${credits} AI credits`,
  });
});

test.each([undefined, 0, -500, 499, 50_001, 500.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "%s custom credits are not for sale",
  (credits) => {
    expect(() => packOf("custom", credits)).toThrow(RangeError);
  },
);

test("the size of the other packs cannot be chosen", () => {
  expect(() => packOf("small", 2000)).toThrow(RangeError);
});

test("what is advertised are the spec's amounts, in ASCII", () => {
  expect(PACK_NAMES.map((pack) => advertised(pack).amount)).toEqual(["2000", "5000", "10000", "500"]);
  expect(PACK_NAMES.map((pack) => advertised(pack).note)).toEqual([
    null,
    "9% bulk discount",
    "17% bulk discount",
    "list price",
  ]);
  for (const pack of PACK_NAMES) expect(advertised(pack).description).toMatch(/^[\x20-\x7e]+$/);
});
