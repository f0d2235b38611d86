import { expect, test } from "vitest";
import { boxesIn, copiedFrom, readPdf } from "../support/pdf.ts";
import { openRenderer } from "../support/rendered.ts";

const { render, findUndrawn } = openRenderer();
const pdf = async (markdown: string, more = {}) => readPdf(await render(markdown, more));

test("the text of all scripts can be searched and copied", async () => {
  const lines = [
    "Latin with ligatures: office, flow. Ελληνικά, Кириллица, Tiếng Việt.",
    "שלום עולם, זהו טקסט בעברית עם English באמצע",
    "هذا نص عربي مع كلمة English في الوسط وأرقام 123",
    "中文段落与汉字，粗体",
    "日本語の文章とカタカナ",
    "한국어 문장입니다",
    "क्षत्रिय ज्ञान विद्यार्थी संयुक्ताक्षर: ट्ट द्ध ह्म",
    "emoji 😀 🎉 🇩🇪 👍🏽 👩‍👩‍👧‍👦 end",
  ];
  const text = (await copiedFrom(await render(lines.join("\n\n")))).normalize("NFC");
  for (const line of lines) expect(text).toContain(line.normalize("NFC"));
});

test("every script that Unicode recommends for general use is drawn and can be copied", async () => {
  const lines = {
    Thai: "สวัสดีชาวโลก นี่คือข้อความภาษาไทย",
    Khmer: "សួស្តីពិភពលោក នេះជាអត្ថបទខ្មែរ",
    Burmese: "မင်္ဂလာပါ ကမ္ဘာလောက",
    Bengali: "ওহে বিশ্ব, এটি বাংলা লেখা।",
    Tamil: "வணக்கம் உலகம்",
    Telugu: "హలో ప్రపంచం తెలుగు",
    Kannada: "ನಮಸ್ಕಾರ ಪ್ರಪಂಚ",
    Malayalam: "ഹലോ ലോകം മലയാളം",
    Gujarati: "નમસ્તે દુનિયા",
    Punjabi: "ਸਤ ਸ੍ਰੀ ਅਕਾਲ ਦੁਨਿਆ",
    Sinhala: "ආයුබෝවන් ලෝකය",
    Amharic: "ሰላም ልዑል ዓለም",
    Lao: "ສະບາຍດີຊາວໂລກ",
    Tibetan: "བཀྲ་ཤིས་བདེ་ལེགས།",
    Odia: "ନମସ୍କାର ଦୁନିଆ",
    Armenian: "Բարև աշխարհ",
    Georgian: "გამარჯობა მსოფლიო",
    // Viewers put the marks of its letters into different orders.
    Thaana: "ދިވެހި",
    Sindhi: "ڄڃڇڏڌڍٻ",
    symbols: "→ ✓ ★ ☎ ∑ ∀ ☐ ① ⌘ 𝔸 ┌─┐ ฿",
  };
  const bytes = await render(
    Object.values(lines)
      .map((line) => `${line}\n\nEnglish with **${line}** and \`${line}\``)
      .join("\n\n"),
  );
  expect(await boxesIn(bytes)).toBe(0);
  const squashed = (text: string) => text.normalize("NFC").replace(/\s/g, "");
  const text = squashed(await copiedFrom(bytes));
  for (const [script, line] of Object.entries(lines).slice(0, 17))
    expect(text.split(squashed(line)).length - 1, script).toBe(3);
  expect(await findUndrawn(Object.values(lines).join(""))).toEqual([]);
});

test("the characters that become boxes are named, and no others", async () => {
  const boxes = ["Ꮳ", "Ꮃ", "ᠮ", "𓀀", "𝄞", "\u{e000}"];
  expect(await boxesIn(await render(boxes.join(" ")))).toBe(boxes.length);
  expect(await findUndrawn(`Latin ${boxes.join("")}${boxes.join(" ")}`)).toEqual(boxes);
  // Invisible characters, and a letter that a font composes.
  expect(await findUndrawn("\u200b\u200d\ufe0f\u0007 \u1e9b\u0323 中\u0301")).toEqual([]);
  // Any text is read in a moment.
  expect(await findUndrawn(String.fromCodePoint(...Array.from({ length: 5_000 }, (_, n) => 0x13000 + n)))).toHaveLength(
    100,
  );
});

