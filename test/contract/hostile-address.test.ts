import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { named, sampled } from "../support/sample.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, pathOf, queried } from "./examples.ts";
import { snapshot } from "./snapshot.ts";
import { expectRefusal, prepare } from "./spoil.ts";

/** For any path, query or cursor, the reply is never a server error, and rejected calls change nothing. */

const cases = operations.map((operation) => ({ id: operation.id, operation }));

const STRANGE: Record<string, string> = {
  "a long name": "x".repeat(2_000),
  "the longest name that is looked at": "x".repeat(512),
  "the longest one in escapes": "%F0%9F%92%A9".repeat(128),
  "a longer name": "x".repeat(12_000),
  NUL: "%00",
  "NUL in a name": "WEB%00-1",
  "bytes that are no UTF-8": "%ff%fe",
  "half an escape": "%e2%82",
  "a lone percent sign": "%",
  "a slash": "a%2Fb",
  SQL: "'%20or%20'1'='1",
  "a word of JavaScript's": "__proto__",
  "a huge number": "WEB-999999999999999999999",
  "a number no row has": "WEB-2147483647",
  "a number beyond integers": "WEB-2147483648",
  spaces: "%20%20",
  "an emoji": "%F0%9F%92%A9",
  "right to left": "%E2%80%AE",
};

describe.each(
  sampled(
    cases.filter(({ operation }) => operation.path.includes("{")),
    25,
  ),
)(named("the path of $id"), ({ operation }) => {
  test("is not found if it is malformed", async () => {
    const here = await world();
    const { params, good } = await prepare(operation, here);
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

    const before = await snapshot(here);
    for (const name of names) {
      // Any text can be a reaction. A call that removes one that is not there succeeds, and its reply is kept.
      const isFree = name === "emoji";
      for (const [what, text] of Object.entries(STRANGE)) {
        const path = pathOf(operation, here, { ...params, [name]: MARK }).replace(MARK, () => text);
        // The longest allowed key, because it is stored together with the path.
        const headers = operation.writes && !isFree ? { "idempotency-key": "k".repeat(255) } : undefined;
        const reply = await here.owner.call(operation.method, path, operation.body && good, { headers });
        expect(`${what} as ${name}: ${reply.status}`, reply.text.slice(0, 300)).toMatch(isFree ? ANY : NONE);
      }
    }
    expect(await snapshot(here)).toEqual(before);
  });
});

const MARK = "MARK";
const NONE = / (400|404|431)$/;
/** Every short text is an emoji. To remove one that is not there is no error. */
const ANY = / (200|400|404|431)$/;

describe.each(sampled(cases, 25))(named("the query of $id"), ({ operation }) => {
  test("is rejected if it is invalid, never with a server error", async () => {
    const here = await world();
    const { params, good } = await prepare(operation, here);
    const needed = operation.shape === "list" ? exampleOf(operation).query : undefined;
    // Of an operation with a limit of its own, a key makes few calls.
    const newClient = async () => (operation.perMinute ? here.keyFor(here.owner) : here.owner);
    let client = await newClient();
    const ask = async (query: string) => {
      // A parameter that the call needs, unless the query has it.
      const more = needed && !query.startsWith(needed.split("=")[0]!) ? `&${needed}` : "";
      const path = `${pathOf(operation, here, params)}?${query}${more}`;
      return client.call(operation.method, path, operation.body && good);
    };
    const paged = operation.shape === "list";

    const before = await snapshot(here);
    for (const query of [
      ...[
        "no_such_parameter=1",
        "__proto__=1",
        "constructor=1",
        "x%00=1",
        "%ff=1",
        `${"x".repeat(5_000)}=1`,
        "a[b]=1",
        "=1",
      ],
      ...(operation.writes ? [] : ["fields=no_such_field", "fields=__proto__", "fields=%00", "fields=,"]),
      ...(paged ? WRONG_LIMITS.map((limit) => `limit=${limit}`) : PAGING),
      ...(paged ? WRONG_CURSORS.map((cursor) => `cursor=${cursor}`) : []),
    ]) {
      expectRefusal(operation, query.slice(0, 100), await ask(query));
    }
    expect(await snapshot(here)).toEqual(before);

    if (operation.writes) return;
    for (const name of Object.keys(operation.query?.shape ?? {})) {
      client = await newClient();
      for (const value of STRANGE_VALUES) {
        const reply = await ask(`${name}=${value}`);
        expect(`${name}=${value.slice(0, 100)}: ${reply.status}`, reply.text.slice(0, 300)).toMatch(/ (200|400)$/);
      }
    }
  });
});

