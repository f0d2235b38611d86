import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { named, sampled } from "../support/sample.ts";
import { world } from "../support/world.ts";
import { brokenBodies, deepBodies, type Wrong, wrongBodies } from "./hostile.ts";
import { snapshot } from "./snapshot.ts";
import { expectRefusal, prepare } from "./spoil.ts";
import { bodySchema, propertiesOf } from "./variants.ts";

/** For any body, the reply is a rejection, never a server error, and nothing changes. */

const MiB = 1024 * 1024;
const withBody = operations.filter(({ body }) => body).map((operation) => ({ id: operation.id, operation }));

describe.each(sampled(withBody, 16))(named("the body of $id"), ({ operation }) => {
  // Bodies with actions of many kinds have thousands of places.
  test("is rejected if it is invalid", { timeout: 180_000 }, async () => {
    const here = await world();
    const { send, good, item } = await prepare(operation, here);
    const inBulk = ({ what, json }: Wrong) => ({ what, json: operation.item ? `{"items":[${json}]}` : json });
    const bodies = [
      ...brokenBodies(good),
      ...[...brokenBodies(item), ...wrongBodies(operation, item), ...deepBodies(operation, item)].map(inBulk),
    ];

    const before = await snapshot(here);
    for (const { what, json } of bodies) expectRefusal(operation, what, await send(json));
    expect(await snapshot(here)).toEqual(before);
    expect(({} as Record<string, unknown>).is_admin).toBeUndefined();
  });

  test("is rejected if it is not JSON in UTF-8 of an acceptable size", async () => {
    const here = await world();
    const { send, good } = await prepare(operation, here);
    const json = JSON.stringify(good);
    const limit = operation.maxBodyBytes ?? MiB;
    const type = (contentType: string) => ({ headers: { "content-type": contentType } });
    const coded = (encoding: string) => ({ headers: { "content-encoding": encoding } });
    const long = `{"x":"${"x".repeat(2 * limit)}"}`;

    const before = await snapshot(here);
    for (const [code, what, body, options] of [
      ["unsupported_media_type", "plain text", json, type("text/plain")],
      ["unsupported_media_type", "a form", "title=x", type("application/x-www-form-urlencoded")],
      ["unsupported_media_type", "XML", "<title>x</title>", type("application/xml")],
      ["unsupported_media_type", "UTF-16", Buffer.from(json, "utf16le"), type("application/json; charset=utf-16")],
      ["unsupported_media_type", "no type", json, type("")],
      ["invalid_json", "bytes that are no UTF-8", Buffer.from('{"title":"\xff\xfe"}', "latin1"), {}],
      ["invalid_json", "an overlong NUL", Buffer.from('{"title":"\xc0\x80"}', "latin1"), {}],
      ["invalid_json", "a surrogate in UTF-8", Buffer.from('{"title":"\xed\xa0\x80"}', "latin1"), {}],
      ["invalid_json", "gzip that is none", json, coded("gzip")],
      ["invalid_json", "an unknown coding", json, coded("rot13")],
      ["body_too_large", "twice the limit", long, {}],
      ["body_too_large", "twice the limit, small on the wire", gzipSync(long), coded("gzip")],
    ] as const) {
      const reply = await send(body, options);
      expect(`${what}: ${reply.status} ${reply.body?.code}`, reply.text).toBe(
        `${what}: ${code === "unsupported_media_type" ? 415 : 400} ${code}`,
      );
    }
    expect(await snapshot(here)).toEqual(before);
  });

  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  test(`is served or refused, whatever it is (FUZZ_SEED=${seed})`, async () => {
    const here = await world();
    const { send, item } = await prepare(operation, here);
    const check = fc.asyncProperty(randomBody(operation, item), async (body) => {
      const before = await snapshot(here);
      const reply = await send(JSON.stringify(operation.item ? { items: [body] } : body));
      expect(reply.status, reply.text).toBeLessThan(500);
      // A call that requires payment stores a challenge.
      if (reply.status >= 400 && reply.status !== 402) expect(await snapshot(here)).toEqual(before);
    });
    await fc.assert(check, { seed, numRuns: 15 });
  });
});

test.each([
  ["plain", {}, Buffer.alloc(3 * MiB, " ")],
  ["compressed", { "content-encoding": "gzip" }, gzipSync(randomBytes(3 * MiB))],
])("a %s body without a length ends at the limit, and its connection stays open", async (_, coding, bytes) => {
  const { owner } = await world();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${owner.key}`, "content-type": "application/json", ...coding };
  const post = async (body: Buffer, more: Record<string, string> = {}) => {
    const posted = request(owner.url("P/issues"), { method: "POST", agent, headers: { ...headers, ...more } });
    for (let at = 0; at < body.length; at += 65_536) posted.write(body.subarray(at, at + 65_536));
    posted.end();
    const [response] = (await once(posted, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  };
  expect(await post(bytes)).toMatchObject({ status: 400, body: { code: "body_too_large" } });
  const good = Buffer.from('{"title":"x"}');
  expect(await post(good, { "content-encoding": "identity" })).toMatchObject({ status: 201 });
  agent.destroy();
});

test("a lenient call drops unknown fields, including __proto__", async () => {
  const { owner } = await world();
  const raw = '{"title":"x","__proto__":{"is_admin":true},"constructor":1,"no_such_field":1}';
  const headers = { "content-type": "application/json", prefer: "handling=lenient" };
  const { body } = await owner.post("P/issues?__proto__=1", undefined, { raw, headers }).expect(201);
  const dropped = body.warnings.map(({ path, parameter }: Record<string, string>) => path ?? parameter);
  expect(dropped.sort()).toEqual(["/__proto__", "/constructor", "/no_such_field", "__proto__"]);
  expect(({} as Record<string, unknown>).is_admin).toBeUndefined();
});

/** Known fields with values of any type, sometimes an unknown field, sometimes inside a valid body. */
function randomBody(operation: Operation, good: object) {
  const names = Object.keys(propertiesOf(bodySchema(operation)));
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "none", "me", "WEB-1", "%", "\\"),
  );
  const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.integer(), fc.double(), fc.array(text));
  const known = names.length > 0 ? fc.constantFrom(...names) : fc.string();
  const fields = fc.dictionary(fc.oneof({ weight: 9, arbitrary: known }, fc.string()), value, { maxKeys: 6 });
  return fc.tuple(fields, fc.boolean()).map(([random, inside]) => (inside ? { ...good, ...random } : random));
}
