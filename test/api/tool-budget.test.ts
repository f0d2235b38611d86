import { expect, test } from "vitest";
import { app } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { callTool, type ToolResult } from "../support/tools.ts";
import { type World, world } from "../support/world.ts";

/** The size of answers: no result is too large for a model, and every part that was cut can be read. */

const MAX_RESULT = 40_000;

async function within(client: Client, name: string, given: object): Promise<ToolResult> {
  const result = await callTool(client, name, given);
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MAX_RESULT);
  expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
  return result;
}

type Cut = { at: string; more: string; shown: number; of: number };

const cutOf = ({ structuredContent }: ToolResult, at: string): Cut =>
  structuredContent.cut.find((one: Cut) => one.at === at);

/** Reads a part that was cut from its beginning or from where it was cut. */
async function readOn(client: Client, name: string, given: object, { more }: Cut): Promise<string> {
  let text = "";
  let next: string | undefined = more;
  while (next !== undefined) {
    const { structuredContent }: ToolResult = await within(client, name, { ...given, more: next });
    expect(structuredContent.data.part.isWellFormed()).toBe(true);
    text += structuredContent.data.part;
    next = structuredContent.more;
  }
  return text;
}

/** Characters of a doc, and bytes of the body that it is sent in. */
const LONG = 524_288;
const MAX_BODY = 1_000_000;
const TEXTS = {
  "Latin letters": "Lorem ipsum. ",
  "three bytes a character": "設計書",
  "surrogate pairs": "a😀",
  "quotes and backslashes": '"\\',
  "control characters": "\u0001\u001f",
};

test.each(Object.entries(TEXTS))("a doc of the largest size is read in parts: %s", async (_, pattern) => {
  const here = await world();
  const bytes = Buffer.byteLength(JSON.stringify(pattern)) - 2;
  const body = pattern.repeat(Math.floor(Math.min(LONG / pattern.length, MAX_BODY / bytes)));
  const { data } = await here.owner.post("W/docs", { title: "Long", body_md: body }).expect(201);
  const given = { id: data.id };
  const first = await within(here.owner, "get_doc", given);
  const shown: string = first.structuredContent.data.body_md;
  const rest = await readOn(here.owner, "get_doc", given, cutOf(first, "data.body_md"));
  expect(shown.length).toBeGreaterThan(1_500);
  expect(shown.slice(0, -1) + rest).toBe(body);
});

/** Values of the largest body, wide or deep. */
const TREES: Record<string, unknown> = {
  "a long list": Array.from({ length: 15_000 }, (_, index) => ({ n: index })),
  "deep lists": Array.from({ length: 300 }, () => JSON.parse(`${"[".repeat(55)}"x"${"]".repeat(55)}`)),
  "lists in lists": Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => Array(20).fill("word"))),
  "long names": { [`${"n".repeat(100_000)}`]: 1, [`${"m".repeat(100_000)}`]: [2] },
  "many long texts": Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`t${index}`, "x".repeat(2_000)])),
};

test.each(Object.entries(TREES))("an answer of any form is read in parts: %s", async (_, tree) => {
  const { owner } = await world();
  const { data } = await owner.post("W/docs", { title: "Tree", body_json: tree }).expect(201);
  const given = { operation: "getDoc", path: { id: data.id }, query: { fields: "body_json" } };
  const first = await within(owner, "call_operation", given);
  // The part that is cut nearest to the root has all others.
  const cut = cutOf(first, "data.body_json");
  if (cut) expect(JSON.parse(await readOn(owner, "call_operation", given, cut))).toEqual(tree);
  else {
    for (const one of first.structuredContent.cut as Cut[]) {
      const [, , ...path] = one.at.split(".");
      // biome-ignore lint/suspicious/noExplicitAny: any form
      const whole = path.reduce((value: any, name) => value[name], tree);
      const rest = await readOn(owner, "call_operation", given, one);
      if (typeof whole === "string") expect(whole.endsWith(rest)).toBe(true);
      else expect(JSON.parse(rest)).toEqual(whole);
    }
  }
});

async function longComments(here: World): Promise<void> {
  await here.owner.post("P/issues", { title: "Long talk" }).expect(201);
  const items = Array.from({ length: 10 }, (_, index) => ({ body_md: `${index} ${"comment ".repeat(7_900)}` }));
  for (let count = 0; count < 10; count++) await here.owner.post("P/issues/WEB-1/comments/bulk", { items }).expect(201);
}