test("code and long words are copied as they were written", async () => {
  const word = `address="https://example.com/${"abcDEF0123456789".repeat(12)}";f(){}`;
  const markdown = `\`\`\`\n${word}\n\`\`\`\n\n\`${word}\`\n\n${word}\n\n| a | b |\n|---|---|\n| ${word} | c |`;
  const copied = await copiedFrom(await render(markdown));
  expect(copied).not.toMatch(/[\u200b\ufdd0]/);
  expect(copied.replace(/\s/g, "").split(word)).toHaveLength(5);
});

test("a line of code that is as long as a document is laid out in time", async () => {
  // Each 43 letters may have a line of their own.
  const bytes = await render(`\`\`\`\n${"W".repeat(400_000)}\n\`\`\``);
  expect((await copiedFrom(bytes)).match(/W/g)).toHaveLength(400_000);
});

test("headings become bookmarks, links stay links, and pages are numbered", async () => {
  const { outline, pages, text } = await pdf(
    `# One\n\n[out](https://example.com/x?y=1) #WEB-7 [inside](#two-words)\n\n${"long text\n\n".repeat(80)}\n\n# Two words`,
  );
  expect(outline).toEqual(["One", "Two words"]);
  expect(pages[0]!.links).toEqual(["https://example.com/x?y=1", "https://muster.test/w/acme/p/web/WEB-7", "#"]);
  expect(pages.length).toBeGreaterThan(1);
  for (const [index, page] of pages.entries()) expect(page.text).toContain(`${index + 1} / ${pages.length}`);
  expect(text).not.toContain("](");
});

test("lists, task lists, tables and code are there", async () => {
  const { text } = await pdf(
    "3. three\n4. four\n   - nested\n- [ ] open\n- [x] done\n\n| head | b |\n|:--|--:|\n| cell | **2** |\n\n```ts\nconst a = 1;\n    indented\n```",
  );
  const plain = text.replace(/\s+/g, " ");
  for (const part of [
    "3. three",
    "4. four",
    "• nested",
    "☐ open",
    "☑ done",
    "head b",
    "cell 2",
    "const a = 1; indented",
  ]) {
    expect(plain).toContain(part);
  }
});

test("a PDF has its title, date and language, and is tagged for screen readers", async () => {
  const { title, language, info, structure } = await pdf("# مرحبا\n\nهذا نص عربي طويل", { title: "عنوان" });
  expect(title).toBe("عنوان");
  expect(language).toBe("ar");
  expect(info).toMatchObject({ CreationDate: expect.stringMatching(/^D:20261122/), Creator: expect.any(String) });
  expect(JSON.stringify(structure)).toContain('"role":"H1"');
});

test("text is never read as markup of the layout", async () => {
  const markup =
    '#set text(red) #emph[x] $x^2$ @label <label> = head #read("/etc/passwd") #import "@preview/x:1.0.0" \\u{41} // gone /* gone */';
  const { text } = await pdf(`\`${markup}\`\n\n\`\`\`\n${markup}\n\`\`\``, { title: '#panic("title")' });
  const plain = text.replace(/\s+/g, " ");
  expect(plain.split(markup)).toHaveLength(3);
  expect(plain).toContain('#panic("title")');
});

test("embedded images are shown, and others are links", async () => {
  const { pages, text } = await pdf(`![red](${DOT}) ![far](https://example.com/far.png) ![text](/relative.png)`);
  expect(pages[0]!.links).toEqual(["https://example.com/far.png"]);
  expect(text).toContain("far");
  expect(text).toContain("text");
  expect(text).not.toContain("red");
});

