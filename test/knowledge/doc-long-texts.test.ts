import { afterAll, beforeAll, expect, test } from "vitest";
import { app, configure } from "../support/app.ts";
import { replyOf } from "../support/client.ts";
import { expectShortTurns, startWatched, type WatchedProcess } from "../support/loop.ts";
import { type World, world } from "../support/world.ts";

/** The longest docs do not delay other callers. */

configure({ RATE_LIMIT_PER_MINUTE: "100000" });

let web: WatchedProcess;
beforeAll(async () => {
  web = await startWatched((await app()).config);
});
afterAll(() => web?.kill());

const LONG = 524_288;
const fill = (part: string, length = LONG) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

async function send({ owner }: World, method: string, path: string, body: unknown, status: number) {
  const url = web.url + owner.url(path).slice((await app()).baseUrl.length);
  const headers = { authorization: `Bearer ${owner.key}`, "content-type": "application/json" };
  const reply = await replyOf(await fetch(url, { method, headers, body: JSON.stringify(body) }));
  expect(reply.status, reply.text.slice(0, 300)).toBe(status);
  return reply;
}

test.each([
  ["words", "The quick brown fox.\n"],
  ["words of two scripts", "ab 我 "],
  ["Markdown", "* [a](b) `c` **d**\n"],
  ["line breaks, which are long as JSON", "\n"],
])("a doc of half a million characters is created, changed and read: %s", async (what, part) => {
  const here = await world();
  const body_md = fill(part, what === "words of two scripts" ? 400_000 : LONG - 30_000);
  await expectShortTurns(web, "creating it", () => send(here, "POST", "W/docs", { body_md }, 201));
  const { data } = await here.owner.post("W/docs", { body_md }).expect(201);
  await expectShortTurns(web, "appending", () => send(here, "PATCH", `W/docs/${data.id}`, { append: "x" }, 200));
});

test.each([
  ["a letter and a search text of it", "a", `b${fill("a", 65_535)}`],
  ["short lines", "a\n", fill("a b\n", 65_536)],
  ["other white space", "Ab cD ", `${fill("aB  Cd ", 65_535)}z`],
  ["signs", "[", `${fill("[", 65_535)}z`],
])("the nearest text is found: %s", async (_, part, find) => {
  const here = await world();
  const { data } = await here.owner.post("W/docs", { body_md: fill(part) }).expect(201);
  const replace = [{ find, with: "" }];
  await expectShortTurns(web, "searching", () => send(here, "PATCH", `W/docs/${data.id}`, { replace }, 400));
});

test("twenty replacements in a long doc", async () => {
  const here = await world();
  const marks = Array.from({ length: 20 }, (_, n) => `<mark ${n}>`);
  const body_md = `${fill("a", LONG - 1_000)}${marks.join(" ")}`;
  const { data } = await here.owner.post("W/docs", { body_md }).expect(201);
  const there = marks.map((find) => ({ find, with: find.toUpperCase() }));
  const back = marks.map((find) => ({ find: find.toUpperCase(), with: find }));
  await expectShortTurns(web, "replacing", async () => {
    await send(here, "PATCH", `W/docs/${data.id}`, { replace: there }, 200);
    await send(here, "PATCH", `W/docs/${data.id}`, { replace: back }, 200);
  });
});

test("a rich-text tree of a megabyte, and one with as many nodes as are taken", async () => {
  const here = await world();
  const paragraph = (text: string) => ({
    type: "paragraph",
    content: [{ type: "text", text, marks: [{ type: "bold" }] }],
  });
  const long = { type: "doc", content: Array.from({ length: 350 }, () => paragraph(fill("*x* ", 900))) };
  const many = { type: "doc", content: Array.from({ length: 2_500 }, (_, n) => paragraph(`node ${n} `)) };
  await expectShortTurns(web, "long texts", () => send(here, "POST", "W/docs", { body_json: long }, 201));
  const both = { body_md: fill("a\n", 300_000), body_json: { text: fill("b\n", 300_000) } };
  await expectShortTurns(web, "Markdown and JSON", () => send(here, "POST", "W/docs", both, 201));
  await expectShortTurns(web, "many nodes", () => send(here, "POST", "W/docs", { body_json: many }, 201));
});

test.each([
  ["blank lines in a list", "listItem", "\n", 201],
  ["blank lines in a quote", "blockquote", "\n", 400],
  ["lines of one letter in a list", "listItem", "a\n", 400],
])("rich text that is nested as deep as is taken: %s", async (_, type, part, status) => {
  const here = await world();
  const code = { type: "codeBlock", content: [{ type: "text", text: fill(part, 500_000) }] };
  const nested = Array.from({ length: 28 }).reduce<object>((content) => ({ type, content: [content] }), code);
  const body_json = { type: "doc", content: [nested] };
  await expectShortTurns(web, "rendering it", () => send(here, "POST", "W/docs", { body_json }, status));
});

test("rich text with a sign at the start of each of 250,000 lines", async () => {
  const here = await world();
  const text = { type: "text", text: fill("\n#", 500_000) };
  const body_json = { type: "doc", content: [{ type: "paragraph", content: [text] }] };
  await expectShortTurns(web, "rendering it", () => send(here, "POST", "W/docs", { body_json }, 400));
});

test("fifty docs of 150 KiB at once", async () => {
  const here = await world();
  const items = Array.from({ length: 50 }, () => ({ body_md: fill("The quick brown fox.\n", 150_000) }));
  await expectShortTurns(web, "creating them", () => send(here, "POST", "W/docs/bulk", { items }, 201));
});
