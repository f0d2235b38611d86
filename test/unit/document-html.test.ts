import { describe, expect, test } from "vitest";
import { noBrowser } from "../support/browser-path.ts";
import { look, profile } from "../support/chromium.ts";
import { openRenderer } from "../support/rendered.ts";
import { ATTACKS } from "./document-attacks.ts";

/** The main part of a rendered file. */
const main = (html: string) => /<main>\n([\s\S]*)<\/main>/.exec(html)![1]!.trim();

describe("a document as HTML", () => {
  const { html } = openRenderer();
  const body = async (markdown: string) => main(await html(markdown));

  test("has headings with ids of their own, and links between them", async () => {
    const text = await body("# One & two\n\n## Same\n\n## Same\n\n## Größe\n\n[there](#same-1) [no](#größe)");
    expect(text).toContain('<h1 dir="auto" id="h-one--two">One &amp; two</h1>');
    expect(text).toContain('id="h-same"');
    expect(text).toContain('id="h-same-1"');
    expect(text).toContain('<a href="#h-same-1">there</a>');
    expect(text).toContain(`<a href="#h-gr%C3%B6%C3%9Fe">no</a>`);
  });

  test("shows the description of an image in the text that is not embedded, without its source", async () => {
    const svg = "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=";
    expect(await body(`![a drawing](${svg})`)).toBe('<p dir="auto"><a>a drawing</a></p>');
    expect(await body(`[a link](${svg})`)).toBe('<p dir="auto"><a>a link</a></p>');
  });

  test("has the date on the side on which the title begins", async () => {
    expect(await html("", { title: "مستند" })).toContain('<header dir="rtl"><h1 dir="auto">مستند</h1>');
    expect(await html("", { title: "Document" })).toContain("<header><h1");
  });

  test("has lists, task lists, quotes, tables and code", async () => {
    expect(await body("3. three\n4. four")).toContain('<ol start="3" dir="ltr">');
    const tasks = await body("- [ ] open\n- [x] done");
    expect(tasks).toContain('<li dir="ltr" class="task"><input type="checkbox" disabled /> open</li>');
    expect(tasks).toContain('<input type="checkbox" disabled checked /> done</li>');
    expect(await body("> quoted")).toContain('<blockquote dir="ltr">');
    const table = await body("| a | b |\n|--:|---|\n| 1 | **2** |");
    expect(table).toContain('<th class="right" dir="auto">a</th>');
    expect(table).toContain('<td dir="auto"><strong>2</strong></td>');
    expect(await body("```ts\na < b\n```")).toBe('<pre dir="ltr"><code class="language-ts">a &lt; b\n</code></pre>');
  });

  test("has the direction of each text, and of lists, quotes and tables by their first text", async () => {
    expect(await body("نص\n\nText")).toBe('<p dir="auto">نص</p>\n<p dir="auto">Text</p>');
    expect(await body("1. first\n2. أول")).toMatch(/^<ol dir="ltr">\n<li dir="ltr">first<.li>\n<li dir="rtl">أول<.li>/);
    expect(await body("- أول\n\n  b")).toMatch(/^<ul dir="rtl">\n<li dir="rtl">\n<p dir="auto">أول/);
    expect(await body("> > اقتباس")).toMatch(/^<blockquote dir="rtl">\n<blockquote dir="rtl">\n<p dir="auto">/);
    expect(await body("| رأس | b |\n|---|---|")).toContain('<table dir="rtl">');
  });

  test("keeps text of lists and quotes that are nested too deeply", async () => {
    const list = Array.from({ length: 60 }, (_, depth) => `${"  ".repeat(depth)}- item ${depth}`).join("\n");
    const text = await body(`${"> ".repeat(120)}deep\n\n${list}\n\nafter`);
    for (const part of ["deep", "item 19", "item 59", '<p dir="auto">after</p>']) expect(text).toContain(part);
  });

  test("shows text beyond the limits of structure as it was written", async () => {
    const paragraphs = await html(`${"*a*\n\n".repeat(70_000)}the *last*`);
    expect(paragraphs).toContain('<p dir="auto"><em>a</em></p>');
    expect(paragraphs).toMatch(/\*a\*\n\n\*a\*\n\nthe \*last\*\s*<\/code>/);
    const table = await html(`| a | b |\n|---|---|\n${"| *c* | d |\n".repeat(30_000)}| last | *row* |\n\n*behind*`);
    expect(table).toMatch(/\| last \| \*row\* \|\s*<\/code>/);
    expect(table).toContain('<p dir="auto"><em>behind</em></p>');
  });

  test("applies the limits of structure to lists of empty items and to tables with many columns", async () => {
    for (const item of ["-\n", "-\n\n", "1.\n"]) {
      const list = await html(`${item.repeat(150_000)}- last`);
      expect(list).toMatch(/- last\s*<\/code>/);
      expect(list.split("<li").length).toBeLessThan(110_000);
    }
    const wide = await html(`${"|head".repeat(50_000)}\n${"|-".repeat(50_000)}\n|row\n\n*behind*`);
    expect(wide).not.toContain("<table");
    expect(wide).toMatch(/\|head\|head\n\|-\|-.*\n\|row\s*<\/code>/);
    expect(wide).toContain("<em>behind</em>");
  });

  test("adds nothing behind a table that ends at the limit, and reads what follows a longer one", async () => {
    const rows = (count: number) => `a|b\n-|-\n${"c|d\n".repeat(count)}`;
    const shown = (await html(rows(30_000))).split("<tr").length - 2;
    expect(shown).toBeGreaterThan(10_000);
    for (const next of ["", "\n*behind*", "# Heading\n", "```\nx\n\ny\n```\n\n*behind*"]) {
      const text = main(await html(rows(shown) + next));
      expect(text).not.toContain("c|d");
      expect(text.split("</table></div>")[1]!.trim()).toBe(await body(next));
    }
    const longer = main(await html(`${rows(shown + 1)}# Heading\n`));
    expect(longer).toMatch(/<code>c\|d<\/code><\/pre>\n<h1 [^>]*>Heading<\/h1>$/);
  });

  test("links issues and names people as comments do", async () => {
    const names = { "01890a5d-ac96-774b-bcce-b302099a8057": "Ada" };
    const text = main(await html("#WEB-1 and @[Olive](01890a5d-ac96-774b-bcce-b302099a8057)", { names }));
    expect(text).toContain(
      '<a href="https://muster.test/w/acme/p/web/WEB-1" rel="nofollow noopener noreferrer">#WEB-1</a>',
    );
    expect(text).toContain('<span class="mention">@Ada</span>');
  });

  test("hides comments, shows harmless elements without attributes, and other HTML as text", async () => {
    expect(await body("<b onclick=x>bold</b><!-- no --> <i")).toBe('<p dir="auto"><b>bold</b> &lt;i</p>');
    expect(await body("<b/x><p>x</p>")).toContain("&lt;p&gt;x&lt;/p&gt;");
    expect(await body("<details open><summary>a</summary>\n\n- b\n\n</details>")).toMatch(
      /^<details open[^>]*>\s*<summary[^>]*>a<\/summary>\s*<ul[^>]*>.*<\/ul>\s*<\/details>$/s,
    );
  });

  test("contains embedded images, and links to others", async () => {
    const text = await body(
      `![red](${DOT}) ![far](https://example.com/far.png) [![in](https://a.test/b.png)](https://c.test)`,
    );
    expect(text).toContain(`<img src="${DOT}" alt="red" />`);
    expect(text).toContain('<a href="https://example.com/far.png" rel="nofollow noopener noreferrer">far</a>');
    expect(text).toContain('<a href="https://c.test/" rel="nofollow noopener noreferrer">in</a>');
  });

  test("has its title once, its date and its language", async () => {
    const text = await html("# The title\n\nText", { title: "The title" });
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toContain('<time datetime="2026-11-22T10:20:30.456Z">2026-11-22</time>');
    expect(await html("نص عربي طويل")).toContain('<html lang="ar">');
    expect(await html("日本語の文章です")).toContain('<html lang="ja">');
    expect(await html("Some text")).toContain("<html>");
    expect(await html("Ein Text", { language: "de" })).toContain('<html lang="de">');
  });
});

