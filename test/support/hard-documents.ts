/** Documents of 524,288 characters, the largest that exist, which take long to render. */

const SIZE = 524_288;
const full = (unit: string, before = "") =>
  (before + unit.repeat(Math.ceil(SIZE / unit.length))).slice(0, SIZE).toWellFormed();

/** About as much structure as a document of this size may have. */
const MIXED = `
## Heading of a part

Some **bold** and *italic* text with a [link](https://example.com/x) and \`code\`, in a paragraph that is long enough to wrap.
مرحبا بالعالم، هذا نص عربي. שלום עולם, זה טקסט בעברית. 你好，世界。こんにちは世界。नमस्ते दुनिया 안녕하세요 😀🎉

- one item with some words
- [x] another item
  1. nested

| Name | Value |
|---|---:|
| alpha | 1,000 |
| beta | **22.5** |

\`\`\`ts
export const answer = (question: string): number => question.length * 42;
\`\`\`

> A quote with some wisdom in it, which spans one line or two.
`;

export const HARD: Record<string, string> = {
  "everything mixed": full(MIXED),
  "a narrow table": full("1|2\n").replace("1|2\n1|2", "a|b\n-|-"),
  "many tables": full("a|b\n-|-\n\n"),
  "one big table": full("| some text | 12 | more of it | x |\n").replace("\n", "\n|---|---|---|---|\n"),
  "a table with a wide header": `${"|a".repeat(87_000)}\n${"|-".repeat(87_000)}\n${"|a".repeat(87_000)}\n`,
  "empty list items": full("-\n\n"),
  "blanks behind many paragraphs": `${full("\t", "a\n\n".repeat(67_000))}x`.slice(-SIZE),
  "10,000 list items": full("- item of a list with ten words in it, or so\n"),
  "headings only": full("# Heading\n\n"),
  "Chinese only": full("这是一个用来测试的中文段落，其中有许多不同的汉字。"),
  "Arabic only": full("هذا نص عربي طويل مع كلمات مختلفة وأرقام ١٢٣٤ "),
  "an Arabic word": full("سلام"),
  "deep nesting": full(`${"> - ".repeat(40)}x\n\n`),
  "one line": full("words on one line that never ends "),
  "one word": full("x"),
  "short paragraphs": full("a\n\n"),
  links: full("https://example.com/a "),
  stars: full("**a "),
  brackets: full("!["),
  "a long address, repeated": full(`[a]: https://example.com/${"x".repeat(4_000)}\n\n${"[a] ".repeat(SIZE)}`),
};
