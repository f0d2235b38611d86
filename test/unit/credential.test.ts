import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkEcho, type IssuedChallenge, readCredential } from "../../src/domain/tenancy/credits/credential.ts";
import { bodyDigest, requestOf } from "../../src/domain/tenancy/credits/offer.ts";
import { packOf } from "../../src/domain/tenancy/credits/packs.ts";

const ID = "kP2vR8wQ4mT7xN1cZ6bY3hJ9sL5gD0aF";
const TOKEN = "spt_test_123";
const BY_TOKEN = { challenge_id: ID, shared_payment_token: TOKEN };
const BY_CARD = { challenge_id: ID, use_saved_card: true };
const STANDARD = { challenge: { id: ID, realm: "api.example.com", intent: "charge" }, payload: { spt: TOKEN } };

const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const read = (authorization: string) => readCredential({ authorization });
const readJson = (value: unknown) => read(`Payment payload=${encode(value)}`);

const paid = (means: unknown, echo: unknown = null) => ({ kind: "credential", challengeId: ID, means, echo });
const withToken = paid({ kind: "token", token: TOKEN });

describe("a credential is read", () => {
  const encoded = encode(BY_TOKEN);
  const padded = Buffer.from(JSON.stringify(BY_TOKEN)).toString("base64");
  test.each([
    `Payment payload=${encoded}`,
    `Payment payload="${encoded}"`,
    `payment payload=${encoded}`,
    `PAYMENT   PAYLOAD=${encoded}`,
    `Payment payload = ${encoded}`,
    `  Payment payload=${encoded}  `,
    `Payment payload=${padded}`,
    `Payment payload="${padded}"`,
    `Payment ${encoded}`,
    `Payment ${padded}`,
  ])("as %s", (field) => {
    expect(readCredential({ authorization: field })).toEqual(withToken);
    expect(readCredential({ paymentAuthorization: field })).toEqual(withToken);
    expect(readCredential({ authorization: "Bearer key", paymentAuthorization: field })).toEqual(withToken);
    expect(readCredential({ authorization: ["Bearer key", field] })).toEqual(withToken);
  });

  test("in either alphabet", () => {
    const token = { challenge_id: "???>>>~~~", shared_payment_token: "~~~???" };
    const url = encode(token);
    expect(url).toMatch(/[-_]/);
    const plain = url.replaceAll("-", "+").replaceAll("_", "/");
    expect(read(`Payment ${plain}`)).toEqual(read(`Payment ${url}`));
    expect(read(`Payment ${plain}`)).toMatchObject({ kind: "credential", challengeId: "???>>>~~~" });
  });

  test("that uses the saved card", () => {
    expect(readJson(BY_CARD)).toEqual(paid({ kind: "saved_card" }));
    expect(readJson({ challenge: { id: ID }, payload: { use_saved_card: true } })).toEqual(
      paid({ kind: "saved_card" }, { id: ID }),
    );
  });

  test("in the scheme's own form, with the challenge it repeats", () => {
    const means = { kind: "token", token: TOKEN };
    expect(read(`Payment ${encode(STANDARD)}`)).toEqual(paid(means, STANDARD.challenge));
    expect(readJson(STANDARD)).toEqual(paid(means, STANDARD.challenge));
    const more = {
      challenge: { ...STANDARD.challenge, expires: null, new: { a: 1 } },
      payload: { spt: TOKEN, externalId: "order 1" },
      source: "did:key:z6Mk",
      later: [],
    };
    expect(readJson(more)).toEqual(paid(means, more.challenge));
  });

  test("of 16 KiB, but not of more", () => {
    const field = (length: number) => {
      const head = '{"challenge":{"id":"x","note":"';
      const tail = '"},"payload":{"spt":"spt_1"}}';
      const room = Math.floor(((length - "Payment ".length) * 3) / 4) - head.length - tail.length;
      return `Payment ${encode(head + "a".repeat(room) + tail)}`;
    };
    expect(field(16_384).length).toBe(16_384);
    expect(read(field(16_384))).toMatchObject({ kind: "credential", challengeId: "x" });
    expect(read(field(16_388))).toEqual({ kind: "malformed", reason: "it is longer than 16384 characters" });
  });
});

test.each([
  {},
  { authorization: undefined, paymentAuthorization: undefined },
  { authorization: "", paymentAuthorization: "" },
  { authorization: [] },
  { authorization: "Bearer key" },
  { authorization: "Basic cGF5bWVudA==" },
  { authorization: "Paymenty payload=abc" },
  { authorization: "Payment-Authorization abc" },
  { authorization: "payload=abc" },
])("there is none in %j", (fields) => {
  expect(readCredential(fields)).toEqual({ kind: "none" });
});