describe.skipIf(noBrowser)(`in a browser${noBrowser}`, () => {
  const { html } = openRenderer();

  test("a document with wide tables, long words and long code is as wide as the window", async () => {
    const wide = `| ${"a | ".repeat(40)}\n|${"---|".repeat(40)}\n| ${"cell | ".repeat(40)}`;
    const page = await (await profile()).newPage();
    await page.setContent(await html(`${wide}\n\n${"long".repeat(200)}\n\n\`\`\`\n${"code ".repeat(100)}\n\`\`\`\n`));
    // Nobody says in which language a document is.
    await look(page, "export", ["html-has-lang"]);
  });

  test.each([2, 5, 6, 12])("a printed table with %d columns keeps ordinary words in one line", async (columns) => {
    const row = (cell: string) => `| ${Array.from({ length: columns - 1 }, () => cell).join(" | ")}`;
    const long = "a long text that takes as much of the page as it can get ".repeat(4);
    const table = `${row("Centre")} | Text |\n${row("---")} | --- |\n${row("2,000.00")} | ${long} |\n`;
    const page = await (await profile()).newPage();
    await page.emulateMedia({ media: "print" });
    // The width of an A4 page without its margins.
    await page.setViewportSize({ width: 643, height: 971 });
    await page.setContent(await html(table));
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(643);
    const height = (text: string) =>
      page.evaluate(`(() => {
        const cell = [...document.querySelectorAll("th, td")].find(({ textContent }) => textContent === "${text}");
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      })()`);
    expect([await height("Centre"), await height("2,000.00")]).toEqual([1, 1]);
  });

  // Scripts run in this browser, and without the file's own policy too, so that each defence is tested alone.
  test.for([true, false])(
    "no attack runs anything or requests anything (policy: %s)",
    { timeout: 120_000 },
    async (policy) => {
      const page = await (await profile({ script: true })).newPage();
      const seen: string[] = [];
      page.on("dialog", async (dialog) => {
        seen.push(`dialog ${dialog.message()}`);
        await dialog.dismiss();
      });
      page.on("request", (request) => {
        if (!request.url().startsWith("data:")) seen.push(`request ${request.url()}`);
      });
      const together = [ATTACKS, ATTACKS.toReversed()];
      const documents = policy ? together : [...ATTACKS.map((attack) => [attack]), ...together];
      for (const attacks of documents) {
        const file = await html(attacks.join("\n\n"), { title: attacks[0]! });
        const shown = policy ? file : file.replace(/<meta http-equiv[^>]*>/, "");
        expect(shown.length < file.length).toBe(!policy);
        await page.setContent(shown);
        const found = await page.evaluate(FIND_DANGERS);
        expect({ attacks: attacks.slice(0, 3), found, seen }).toEqual({
          attacks: attacks.slice(0, 3),
          found: [],
          seen: [],
        });
      }
    },
  );

  test("the search for dangers finds each of them", async () => {
    const page = await (await profile({ script: true })).newPage();
    for (const danger of DANGERS) {
      await page.setContent(`<!doctype html><title>x</title><main>${danger}</main>`);
      expect(await page.evaluate(FIND_DANGERS), danger).not.toEqual([]);
    }
  });
});

