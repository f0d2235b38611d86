import { own } from "../../kernel/own.ts";
import { linesIn } from "../../kernel/text.ts";
import { attribute, longestRun, nameOf, type RichNode } from "./rich-text-nodes.ts";

/** Text with its marks, as Markdown. */

/** From the outermost to the innermost. */
const MARKS = ["link", "bold", "italic", "strike", "code"] as const;
type Mark = (typeof MARKS)[number];
const NAMES: Record<string, Mark> = {
  link: "link",
  bold: "bold",
  strong: "bold",
  italic: "italic",
  em: "italic",
  strike: "strike",
  strikethrough: "strike",
  code: "code",
};
const DELIMITERS = { bold: "**", italic: "*", strike: "~~" } as const;

const HARD_BREAK = "\\\n";

/** What stands open while text is written. The address distinguishes two links beside each other. */
type Open = { mark: Exclude<Mark, "code">; href: string };

/** @returns the lines; none if there is no text */
export function inlineMarkdown(nodes: readonly RichNode[]): Iterable<string> {
  const out: string[] = [];
  const open: Open[] = [];
  // White space between two texts is written outside of the marks that begin or end there. Inside, they would not count.
  let space = "";
  const closeTo = (length: number) => {
    while (open.length > length) {
      const { mark, href } = open.pop()!;
      out.push(mark === "link" ? `](${href})` : DELIMITERS[mark]);
    }
  };
  for (const node of nodes) {
    const plain = plainText(node);
    if (plain !== null) {
      closeTo(0);
      out.push(space, plain);
      space = "";
      continue;
    }
    const text = typeof node.text === "string" ? node.text : "";
    const core = text.trim();
    const lead = text.length - text.trimStart().length;
    space += text.slice(0, lead);
    if (core === "") continue;
    const { open: wanted, code } = marksOf(node);
    let same = 0;
    while (same < open.length && same < wanted.length && isSame(open[same]!, wanted[same]!)) same++;
    closeTo(same);
    out.push(space);
    for (const one of wanted.slice(same)) {
      open.push(one);
      out.push(one.mark === "link" ? "[" : DELIMITERS[one.mark]);
    }
    out.push(code ? codeSpan(core) : escapeText(core));
    space = text.slice(lead + core.length);
  }
  // At the end of a paragraph, the backslash of a break would be text.
  while (out.at(-1) === HARD_BREAK || out.at(-1) === "") out.pop();
  closeTo(0);
  return escapeLines(out.join(""));
}

const isSame = (one: Open, other: Open) => one.mark === other.mark && one.href === other.href;

/** Nodes that are not text. */
function plainText(node: RichNode): string | null {
  const name = nameOf(node);
  if (name === "hardbreak") return HARD_BREAK;
  if (name === "image") {
    const src = address(attribute(node, "src"));
    return src === "" ? "" : `![${escapeText(textOf(attribute(node, "alt")))}](${src})`;
  }
  if (name === "mention") return `@${escapeText(textOf(attribute(node, "label")) || textOf(attribute(node, "id")))}`;
  if (name === "emoji") return textOf(attribute(node, "emoji")) || `:${escapeText(textOf(attribute(node, "name")))}:`;
  return null;
}

function marksOf(node: RichNode): { open: Open[]; code: boolean } {
  const open: Open[] = [];
  let code = false;
  for (const given of Array.isArray(node.marks) ? node.marks.slice(0, 20) : []) {
    const type = typeof given === "object" && given !== null ? own(given as RichNode, "type") : undefined;
    const mark = typeof type === "string" ? own(NAMES, type.slice(0, 40).toLowerCase()) : undefined;
    if (mark === "code") code = true;
    else if (mark && !open.some((one) => one.mark === mark)) {
      const href = mark === "link" ? address(attribute(given as RichNode, "href")) : "";
      if (mark !== "link" || href !== "") open.push({ mark, href });
    }
  }
  open.sort((a, b) => MARKS.indexOf(a.mark) - MARKS.indexOf(b.mark));
  return { open, code };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.replaceAll(/\s/g, " ") : "");

/** The target of a link or an image. Characters that would end it are encoded. */
const address = (value: unknown): string =>
  typeof value === "string"
    ? value
        .trim()
        .replaceAll(/[\s<>()[\]\\`*_~|]/g, (mark) => `%${mark.charCodeAt(0).toString(16).padStart(2, "0").slice(-2)}`)
    : "";

/** Escapes characters that are markup anywhere in a line. */
const escapeText = (text: string): string => text.replace(/[\\`*_[\]<>~|]|&(?=[#\w])/g, "\\$&").replace(/\n\s+/g, "\n");

/** Code with as many backticks around it as it needs. Its line breaks become spaces. */
function codeSpan(code: string): string {
  const line = code.replaceAll("\n", " ");
  const longest = longestRun(line, "`");
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Escapes what would be markup at the start of a line: headings, lists, quotes, rules and indented code. */
function* escapeLines(text: string): Iterable<string> {
  if (text.trim() === "") return;
  for (const line of linesIn(text)) yield escapeLine(line);
}

function escapeLine(given: string): string {
  const line = given.trim();
  if (line === "") return line;
  if ("#+=-".includes(line[0]!)) return `\\${line}`;
  const [number] = NUMBER.exec(line) ?? [];
  return number === undefined ? line : `${number}\\${line.slice(number.length)}`;
}

/** The number of a list item. */
const NUMBER = /^\d{1,9}(?=[.)])/;
