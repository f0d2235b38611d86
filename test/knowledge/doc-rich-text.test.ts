import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { expect, test } from "vitest";
import { parseExact } from "../../src/domain/kernel/exact-json.ts";
import { markdownOf } from "../../src/domain/knowledge/docs/rich-text.ts";

/** The tree of a rich-text editor as Markdown. An independent renderer reads what comes out. */

const renderer = new MarkdownIt({ html: true });
const html = async (...content: object[]) => renderer.render(await markdownOf({ type: "doc", content }));
const text = (text: string, ...marks: string[]) => ({ type: "text", text, marks: marks.map((type) => ({ type })) });
const paragraph = (...content: object[]) => ({ type: "paragraph", content });

const MARKUP = [..."\\`*_{}[]()<>#+-.!|~&=:;\"'/@0123456789 abc\n\t"];
const anyText = fc.array(fc.constantFrom(...MARKUP), { maxLength: 40 }).map((marks) => marks.join(""));
const plain = (value: string) => value.replaceAll(/\s+/g, " ").trim();
const unescaped = (value: string) =>
  value.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

test("text stays text, whatever markup it looks like", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (value) => {
      const rendered = await html(paragraph(text(value)));
      const [, inner = ""] = /^<p>([\s\S]*)<\/p>\n$/.exec(rendered) ?? [];
      expect(inner).not.toMatch(/<(?!br)/);
      expect(plain(unescaped(inner.replaceAll("<br>", " ")))).toBe(plain(value));
    }),
    { numRuns: 2_000 },
  );
});

test("marks begin and end at words, and nest", async () => {
  expect(await html(paragraph(text("a "), text("bold ", "strong"), text("both ", "bold", "em"), text("end")))).toBe(
    "<p>a <strong>bold <em>both</em></strong> end</p>\n",
  );
  expect(await html(paragraph(text("x"), text(" *y* ", "code"), text("``", "code")))).toContain("<code>*y*</code>");
});

test("a line break is kept within a paragraph, and dropped at its end", async () => {
  const hardBreak = { type: "hardBreak" };
  expect(await html(paragraph(text("a"), hardBreak, text("# b"), hardBreak, hardBreak))).toBe("<p>a<br>\n# b</p>\n");
});

test.each([
  ["bulletList", "listItem", "<ul>"],
  ["bullet_list", "list_item", "<ul>"],
  ["orderedList", "listItem", "<ol>"],
  ["ordered_list", "list_item", "<ol>"],
])("%s with %s is a list, and lists nest", async (list, item, tag) => {
  const rendered = await html({
    type: list,
    content: [
      {
        type: item,
        content: [paragraph(text("one")), { type: list, content: [{ type: item, content: [paragraph(text("two"))] }] }],
      },
      { type: item, content: [paragraph(text("three"))] },
    ],
  });
  expect(rendered.split(tag)).toHaveLength(3);
  expect(rendered.split("<li>")).toHaveLength(4);
});

test("headings, quotes, code, rules, tables, tasks, images and links are kept; unknown nodes become their text", async () => {
  const cell = (value: string) => ({ type: "tableCell", content: [paragraph(text(value))] });
  const rendered = await html(
    { type: "heading", attrs: { level: 3 }, content: [text("Head\nline")] },
    { type: "blockquote", content: [paragraph(text("quoted"))] },
    { type: "codeBlock", attrs: { language: "ts" }, content: [text("```\n<b>")] },
    { type: "horizontalRule" },
    {
      type: "table",
      content: [
        { type: "tableRow", content: [cell("a|b"), cell("c")] },
        { type: "tableRow", content: [cell("d")] },
      ],
    },
    { type: "taskList", content: [{ type: "taskItem", attrs: { checked: true }, content: [paragraph(text("done"))] }] },
    { type: "image", attrs: { src: "https://x.test/a b.png", alt: "[alt]" } },
    paragraph({ type: "text", text: "link", marks: [{ type: "link", attrs: { href: "https://x.test/(1)" } }] }),
    { type: "callout", content: [paragraph(text("inside"))] },
    { type: "video", attrs: { src: "x" } },
  );
  for (const part of [
    "<h3>Head line</h3>",
    "<blockquote>\n<p>quoted</p>\n</blockquote>",
    '<code class="language-ts">```\n&lt;b&gt;\n</code>',
    "<hr>",
    "<th>a|b</th>\n<th>c</th>",
    "<td>d</td>",
    "<li>[x] done</li>",
    '<img src="https://x.test/a%20b.png" alt="[alt]">',
    '<a href="https://x.test/%281%29">link</a>',
    "<p>inside</p>",
  ])
    expect(rendered).toContain(part);
});