const good = encode(BY_TOKEN);
const FIELDS: Record<string, string> = {
  "nothing after the scheme": "Payment",
  "only spaces after the scheme": "Payment   ",
  "a tab after the scheme": `Payment\t${good}`,
  "a comma after the scheme": `Payment, ${good}`,
  "an equals sign after the scheme": `Payment=${good}`,
  "no payload": "Payment payload=",
  "an empty quoted payload": 'Payment payload=""',
  "an open quote": `Payment payload="${good}`,
  "a quote too many": `Payment payload=${good}"`,
  "single quotes": `Payment payload='${good}'`,
  "another parameter": `Payment credential=${good}`,
  "a parameter beside": `Payment payload=${good}, realm="x"`,
  "a parameter before": `Payment realm="x", payload=${good}`,
  "the payload twice": `Payment payload=${good}, payload=${good}`,
  "two credentials in one field": `Payment ${good}, Payment ${good}`,
  "two values": `Payment ${good} ${good}`,
  "a trailing comma": `Payment payload=${good},`,
  "a dot, as in a JWT": `Payment ${good}.${good}`,
  "a percent sign": `Payment ${good}%3D`,
  "other characters": "Payment payload=ümläut",
  "padding in the middle": `Payment ${good.slice(0, 8)}=${good.slice(8)}`,
  "padding alone": "Payment ==",
  "three padding signs": `Payment ${good}===`,
  "wrong padding": "Payment e30==",
  "a letter that is no byte": "Payment e30e3",
  "bits left over": "Payment e31",
  "JSON that was not encoded": `Payment ${JSON.stringify(BY_TOKEN)}`,
  "encoded twice": `Payment ${encode(good)}`,
  "bytes that are not UTF-8": `Payment ${Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString("base64url")}`,
  "UTF-16": `Payment ${Buffer.from(JSON.stringify(BY_TOKEN), "utf16le").toString("base64url")}`,
  "a byte order mark": `Payment ${encode(`\ufeff${JSON.stringify(BY_TOKEN)}`)}`,
};

const BODIES: Record<string, unknown> = {
  "no JSON": "not json",
  "empty JSON": " ",
  "JSON cut off": JSON.stringify(BY_TOKEN).slice(0, -1),
  "something after the JSON": `${JSON.stringify(BY_TOKEN)}x`,
  "two objects": JSON.stringify(BY_TOKEN).repeat(2),
  "a trailing comma in JSON": '{"challenge_id":"a","use_saved_card":true,}',
  "form fields": `challenge_id=${ID}&shared_payment_token=${TOKEN}`,
  null: null,
  "a string": JSON.stringify("text"),
  "a number": 42,
  true: true,
  "an array": [BY_TOKEN],
  "an empty object": {},
  "no challenge": { shared_payment_token: TOKEN },
  "no means": { challenge_id: ID },
  "both means": { ...BY_TOKEN, use_saved_card: true },
  "a token, and no card": { ...BY_TOKEN, use_saved_card: false },
  "use_saved_card false": { challenge_id: ID, use_saved_card: false },
  "use_saved_card as a string": { challenge_id: ID, use_saved_card: "true" },
  "use_saved_card 1": { challenge_id: ID, use_saved_card: 1 },
  "use_saved_card null": { challenge_id: ID, use_saved_card: null },
  "a token that is null": { challenge_id: ID, shared_payment_token: null },
  "an empty token": { challenge_id: ID, shared_payment_token: "" },
  "a number as token": { challenge_id: ID, shared_payment_token: 123 },
  "an object as token": { challenge_id: ID, shared_payment_token: { id: TOKEN } },
  "a list of tokens": { challenge_id: ID, shared_payment_token: [TOKEN] },
  "NUL in the token": { challenge_id: ID, shared_payment_token: "spt_\0" },
  "a line break in the token": { challenge_id: ID, shared_payment_token: "spt_\r\nX: y" },
  "a space in the token": { challenge_id: ID, shared_payment_token: "spt_ 1" },
  "a token that is not ASCII": { challenge_id: ID, shared_payment_token: "spt_ü" },
  "half a surrogate pair": `{"challenge_id":"${ID}","shared_payment_token":"spt_\\ud800"}`,
  "a token of 501 characters": { challenge_id: ID, shared_payment_token: "s".repeat(501) },
  "an empty challenge": { ...BY_TOKEN, challenge_id: "" },
  "a challenge that is a number": { ...BY_TOKEN, challenge_id: 1 },
  "a challenge that is null": { ...BY_TOKEN, challenge_id: null },
  "NUL in the challenge": { ...BY_TOKEN, challenge_id: "a\0b" },
  "a challenge of 501 characters": { ...BY_TOKEN, challenge_id: "c".repeat(501) },
  "another member": { ...BY_TOKEN, amount: "1" },
  "camel case": { challengeId: ID, sharedPaymentToken: TOKEN },
  __proto__: `{"challenge_id":"${ID}","__proto__":{"shared_payment_token":"spt_1"}}`,
  "the same member twice": `{"challenge_id":"a","challenge_id":"${ID}","use_saved_card":true}`,
  "the same member twice, once escaped": `{"challenge_id":"a","challenge\\u005fid":"${ID}","use_saved_card":true}`,
  "a token twice": `{"challenge_id":"${ID}","shared_payment_token":"spt_1","shared_payment_token":"spt_2"}`,
  "the same member twice, deep inside": `{"challenge":{"id":"a","id":"b"},"payload":{"spt":"spt_1"}}`,
  "too many levels": { ...STANDARD, source: "x", more: nested(20) },
  "thousands of levels": "[".repeat(3000) + "]".repeat(3000),
  "thousands of levels inside": `{"challenge":${'{"a":'.repeat(1500)}1${"}".repeat(1500)},"payload":{}}`,
  "both shapes": { ...STANDARD, ...BY_TOKEN },
  "challenge_id beside the challenge": { ...STANDARD, challenge_id: ID },
  "a challenge without payload": { challenge: STANDARD.challenge },
  "a payload without challenge": { payload: STANDARD.payload },
  "a challenge that is a string": { ...STANDARD, challenge: ID },
  "a challenge that is a list": { ...STANDARD, challenge: [] },
  "a payload that is null": { ...STANDARD, payload: null },
  "a payload that is a list": { ...STANDARD, payload: [TOKEN] },
  "an empty payload": { ...STANDARD, payload: {} },
  "no id in the challenge": { ...STANDARD, challenge: { realm: "x" } },
  "an empty id in the challenge": { ...STANDARD, challenge: { id: "" } },
  "the spec's name inside the payload": { ...STANDARD, payload: { shared_payment_token: TOKEN } },
  "both means inside the payload": { ...STANDARD, payload: { spt: TOKEN, use_saved_card: true } },
  "no card inside the payload": { ...STANDARD, payload: { use_saved_card: false } },
  "an spt that is a number": { ...STANDARD, payload: { spt: 1 } },
  "an empty spt": { ...STANDARD, payload: { spt: "" } },
  "a source that is an object": { ...STANDARD, source: {} },
  "a decoded request": { ...STANDARD, challenge: { id: ID, request: { amount: "1" } } },
  "a realm that is a number": { ...STANDARD, challenge: { id: ID, realm: 1 } },
  "an expiry that is a number": { ...STANDARD, challenge: { id: ID, expires: 1763726400 } },
};

