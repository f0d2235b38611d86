import { breakLongWords } from "./break-words.ts";
import { type Layout, openLayout } from "./layout.ts";
import { BOLD, type Run, type RunsOf } from "./runs.ts";
import { type Script, scriptOf } from "./script.ts";
import { splitLine } from "./split-line.ts";
import { addTable } from "./tables.ts";
import { attributeOf, type Token, textOf } from "./token.ts";

/** What template.typ lays out. `indent` counts lists. */
export type Block =
  | ["p", indent: number, script: Script, runs: Run[]]
  | ["item", indent: number, script: Script, marker: string, runs: Run[]]
  | ["heading", level: number, script: Script, runs: Run[], name: string | null]
  | ["code", indent: number, parts: string[]]
  | [
      "table",
      indent: number,
      script: Script,
      size: number,
      shares: number[],
      aligns: string[],
      header: Run[][],
      rows: Run[][][],
    ]
  | ["quote", indent: number, script: Script, blocks: Block[]]
  | ["rule"];

export type BlockOptions = {
  /** The language of the document; null if unknown. */
  language: string | null;
  runsOf: RunsOf;
  /** Returns the name of a heading that a link leads to; null for others. */
  nameOf: (heading: Token) => string | null;
};

/**
 * Turns the tokens of a document into blocks. Lists become paragraphs with an indent, because laying out real lists takes
 * four times as long.
 */
export function blocksOf(tokens: readonly Token[], options: BlockOptions): Block[] {
  const { runsOf, language } = options;
  const layout = openLayout();
  const lists: { next: number | null; script: Script }[] = [];
  /** A fold shows what it hides, below its summary. */
  let isSummary = false;
  /** The marker of a list item whose text has not come yet. */
  let marker: string | null = null;

  /** An item that begins with something other than text has its marker on a line of its own. */
  function flushMarker() {
    if (marker !== null) layout.add(["item", layout.indent() - 1, lists.at(-1)!.script, marker, []], 2);
    marker = null;
  }

  function addText(inline: Token | undefined) {
    const script = scriptOf(textOf(inline), language);
    if (marker !== null) lists.at(-1)!.script = script;
    const line = isSummary ? runsOf(inline).map(inBold) : runsOf(inline);
    for (const runs of splitLine(line)) {
      if (marker !== null) layout.add(["item", layout.indent() - 1, script, marker, runs], 2);
      else layout.add(["p", layout.indent(), script, runs], 1);
      marker = null;
    }
  }

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const { type } = token;
    if (layout.isFull()) {
      if (type === "inline" || type === "fence" || type === "code_block")
        layout.addRest(textOf(token) || token.content);
    } else if (type === "paragraph_open") addText(tokens[++at]);
    else if (type.endsWith("list_open")) {
      flushMarker();
      lists.push({
        next: type === "ordered_list_open" ? Number(attributeOf(token, "start") || 1) : null,
        script: scriptOf(""),
      });
      layout.nest(1);
    } else if (type.endsWith("list_close")) {
      lists.pop();
      layout.nest(-1);
    } else if (type === "list_item_open") {
      const list = lists.at(-1)!;
      marker = markerOf(token, list.next);
      if (list.next !== null) list.next++;
    } else if (STARTS.has(type)) {
      flushMarker();
      at = addBlock(layout, tokens, at, options);
    } else if (token.tag === "summary") isSummary = token.nesting === 1;
    else if (type === "list_item_close") flushMarker();
    else if (type === "blockquote_close") layout.endQuote();
  }
  return layout.finish();
}

const inBold = (run: Run): Run =>
  typeof run === "string" ? [run, BOLD, null, null] : [run[0], run[1] | BOLD, run[2], run[3]];

const STARTS = new Set(["heading_open", "fence", "code_block", "hr", "blockquote_open", "table_open"]);

/** Adds the block at a position of the tokens. Returns the position of its last token. */
function addBlock(layout: Layout, tokens: readonly Token[], at: number, options: BlockOptions): number {
  const token = tokens[at]!;
  const inline = tokens[at + 1];
  const script = () => scriptOf(textOf(inline), options.language);
  if (token.type === "table_open") return addTable(layout, tokens, at, options);
  if (token.type === "hr") layout.add(["rule"], 1);
  else if (token.type === "blockquote_open") layout.startQuote(scriptOf(textOf(tokens[at + 2]), options.language));
  else if (token.type === "heading_open") {
    const level = Number(token.tag.slice(1));
    layout.add(["heading", level, script(), options.runsOf(inline), options.nameOf(token)], 3);
    return at + 1;
  } else addCode(layout, token.content);
  return at;
}

function markerOf({ meta }: Token, number: number | null): string {
  if (meta?.task) return meta.task === "done" ? "\u2611" : "\u2610";
  return number === null ? "\u2022" : `${number}.`;
}

/** Lines and characters of one block of code in the layout, which takes long for a block over many pages. */
const LINES_IN_PART = 40;
const CHARACTERS_IN_PART = 8_000;
/** Characters of a word that fit into a line of code. */
const LONGEST_CODE = 86;

function addCode(layout: Layout, content: string): void {
  const text = breakLongWords(content.replace(/\n$/, "").replaceAll("\t", "    "), LONGEST_CODE);
  const lines = text
    .split("\n")
    .flatMap((line) => splitLine([line]))
    .map(String);
  const fitting = layout.take(lines.length);
  const parts: string[][] = [];
  let characters = 0;
  for (const line of lines.slice(0, fitting)) {
    characters += line.length;
    if (!parts.length || parts.at(-1)!.length >= LINES_IN_PART || characters > CHARACTERS_IN_PART) {
      parts.push([]);
      characters = line.length;
    }
    parts.at(-1)!.push(line);
  }
  if (fitting > 0) layout.add(["code", layout.indent(), parts.map((part) => part.join("\n"))], 0);
  if (fitting < lines.length) layout.addRest(lines.slice(fitting).join("\n"));
}