test("a damaged or enormous image shows its description", async () => {
  const bytes = Buffer.from(DOT.slice(DOT.indexOf(",") + 1), "base64");
  const damaged = `data:image/png;base64,${bytes.subarray(0, 40).toString("base64")}`;
  bytes.writeUInt32BE(100_000, 16);
  const enormous = `data:image/png;base64,${bytes.toString("base64")}`;
  const { text } = await pdf(
    `before ![described](${damaged}) ![too large](${enormous}) ![no image](data:image/png;base64,AAAA) after`,
  );
  expect(text.replace(/\s+/g, " ")).toContain("before described too large no image after");
});

test("nothing runs out of the page", async () => {
  const long = "W".repeat(300);
  const table = `| ${"a | ".repeat(12)}\n|${"---|".repeat(12)}\n| ${"Widerspruchsfrist | ".repeat(12)}`;
  const { pages } = await pdf(
    `${long}\n\n# ${long}\n\n- ${long}\n\n> > ${long}\n\n${table}\n\n| ${"x | ".repeat(40)}\n|${"-|".repeat(40)}\n| ${`${long} | `.repeat(40)}\n\n\`${long}\`\n\n\`\`\`\n${long}\n\`\`\`\n\nhttps://example.com/${long}`,
  );
  for (const { ends, width } of pages) expect(Math.max(...ends)).toBeLessThan(width - 40);
});

test("a wide table breaks no ordinary words", async () => {
  const head = "Identifier | Responsible | Description | Status | Milestone | Estimate | Priority | Documentation";
  const row = "WEB-1 | Ada Lovelace | unbreakable words | in progress | 2026-Q4 | 12 | important | example.com";
  const text = await copiedFrom(await render(`| ${head} |\n${"|---".repeat(8)}|\n| ${row} |`));
  for (const word of `${head} ${row}`.split(/[|\s]+/)) expect(text).toContain(word);
});

test("a link to a heading that is only laid out as plain text is text itself", async () => {
  const { text, pages } = await pdf(
    `[go](#the-end) and [out](https://example.com)\n\n${"a\n\n".repeat(30_000)}# The end\n`,
  );
  expect(pages[0]!.links).toEqual(["https://example.com/"]);
  for (const part of ["go and out", "The end"]) expect(text).toContain(part);
});

test("paragraphs and headings are there once, also where the layout becomes plain text", async () => {
  for (const [mark, count] of [
    ["", 20_100],
    ["# ", 6_800],
  ] as const) {
    const words = Array.from({ length: count }, (_, n) => `w${n}w`);
    const { text } = await pdf(words.map((word) => mark + word).join("\n\n"));
    expect(text.match(/w\d+w/g)).toEqual(words);
  }
});

test("an address that becomes very long when it is encoded is left out", async () => {
  const { text, pages } = await pdf(
    `[quotes](https://example.com/?${"'".repeat(4_000)}) [short](https://example.com/?')`,
  );
  expect(pages[0]!.links).toEqual(["https://example.com/?%27"]);
  expect(text).toContain("quotes short");
});

test("every table, list and quote that Markdown allows can be laid out", async () => {
  const nested = Array.from({ length: 60 }, (_, depth) => `${"  ".repeat(depth)}- ${depth}`).join("\n");
  const documents = [
    "",
    "-",
    "- \n- \n",
    ">",
    `${"> ".repeat(50)}deep`,
    "#",
    "|a|\n|-|",
    "||\n|-|\n||",
    "- ```\n  code\n  ```",
    "- # heading\n- > quote\n- ---\n- | a |\n  |---|\n  | b |",
    "```\n```",
    "***",
    "1000000000. x",
    nested,
    "# Same\n\n# Same\n\n[a](#same) [b](#same-1) [c](#nowhere) [d](#)",
    "\u0000\u0007\uFEFF\u202E\u2028\uD800 x",
  ];
  for (const markdown of documents) expect((await render(markdown)).length, markdown).toBeGreaterThan(1_000);
});

const DOT =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
