import { own } from "../../kernel/own.ts";
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

export const markdownOf = (doc: RichNode): string => {
  // JSON text may contain NUL and lone surrogates, but Postgres cannot store them.
  const text = blocks(childrenOf(doc)).join("\n").toWellFormed().replaceAll("\0", "\uFFFD");
  return text === "" ? "" : `${text}\n`;
};

/** The lines of blocks, with a blank line between two of them. */
function blocks(nodes: readonly RichNode[]): string[] {
  const lines: string[] = [];
  let inline: RichNode[] = [];
  const add = (block: string[]) => {
    if (block.length === 0) return;
    if (lines.length > 0) lines.push("");
    for (const line of block) lines.push(line);
  };
  const endParagraph = () => {
    add(paragraph(inline));
    inline = [];
  };
  for (const node of nodes) {
    const render = own(BLOCKS, nameOf(node));
    if (!render && isInline(node)) inline.push(node);
    else {
      endParagraph();
      add(render ? render(node) : blocks(childrenOf(node)));
    }
  }
  endParagraph();
  return lines;
}

const paragraph = (nodes: readonly RichNode[]): string[] => {
  const text = inlineMarkdown(nodes);
  return text === "" ? [] : text.split("\n");
};

const BLOCKS: Record<string, (node: RichNode) => string[]> = {
  paragraph: (node) => paragraph(childrenOf(node)),
  heading(node) {
    const level = Math.min(6, Math.max(1, Math.floor(Number(attribute(node, "level"))) || 1));
    const title = inlineMarkdown(childrenOf(node)).replaceAll(/\\?\n/g, " ");
    return title === "" ? [] : [`${"#".repeat(level)} ${title}`];
  },
  blockquote: (node) => blocks(childrenOf(node)).map((line) => (line === "" ? ">" : `> ${line}`)),
  codeblock(node) {
    const code = textIn(node);
    const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
    const language = String(attribute(node, "language") ?? attribute(node, "params") ?? "").replaceAll(
      /[^\w+#.-]/g,
      "",
    );
    return [`${fence}${language}`, ...code.split("\n"), fence];
  },
  horizontalrule: () => ["---"],
  bulletlist: (node) => list(childrenOf(node), () => "- "),
  orderedlist(node) {
    const start = Math.floor(Number(attribute(node, "start") ?? attribute(node, "order") ?? 1));
    const first = start >= 0 && start < 1e8 ? start : 1;
    return list(childrenOf(node), (n) => `${first + n}. `);
  },
  tasklist: (node) => list(childrenOf(node), () => "- "),
  listitem: (node) => list([node], () => "- "),
  taskitem: (node) => list([node], () => "- "),
  table,
};
BLOCKS.rule = BLOCKS.horizontalrule!;
BLOCKS.checklist = BLOCKS.tasklist!;
BLOCKS.quote = BLOCKS.blockquote!;

function list(items: readonly RichNode[], marker: (n: number) => string): string[] {
  return items.flatMap((item, n) => {
    const checked = nameOf(item) === "taskitem" ? (attribute(item, "checked") === true ? "[x] " : "[ ] ") : "";
    const mark = marker(n);
    const [first = "", ...rest] = blocks(childrenOf(item));
    const indent = " ".repeat(mark.length);
    return [`${mark}${checked}${first}`.trimEnd(), ...rest.map((line) => (line === "" ? "" : indent + line))];
  });
}

function table(node: RichNode): string[] {
  const rows = childrenOf(node).map((row) =>
    childrenOf(row).map((cell) => blocks(childrenOf(cell)).join(" ").replaceAll(/\\?\n/g, " ")),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return [];
  // Short rows need no filling: Markdown does that, and a table with one long row stays as small as it came.
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const [head = [], ...body] = rows;
  const filled = [...head, ...Array(width - head.length).fill("")];
  return [line(filled), line(filled.map(() => "---")), ...body.map(line)];
}

/** Nodes that stand within a line of text. An unknown node without content, but with text, is one of them. */
const isInline = (node: RichNode): boolean =>
  typeof node.text === "string" || ["hardbreak", "image", "mention", "emoji"].includes(nameOf(node));

/** All text of a node, without markup. */
const textIn = (node: RichNode): string =>
  typeof node.text === "string" ? node.text : childrenOf(node).map(textIn).join("");