test("lists, quotes and code nest, and items without text keep their mark", async () => {
  const code = { type: "codeBlock", content: [text("a\n\nb")] };
  const quote = { type: "blockquote", content: [paragraph(text("q")), code] };
  const item = (...content: object[]) => ({ type: "listItem", content });
  const list = { type: "orderedList", content: [item(quote, paragraph(text("p"))), item(), item({ type: "quote" })] };
  expect(
    await markdownOf({ type: "doc", content: [{ type: "blockquote", content: [list] }, paragraph(text("end"))] }),
  ).toBe(
    [
      "> 1. > q",
      ">    >",
      ">    > ```",
      ">    > a",
      ">    >",
      ">    > b",
      ">    > ```",
      ">",
      ">    p",
      "> 2.",
      "> 3.",
      "",
      "end",
      "",
    ].join("\n"),
  );
});

/** Neither `String` nor `Number` can read it. */
const NO_TEXT = { toString: 1, valueOf: 1 };

test("attributes of a wrong type are ignored", async () => {
  const attrs = { level: NO_TEXT, language: NO_TEXT, start: NO_TEXT };
  expect(await html({ type: "heading", attrs, content: [text("a")] })).toBe("<h1>a</h1>\n");
  expect(await html({ type: "codeBlock", attrs, content: [text("a")] })).toBe("<pre><code>a\n</code></pre>\n");
  expect(
    await html({ type: "orderedList", attrs, content: [{ type: "listItem", content: [paragraph(text("a"))] }] }),
  ).toBe("<ol>\n<li>a</li>\n</ol>\n");
});

test("numbers mean the same in every spelling", async () => {
  const { content } = parseExact(
    '{"content":[{"type":"heading","attrs":{"level":2.0},"content":[{"text":"a"}]},{"type":"orderedList","attrs":{"start":3e0},"content":[{"type":"listItem","content":[{"text":"b"}]}]}]}',
  ) as { content: object[] };
  expect(await html(...content)).toBe('<h2>a</h2>\n<ol start="3">\n<li>b</li>\n</ol>\n');
});

test("what Postgres cannot store in a text is replaced, and stays text", async () => {
  const rendered = await markdownOf({
    type: "doc",
    content: [
      paragraph(text("\0# a\ud800b")),
      { type: "image", attrs: { src: "https://x.test/\udc00\0", alt: "\ud800" } },
    ],
  });
  expect(rendered.isWellFormed()).toBe(true);
  expect(rendered).not.toContain("\0");
  expect(renderer.render(rendered)).toContain("<p>\uFFFD# a\uFFFDb</p>");
});

test("a heading of many lines becomes one line and loses nothing", async () => {
  const LINES = 180_000;
  const title = `${"\\\n".repeat(LINES)}end`;
  const rendered = await markdownOf({ type: "doc", content: [{ type: "heading", content: [text(title)] }] });
  expect(rendered.match(/\\/g)).toHaveLength(LINES);
});

test("any JSON of the right shape is rendered", async () => {
  const node = fc.letrec((tie) => ({
    node: fc.record(
      {
        type: fc.oneof(
          fc.constantFrom("paragraph", "table", "tableRow", "orderedList", "heading", "hardBreak", "x"),
          fc.jsonValue(),
        ),
        text: fc.oneof(fc.string(), fc.jsonValue()),
        attrs: fc.oneof(
          fc.jsonValue(),
          fc.constant({ level: -1, start: "x", src: 7 }),
          fc.constant({ level: NO_TEXT, start: NO_TEXT, language: NO_TEXT, src: NO_TEXT }),
        ),
        marks: fc.jsonValue(),
        content: fc.oneof(fc.array(tie("node"), { maxLength: 3 }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(fc.array(node, { maxLength: 3 }), async (content) => {
      expect(typeof (await markdownOf({ type: "doc", content }))).toBe("string");
    }),
    { numRuns: 500 },
  );
});