const DOT =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";

const DANGERS = [
  "<script>1</script>",
  "<p onclick=1>x</p>",
  "<a href='javascript:1'>x</a>",
  "<a href='java\tscript:1'>x</a>",
  "<a href='vbscript:1'>x</a>",
  "<a href='data:text/html,x'>x</a>",
  "<img src='data:image/svg+xml,x'>",
  "<p style='color:red'>x</p>",
  "<p id=getElementById>x</p>",
  "<p name=x>x</p>",
  "<svg></svg>",
  "<form></form>",
  "<div class='any other'>x</div>",
];

/** Runs in the page. Returns what an exported file may not contain. */
const FIND_DANGERS = `(() => {
  const tags = new Set("HTML HEAD META TITLE STYLE BODY HEADER MAIN TIME P HR BR PRE BLOCKQUOTE UL OL LI DIV H1 H2 H3 H4 H5 H6 TABLE THEAD TBODY TR TH TD STRONG EM S CODE A IMG SPAN INPUT DETAILS SUMMARY B I U Q SUB SUP KBD SAMP VAR CITE MARK SMALL INS DEL".split(" "));
  const attributes = new Set("lang dir class id href rel src alt start type disabled checked open datetime tabindex charset name content http-equiv".split(" "));
  const classes = /^(?:mention|table|task|left|right|center|language-[A-Za-z0-9_+#.-]+)$/;
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    if (!tags.has(element.tagName)) found.push("element " + element.tagName);
    const inBody = element.closest("main");
    if (inBody && ["META", "TITLE", "STYLE"].includes(element.tagName)) found.push("element " + element.tagName);
    for (const { name, value } of element.attributes) {
      if (!attributes.has(name)) found.push("attribute " + name);
      if (name === "name" && element.tagName !== "META") found.push("name");
      if (name === "id" && !value.startsWith("h-")) found.push("id " + value);
      if (name === "class" && !classes.test(value)) found.push("class " + value);
      if (name === "type" && value !== "checkbox") found.push("type " + value);
      if (name === "href" && !value.startsWith("#") && !["http:", "https:", "mailto:"].includes(element.protocol)) found.push("href " + value);
      if (name === "src" && !/^data:image\\/(png|jpeg|gif|webp);base64,/.test(value)) found.push("src " + value);
    }
  }
  return found;
})()`;