test("a hundred comments of the largest size are one page, and each is read whole", async () => {
  const here = await world();
  await longComments(here);
  const given = { issue: "WEB-1", limit: 100 };
  const page = await within(here.owner, "list_comments", given);
  const { data, cut } = page.structuredContent;
  expect(data.length).toBeGreaterThan(10);
  const { id } = data[3];
  const one = cut.find(({ at }: Cut) => at.includes(id));
  const rest = await readOn(here.owner, "list_comments", given, one);
  expect(data[3].body_md.slice(0, -1) + rest).toBe(`3 ${"comment ".repeat(7_900)}`);
});

test("reading on says so when the text has changed or the token is broken", async () => {
  const { owner } = await world();
  const { data } = await owner.post("W/docs", { title: "Long", body_md: "a".repeat(100_000) }).expect(201);
  const first = await within(owner, "get_doc", { id: data.id });
  const { more } = cutOf(first, "data.body_md");
  await owner.patch(`W/docs/${data.id}`, { append: "b" }).expect(200);
  for (const [token, code] of [
    [more, "cursor_mismatch"],
    ["e30", "invalid_cursor"],
    ["", "invalid_cursor"],
    [Buffer.from('[["data","__proto__"],0,0]').toString("base64url"), "cursor_mismatch"],
    [Buffer.from('[["data","body_md"],1e300,0]').toString("base64url"), "invalid_cursor"],
  ]) {
    const result = await within(owner, "get_doc", { id: data.id, more: token });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code } } });
  }
});

test("an error with many details fits", async () => {
  const { owner } = await world();
  const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}${"x".repeat(300)}`, 1]));
  const { isError } = await within(owner, "create_issue", { project: "WEB", ...body });
  expect(isError).toBe(true);
  await within(owner, "call_operation", { operation: "x".repeat(500_000) });
  await within(owner, "call_operation", { operation: "getMe", ["x".repeat(500_000)]: 1 });
});

test("every operation's description fits", async () => {
  const { owner } = await world();
  let cursor: string | null = "0";
  let count = 0;
  const cut: string[] = [];
  while (cursor !== null) {
    const page: ToolResult = await within(owner, "find_operation", { cursor });
    for (const { operation } of page.structuredContent.data) {
      const { structuredContent } = await within(owner, "describe_operation", { operation });
      if (structuredContent.cut) cut.push(operation);
      for (const schema of structuredContent.data.schema_names ?? []) {
        await within(owner, "describe_operation", { operation, schema });
      }
      count++;
    }
    cursor = page.structuredContent.pagination.next_cursor;
  }
  expect(count).toBeGreaterThan(190);
  expect(cut).toEqual([]);
}, 60_000);

test("large answers do not hold the event loop", { timeout: 120_000 }, async () => {
  const here = await world();
  const { config } = await app();
  const web = await startWatched(config);
  try {
    await longComments(here);
    const tree = await here.owner.post("W/docs", { title: "Tree", body_json: TREES["a long list"] }).expect(201);
    const send = (name: string, given: object) =>
      fetch(`${web.url}/api/mcp/v1`, {
        method: "POST",
        headers: { authorization: `Bearer ${here.owner.key}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
      }).then((reply) => reply.text());
    await expectShortTurns(web, "a page of long comments", () => send("list_comments", { issue: "WEB-1", limit: 100 }));
    const given = { operation: "getDoc", path: { id: tree.data.id } };
    await expectShortTurns(web, "a long list", () => send("call_operation", given));
    await expectShortTurns(web, "pages of long comments at once", () =>
      Promise.all(Array.from({ length: 6 }, () => send("list_comments", { issue: "WEB-1", limit: 100 }))),
    );
    await expectShortTurns(web, "a description that many want", () =>
      Promise.all(Array.from({ length: 20 }, () => send("describe_operation", { operation: "createAutomation" }))),
    );
    await expectShortTurns(web, "all descriptions", async () => {
      await send("describe_operation", { operation: "createAutomation" });
      await send("tools/list", {});
    });
  } finally {
    await web.kill();
  }
});