/** Valid for paged lists; elsewhere these are unknown parameters. */
const PAGING = ["cursor=", "cursor=x", "limit=", "limit=1", "limit=null"];
const WRONG_LIMITS = ["0", "-1", "1.5", "1e3", "abc", "%00", "0x10", "1&limit=2", "9".repeat(400), "Infinity", "%20"];
const WRONG_CURSORS = ["x", "%00", "%ff", "W10", "bnVsbA", "e30", "x".repeat(5_000), "WyJhIixbXSwiYiJd", "a&cursor=b"];
const STRANGE_VALUES = [
  ...[
    "%00",
    "%ff",
    "'",
    "%25",
    "\\",
    ",",
    ",,,",
    "none",
    "me",
    "__proto__",
    "%F0%9F%92%A9",
    "x".repeat(5_000),
    "a&a=b",
  ],
  ...["WEB-99999999999999999999", "00000000-0000-0000-0000-000000000000", "(((", "%22", "-", "a%20-%20b", "%3A*%26!|"],
];

const lists = cases.filter(({ operation }) => operation.shape === "list");

test.each(lists)("$id accepts only its own unchanged cursors, with their own filters", async ({ operation }) => {
  const here = await world();
  const other = await here.other();
  const own = await cursorOf(operation, here);
  // A list of one page has no cursor to change.
  if (own === null) return;
  const foreign = await cursorOf(operation, other);
  const ask = (cursor: string, more = "") => here.owner.get(`${own.path}cursor=${encodeURIComponent(cursor)}${more}`);

  await ask(own.cursor).expect(200);
  await ask(foreign?.cursor ?? "").expect(400, "cursor_mismatch");
  for (const altered of alterations(own.cursor)) {
    const reply = await ask(altered);
    expect(`${altered}: ${reply.status}`, reply.text.slice(0, 300)).toMatch(/: 400$/);
  }
});

/** The cursor behind the first of two rows. */
async function cursorOf(operation: Operation, here: World) {
  const { params: make, fill } = exampleOf(operation);
  const params = (await make?.(here)) ?? {};
  const post = operations.find(({ method, path }) => method === "POST" && path === operation.path);
  if (fill) await fill(here, params, 2);
  else if (post) {
    for (const n of [1, 2]) await here.owner.post(pathOf(post, here, params), exampleOf(post).body?.(n, here));
  }
  const path = queried(operation, here, params);
  const { body } = await here.owner.get(`${path}limit=1`).expect(200);
  return body.pagination.next_cursor === null ? null : { path, cursor: body.pagination.next_cursor as string };
}

/** The cursor with each of its parts changed, and with pieces cut off. */
function alterations(cursor: string): string[] {
  const [mark, key, signature] = JSON.parse(Buffer.from(cursor, "base64url").toString());
  const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  return [
    made(mark, [...key.slice(0, -1), "0"], signature),
    made(mark, [], signature),
    made(mark, [[]], signature),
    made(mark, [{ toString: 1 }], signature),
    made(`${mark}x`, key, signature),
    made(mark, key, ""),
    made(mark, key),
    made(mark, key, null),
    cursor.slice(0, -4),
    cursor.slice(4),
    `${cursor}${cursor}`,
  ];
}

test("an address that is not a valid URL is rejected", async () => {
  const { app } = await world();
  for (const target of ["http://[/v1/me", "http://[::/"]) {
    const socket = connect(Number(new URL(app.baseUrl).port), "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
    const reply = await text(socket);
    expect(`${target}: ${reply.slice(0, 12)}`, reply).toBe(`${target}: HTTP/1.1 400`);
    expect(reply).toContain("invalid_parameter");
  }
});
