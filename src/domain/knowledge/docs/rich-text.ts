import { letOthersRun, openPauses } from "../../kernel/let-others-run.ts";
import { own } from "../../kernel/own.ts";
import { linesIn } from "../../kernel/text.ts";
import {
  type MarkdownLines,
  openLines,
  type Write,
  writeBlocks,
  writeInside,
  writeLine,
  writeLines,
} from "./markdown-lines.ts";
import { inlineMarkdown } from "./rich-text-inline.ts";
import { attribute, childrenOf, longestRun, nameOf, type RichNode } from "./rich-text-nodes.ts";

/**
 * Renders the tree of a rich-text editor to Markdown: documents of ProseMirror and editors made of it (TipTap, Remirror),
 * with node names in camelCase or snake_case. Text stays text: what would be markup is escaped. Unknown nodes become
 * their content. Each node is visited once; the API limits the number and depth of nodes.
 */

export const isRichText = (json: unknown): json is RichNode =>
  typeof json === "object" &&
  json !== null &&
  own(json as RichNode, "type") === "doc" &&
  Array.isArray(own(json as RichNode, "content"));

/** Other calls run while a long text is rendered. */
export async function markdownOf(doc: RichNode): Promise<string> {
  const lines = await linesOf(childrenOf(doc), openPauses());
  await letOthersRun();
  // JSON text may contain NUL and lone surrogates, but Postgres cannot store them.
  const text = lines.join("\n").toWellFormed().replaceAll("\0", "\uFFFD");
  return text === "" ? "" : `${text}\n`;
}

async function linesOf(nodes: readonly RichNode[], pause: () => Promise<void>): Promise<string[]> {
  const lines = openLines(pause);
  await write(lines, nodes);
  return lines.written;
}

/** Writes blocks. Nodes that stand within a line form paragraphs. */
async function write(lines: MarkdownLines, nodes: readonly RichNode[]): Promise<void> {
  const blocks: Write[] = [];
  let inline: RichNode[] = [];
  const endParagraph = () => {
    const ended = inline;
    if (ended.length > 0) blocks.push(() => paragraph(lines, ended));
    inline = [];
  };
  for (const node of nodes) {
    const render = own(BLOCKS, nameOf(node));
    if (!render && isInline(node)) inline.push(node);
    else {
      endParagraph();
      blocks.push(() => (render ? render(lines, node) : write(lines, childrenOf(node))));
    }
  }
  endParagraph();
  await writeBlocks(lines, blocks);
}

const paragraph = (lines: MarkdownLines, nodes: readonly RichNode[]): Promise<void> =>
  writeLines(lines, inlineMarkdown(nodes));

const BLOCKS: Record<string, (lines: MarkdownLines, node: RichNode) => void | Promise<void>> = {
  paragraph: (lines, node) => paragraph(lines, childrenOf(node)),
  heading(lines, node) {
    const level = Math.min(6, Math.max(1, Math.floor(Number(attribute(node, "level"))) || 1));
    const title = [...inlineMarkdown(childrenOf(node))].join("\n").replaceAll(/\\?\n/g, " ");
    if (title !== "") writeLine(lines, `${"#".repeat(level)} ${title}`);
  },
  blockquote: (lines, node) => writeInside(lines, "> ", "> ", () => write(lines, childrenOf(node))),
  async codeblock(lines, node) {
    const code = textIn(node);
    const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
    const language = String(attribute(node, "language") ?? attribute(node, "params") ?? "").replaceAll(
      /[^\w+#.-]/g,
      "",
    );
    writeLine(lines, `${fence}${language}`);
    await writeLines(lines, linesIn(code));
    writeLine(lines, fence);
  },
  horizontalrule: (lines) => writeLine(lines, "---"),
  bulletlist: (lines, node) => list(lines, childrenOf(node), () => "- "),
  orderedlist(lines, node) {
    const start = Math.floor(Number(attribute(node, "start") ?? attribute(node, "order") ?? 1));
    const first = start >= 0 && start < 1e8 ? start : 1;
    return list(lines, childrenOf(node), (n) => `${first + n}. `);
  },
  tasklist: (lines, node) => list(lines, childrenOf(node), () => "- "),
  listitem: (lines, node) => list(lines, [node], () => "- "),
  taskitem: (lines, node) => list(lines, [node], () => "- "),
  table,
};
BLOCKS.rule = BLOCKS.horizontalrule!;
BLOCKS.checklist = BLOCKS.tasklist!;
BLOCKS.quote = BLOCKS.blockquote!;

async function list(lines: MarkdownLines, items: readonly RichNode[], marker: (n: number) => string): Promise<void> {
  for (const [n, item] of items.entries()) {
    const checked = nameOf(item) === "taskitem" ? (attribute(item, "checked") === true ? "[x] " : "[ ] ") : "";
    const mark = marker(n);
    await writeInside(lines, mark + checked, " ".repeat(mark.length), async () => {
      const { length } = lines.written;
      await write(lines, childrenOf(item));
      if (lines.written.length === length) writeLine(lines, "");
    });
  }
}

async function table(lines: MarkdownLines, node: RichNode): Promise<void> {
  const rows: string[][] = [];
  for (const row of childrenOf(node)) {
    const cells: string[] = [];
    for (const cell of childrenOf(row)) {
      const text = (await linesOf(childrenOf(cell), lines.pause)).join(" ");
      cells.push(text.replaceAll(/\\?\n/g, " "));
    }
    rows.push(cells);
  }
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return;
  // Short rows need no filling: Markdown does that, and a table with one long row stays as small as it came.
  const writeRow = (cells: readonly string[]) => writeLine(lines, `| ${cells.join(" | ")} |`);
  const [head = [], ...body] = rows;
  const filled = [...head, ...Array(width - head.length).fill("")];
  writeRow(filled);
  writeRow(filled.map(() => "---"));
  for (const row of body) writeRow(row);
}

/** Nodes that stand within a line of text. An unknown node without content, but with text, is one of them. */
const isInline = (node: RichNode): boolean =>
  typeof node.text === "string" || ["hardbreak", "image", "mention", "emoji"].includes(nameOf(node));

/** All text of a node, without markup. */
const textIn = (node: RichNode): string =>
  typeof node.text === "string" ? node.text : childrenOf(node).map(textIn).join("");