describe("a credential is malformed, with a reason that repeats nothing of it", () => {
  const expectMalformed = (reading: ReturnType<typeof readCredential>) => {
    expect(reading).toEqual({ kind: "malformed", reason: expect.stringMatching(/^[A-Za-z][^\r\n]{10,120}[^.]$/) });
    expect(JSON.stringify(reading)).not.toMatch(/spt_|kP2v/);
  };
  test.each(Object.keys(FIELDS))("%s", (name) => {
    expectMalformed(read(FIELDS[name]!));
    expectMalformed(readCredential({ paymentAuthorization: FIELDS[name]! }));
  });
  test.each(Object.keys(BODIES))("%s", (name) => {
    expectMalformed(readJson(BODIES[name]));
    expectMalformed(read(`Payment ${encode(BODIES[name])}`));
  });
  test.each([
    { authorization: `Payment ${good}`, paymentAuthorization: `Payment ${good}` },
    { authorization: [`Payment ${good}`, `Payment ${good}`] },
    { paymentAuthorization: [`Payment ${good}`, `Payment ${good}`] },
    { paymentAuthorization: `Bearer ${good}` },
    { paymentAuthorization: good },
    { authorization: `Payment ${good}`, paymentAuthorization: "Basic abc" },
  ])("fields %#", (fields) => {
    expectMalformed(readCredential(fields));
  });
});

