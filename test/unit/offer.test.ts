import { expect, test } from "vitest";
import {
  bodyDigest,
  type ChallengeParameters,
  challengeHeader,
  digestMatches,
  paymentInfo,
  requestOf,
} from "../../src/domain/credits/offer.ts";
import { packOf } from "../../src/domain/credits/packs.ts";

const TERMS = { networkId: "profile_test_123", paymentMethodTypes: ["card", "link"] };
const REQUEST =
  "eyJhbW91bnQiOiIyMDAwIiwiY3VycmVuY3kiOiJ1c2QiLCJkZXNjcmlwdGlvbiI6IjIwMDAgQUkgY3JlZGl0cyIsIm1ldGhvZERldGFpbHMiOnsi" +
  "bmV0d29ya0lkIjoicHJvZmlsZV90ZXN0XzEyMyIsInBheW1lbnRNZXRob2RUeXBlcyI6WyJjYXJkIiwibGluayJdfX0";

const CHALLENGE: ChallengeParameters = {
  id: "kP2vR8wQ4mT7xN1cZ6bY3hJ9sL5gD0aF",
  realm: "api.example.com",
  method: "stripe",
  request: REQUEST,
  expires: "2026-11-21T12:10:00Z",
  description: "2000 AI credits",
  amount: "2000",
  paymentAuthorization: false,
};

test("the request is canonical and the same each time", () => {
  expect(requestOf(packOf("small"), TERMS)).toBe(REQUEST);
  expect(requestOf(packOf("small"), { paymentMethodTypes: ["card", "link"], networkId: "profile_test_123" })).toBe(
    REQUEST,
  );
});

test("a custom purchase is asked for at its own price", () => {
  const request = JSON.parse(Buffer.from(requestOf(packOf("custom", 3000), TERMS), "base64url").toString());
  expect(request).toMatchObject({ amount: "3000", currency: "usd", description: "3000 AI credits" });
});

test("the challenge is the header of the scheme", () => {
  expect(challengeHeader(CHALLENGE)).toBe(
    `Payment id="kP2vR8wQ4mT7xN1cZ6bY3hJ9sL5gD0aF", realm="api.example.com", method="stripe", intent="charge", ` +
      `request="${REQUEST}", expires="2026-11-21T12:10:00Z", description="2000 AI credits", amount="2000", currency="USD"`,
  );
});

test("the digest and the other header stand there only when they apply", () => {
  const digest = bodyDigest('{"credits":3000}');
  expect(challengeHeader({ ...CHALLENGE, digest })).toContain(`", digest="${digest}", description="`);
  expect(challengeHeader({ ...CHALLENGE, digest: null })).not.toContain("digest");
  expect(challengeHeader({ ...CHALLENGE, paymentAuthorization: true })).toMatch(/, header="Payment-Authorization"$/);
});

test("quotes are escaped, and what a header cannot carry is refused", () => {
  expect(challengeHeader({ ...CHALLENGE, description: 'a "b" \\c' })).toContain('description="a \\"b\\" \\\\c"');
  for (const description of ["Guthaben für AI", "a\r\nSet-Cookie: b=c", "a\0b", "\u007f", "€"]) {
    expect(() => challengeHeader({ ...CHALLENGE, description })).toThrow("not printable ASCII");
  }
});

test("the payment info holds strings only, its one offer the same", () => {
  const offer = { intent: "charge", method: "stripe", amount: "2000", currency: "USD", description: "2000 AI credits" };
  expect(paymentInfo({ method: "stripe", amount: "2000", description: "2000 AI credits" })).toEqual({
    ...offer,
    offers: [offer],
  });
});

test("a body's digest is RFC 9530's, and read in both spellings", () => {
  const body = '{"credits":3000}';
  const digest = "sha-256=:lo2kwUraK3MPrmk4/j/MrzRDnWkMO7HT9sRXFr3Z/dk=:";
  expect(bodyDigest(body)).toBe(digest);
  expect(digestMatches(digest, body)).toBe(true);
  expect(digestMatches("sha-256=lo2kwUraK3MPrmk4/j/MrzRDnWkMO7HT9sRXFr3Z/dk=", body)).toBe(true);
  expect(digestMatches(bodyDigest("ü"), "ü")).toBe(true);
  for (const other of ["", "sha-256=", "sha-256=::", digest.slice(0, -1), digest.replace("sha-256", "sha-512"), body]) {
    expect(digestMatches(other, body), other).toBe(false);
  }
  expect(digestMatches(digest, `${body} `)).toBe(false);
});
