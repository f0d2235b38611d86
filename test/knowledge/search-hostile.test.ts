import { expect, test } from "vitest";
import { termsOf } from "../../src/domain/kernel/search-terms.ts";
import { snippetMaker } from "../../src/domain/knowledge/search/snippet.ts";
import { watchTurns } from "../support/loop-turns.ts";
import { search } from "../support/search.ts";
import { world } from "../support/world.ts";

/** Texts and queries that are meant to do harm. */

const fill = (unit: string) => unit.repeat(200).slice(0, 200);

const QUERIES = [
  ...[
    "&",
    "|",
    "!",
    "<->",
    ":*",
    "'",
    '"',
    '"" ',
    "-",
    "--",
    '-"',
    "\\",
    "%",
    "*",
    "( ",
    ")",
    "<",
    "$1",
    "{",
    "@w",
  ].map(fill),
  ...[
    "a b ",
    "-a ",
    '"a" ',
    '"a b" ',
    "東",
    "東 ",
    "ü",
    "ß",
    "ﷺ",
    "\u0301",
    "é",
    "\ud800",
    "😀",
    "ก็",
    "a-",
    "1.",
    "a'b ",
  ].map(fill),
  ...[
    "\0",
    "a\0b",
    "\u202e",
    "'); drop table issue; --",
    "a & !b | c:*",
    "'a' <2> 'b'",
    "@t2900",
    "''",
    "\\'",
    "a:b",
    ":A",
    '-"a b"',
    '-"a b" -"b a"',
    "-東京都",
    "＜a＞＆amp；ｂ＠ｃ．ｄ",
  ],
];

test.each(QUERIES.map((q) => [q]))("the query %j is answered", async (q) => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "a b" }).expect(201);
  const encoded = encodeURIComponent(q.toWellFormed());
  const { status, text } = await owner.get(`W/search?q=${encoded}&types=issue,doc,comment,message`);
  expect([200, 400], text).toContain(status);
});

const MARKUP = [
  "<script>alert(1)</script> owl",
  "owl <img src=x onerror=alert(1)>",
  "<mark>owl</mark> & <b>owl</b>",
  "&lt;script&gt; owl &#x3C;script&#x3E;",
  "\"'><svg/onload=alert(1)> owl",
  "owl<owl>owl</owl>&owl;",
  `${"<".repeat(300)}owl${">".repeat(300)}`,
  `${"&".repeat(49)}owl`,
  `owl${"\u202e\u2066\0".replace("\0", "")}<a href="javascript:alert(1)">owl</a>`,
];

test.each(MARKUP)("the snippet of %j has no markup but our marks", async (text) => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x", description_md: text }).expect(201);
  await owner.post("W/docs", { title: text.slice(0, 200).trim() }).expect(201);
  await owner.post("P/issues/WEB-1/comments", { body_md: text }).expect(201);
  const results = await search(owner, "owl", "types=issue,doc,comment");
  expect(results.length).toBeGreaterThanOrEqual(2);
  for (const { snippet } of results) {
    expect(snippet.length).toBeLessThanOrEqual(200);
    expect(snippet.replace(/<mark>[^<>]*<\/mark>/g, "")).not.toMatch(/[<>"']/);
    expect(snippet.replace(/&(amp|lt|gt|quot|#39);/g, "")).not.toContain("&");
    expect(snippet).not.toMatch(/[\u202e\u2066]/);
  }
});

const LONG = ["a ", "owl ", "東", "ü", "\u0301", "😀", "ก็", "<", "\n", "a_", "owl-", "a＿", "𠀀ä", "ᄀ"];

test.each(LONG)("a text of nothing but %j is indexed, found at its end, and cut in time", async (unit) => {
  const { owner } = await world();
  const description_md = `${unit.repeat(65_536)}`.slice(0, 65_000).toWellFormed();
  await owner.post("P/issues", { title: "Long", description_md: `${description_md} needle 針穴` }).expect(201);
  for (const q of ["needle", "針穴"]) {
    const [found] = await search(owner, q);
    expect(found?.snippet).toContain("<mark>");
  }
  const { longest, stop } = watchTurns();
  const make = snippetMaker(termsOf(fill('zzz "zz zz" 針 ü ')));
  const turns: number[] = [];
  // The first runs compile code.
  while (turns.length < 3 && !(Math.min(...turns) < 50)) {
    longest();
    await make({ title: "x", body: description_md });
    turns.push(longest());
  }
  stop();
  expect(Math.min(...turns)).toBeLessThan(50);
});

test("a long text shows the first whole word that matches, wherever it is searched in parts", async () => {
  const make = snippetMaker(termsOf('"needle"'));
  for (let before = 2_030; before < 2_310; before++) {
    const body = `${".".repeat(before)} needlework ${"x ".repeat(300)}needle`;
    expect(await make({ title: "x", body }), String(before)).toContain("x <mark>needle</mark>");
  }
});

test("snippets show the text around the first match on one line", async () => {
  const make = (q: string, body: string, title = "Title") => snippetMaker(termsOf(q))({ title, body });
  expect(await make("owl", "An  owl\n\n# and\tan OWL.")).toBe("An <mark>owl</mark> # and an <mark>OWL</mark>.");
  expect(await make("owl", "nothing", "The owl")).toBe("The <mark>owl</mark>");
  expect(await make("-owl", "Body")).toBe("Body");
  expect(await make("owl", "", "Title")).toBe("Title");
  expect(await make("owl", `${"word ".repeat(100)}an owl ${"word ".repeat(100)}`)).toMatch(
    /^…(word )+an <mark>owl<\/mark>( wo?r?d?)+…$/,
  );
  expect(await make('"red owl"', "owl red, red  owl")).toBe("owl red, <mark>red owl</mark>");
  expect(await make("mull", "Herr Müllers Haus")).toBe("Herr <mark>Müll</mark>ers Haus");
  expect(await make("京都", "東京都")).toBe("東<mark>京都</mark>");
  expect(await make(`"${"owl ".repeat(40)}"`, "owl, ".repeat(60))).toMatch(/^<mark>(owl, )+o?w?l?,?<\/mark>…$/);
  expect(await make("針".repeat(200), "針".repeat(300))).toBe(`<mark>${"針".repeat(186)}</mark>…`);
  expect(await make("x", `${"😀".repeat(100)}x`)).toMatch(/^…(😀)+<mark>x<\/mark>$/u);
});

test("a page of long texts is cut in bounded time: once much has been searched, only beginnings are", async () => {
  const make = snippetMaker(termsOf("owl"));
  const long = { title: "Long", body: `${"x ".repeat(32_000)}owl` };
  expect(await make(long)).toContain("<mark>");
  for (let n = 0; n < 20; n++) await make(long);
  expect(await make(long)).not.toContain("<mark>");
  expect(await make({ title: "Long", body: `owl ${long.body}` })).toContain("<mark>");
  expect(await make({ title: "Owl", body: long.body })).toContain("<mark>");
});