describe("with any input", () => {
  const kinds = ["none", "credential", "malformed"];

  test("reading never throws", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "binary", maxLength: 200 }).map((text) => `Payment ${text}`),
      fc.string({ maxLength: 200 }).map((text) => `Payment payload=${text}`),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => `Payment ${Buffer.from(bytes).toString("base64url")}`),
      fc.base64String().map((text) => `Payment payload="${text}"`),
      fc.json().map((text) => `Payment ${encode(text)}`),
    );
    const field = fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.constant(undefined));
    fc.assert(
      fc.property(field, field, (authorization, paymentAuthorization) => {
        expect(kinds).toContain(readCredential({ authorization, paymentAuthorization }).kind);
      }),
      { numRuns: 2000 },
    );
  });

  test("only the two forms are credentials", () => {
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(ID, TOKEN, true, false, ""));
    const shape = fc.record(
      {
        challenge_id: anything,
        shared_payment_token: anything,
        use_saved_card: anything,
        challenge: fc.oneof(anything, fc.record({ id: anything, realm: anything }, { requiredKeys: [] })),
        payload: fc.oneof(anything, fc.record({ spt: anything, use_saved_card: anything }, { requiredKeys: [] })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(shape, (sent) => {
        const reading = readJson(sent);
        if (reading.kind !== "credential") {
          expect(reading.kind).toBe("malformed");
          return;
        }
        const means = reading.means.kind === "token" ? "shared_payment_token" : "use_saved_card";
        expect(Object.keys(sent).sort()).toEqual(reading.echo ? ["challenge", "payload"] : ["challenge_id", means]);
        expect(reading.challengeId).toMatch(/^[\x21-\x7e]+$/);
      }),
      { numRuns: 2000 },
    );
  });

  test("a credential with one byte changed is malformed, or says what it says", () => {
    const text = JSON.stringify(BY_TOKEN);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Buffer.from(text);
        bytes[at] = byte;
        const reading = read(`Payment ${bytes.toString("base64url")}`);
        if (reading.kind === "credential") expect(JSON.parse(bytes.toString()).challenge_id).toBe(reading.challengeId);
        else expect(reading.kind).toBe("malformed");
      }),
      { numRuns: 1000 },
    );
  });

  test("all ids and tokens of printable ASCII are read unchanged", () => {
    const word = fc.stringMatching(/^[\x21-\x7e]{1,100}$/);
    fc.assert(
      fc.property(word, word, (challenge_id, token) => {
        const expected = { kind: "credential", challengeId: challenge_id, means: { kind: "token", token } };
        expect(readJson({ challenge_id, shared_payment_token: token })).toMatchObject(expected);
        expect(readJson({ challenge: { id: challenge_id }, payload: { spt: token } })).toMatchObject(expected);
      }),
    );
  });
});

describe("a repeated challenge", () => {
  const request = requestOf(packOf("custom", 3000), { networkId: "profile_1", paymentMethodTypes: ["card"] });
  const issued: IssuedChallenge = {
    realm: "api.example.com",
    method: "stripe",
    request,
    digest: bodyDigest('{"credits":3000}'),
    expires_at: "2026-11-21T12:10:00.250Z",
  };
  const echo = {
    id: ID,
    realm: "api.example.com",
    method: "stripe",
    intent: "charge",
    request,
    expires: issued.expires_at,
    digest: issued.digest,
    header: "Payment-Authorization",
  };

  test("is the one that was issued, in full, in part, or not at all", () => {
    expect(checkEcho(echo, issued)).toEqual([]);
    expect(checkEcho({ id: ID }, issued)).toEqual([]);
    expect(checkEcho(null, issued)).toEqual([]);
    expect(checkEcho({ ...echo, expires: null, opaque: null }, issued)).toEqual([]);
  });

  test("may be spelled differently", () => {
    const { amount, currency, description, methodDetails } = JSON.parse(Buffer.from(request, "base64url").toString());
    const rewritten = encode(JSON.stringify({ methodDetails, description, currency, amount }, null, 2));
    expect(rewritten).not.toBe(request);
    expect(checkEcho({ ...echo, request: rewritten }, issued)).toEqual([]);
    expect(checkEcho({ ...echo, request: `${request}==`.slice(0, Math.ceil(request.length / 4) * 4) }, issued)).toEqual(
      [],
    );
    expect(checkEcho({ ...echo, expires: "2026-11-21T13:10:00.250000+01:00" }, issued)).toEqual([]);
    expect(checkEcho({ ...echo, digest: issued.digest!.replaceAll(":", "") }, issued)).toEqual([]);
    expect(checkEcho({ ...echo, new: "x", description: "other", amount: "1" }, issued)).toEqual([]);
  });

  test.each([
    ["realm", "evil.example.com"],
    ["method", "tempo"],
    ["intent", "subscription"],
    ["request", encode({ amount: "1" })],
    ["request", encode("[".repeat(5000))],
    ["request", "%%%"],
    ["request", ""],
    ["expires", "2027-11-21T12:10:00.250Z"],
    ["expires", "never"],
    ["digest", bodyDigest('{"credits":500}')],
    ["digest", "x"],
    ["opaque", "eyJhIjoiYiJ9"],
    ["opaque", { a: "b" }],
    ["header", "Authorization"],
  ])("differs if its %s differs", (name, value) => {
    expect(checkEcho({ ...echo, [name]: value }, issued)).toEqual([name]);
  });

  test("lists all differences, and a digest if none was issued", () => {
    expect(checkEcho({ realm: "x", method: "y", expires: "z" }, issued)).toEqual(["realm", "method", "expires"]);
    expect(checkEcho(echo, { ...issued, digest: null })).toEqual(["digest"]);
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}
