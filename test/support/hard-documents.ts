/** Documents of 524,288 characters, the largest that exist, which take long to render. */

const SIZE = 524_288;
const full = (unit: string) =>
  unit
    .repeat(Math.ceil(SIZE / unit.length))
    .slice(0, SIZE)
    .toWellFormed();

export const HARD: Record<string, string> = {
  "one big table": full("| some text | 12 | more of it | x |\n").replace("\n", "\n|---|---|---|---|\n"),
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
