import MarkdownIt from "markdown-it";
import { readId } from "../../../domain/kernel/ids.ts";
import { linkNames } from "../../../domain/kernel/markdown-names.ts";
import { own } from "../../../domain/kernel/own.ts";
import type { DocumentToRender } from "../../../domain/kernel/ports/document-renderer.ts";
import { checkAddresses } from "./addresses.ts";
import { markTasks } from "./tasks.ts";
import type { Markdown, Token } from "./token.ts";

/** The parser of exported documents. Raw HTML stays text. */
export const parser: Markdown = new MarkdownIt({ html: false, linkify: true })
  .use(linkNames)
  .use(markTasks)
  .use(limitMarkup)
  .use(limitNesting)
  .use(limitBlocks)
  .use(checkAddresses);

/** The tokens of a document. The pages of its issues are below that of the workspace. */
export function parseMarkdown({ markdown, workspaceUrl, as, names = {} }: Parsed): Token[] {
  return parser.parse(markdown, {
    // A project's page is also found by the project's key.
    issueUrl: (key: string) => `${workspaceUrl}/p/${key.slice(0, key.indexOf("-")).toLowerCase()}/${key}`,
    nameOf: (id: string, typed: string) => (as === "part" ? typed : (own(names, readId(id) ?? "") ?? null)),
    stepsLeft: MAX_STEPS,
  });
}

type Parsed = Pick<DocumentToRender, "markdown" | "workspaceUrl" | "as" | "names">;

/** Attempts to read markup at a position of a text. An ordinary document of 500 KB takes about 20,000. */
const MAX_STEPS = 400_000;

class TooMuchMarkup extends Error {}

/**
 * Text with extremely much markup stays plain. Half a million brackets are no link, but finding that out takes seconds.
 */
function limitMarkup(markdown: Markdown): void {
  markdown.inline.ruler.before("text", "count", (state) => {
    const limits = state.env as { stepsLeft: number };
    if (limits.stepsLeft-- <= 0) throw new TooMuchMarkup();
    return false;
  });
  markdown.core.ruler.at("inline", (state) => {
    for (const token of state.tokens) {
      if (token.type !== "inline") continue;
      token.children = [];
      try {
        markdown.inline.parse(token.content, markdown, state.env, token.children);
      } catch (error) {
        if (!(error instanceof TooMuchMarkup)) throw error;
        const text = new state.Token("text", "", 0);
        text.content = token.content.replaceAll("\n", " ");
        token.children = [text];
      }
    }
  });
}

/** Lists and quotes count once for each of their elements, so this is twenty nested lists. */
const MAX_NESTING = 40;

/** Text in deeper lists and quotes is one paragraph. The library would drop it, and read it again for each level. */
function limitNesting({ block }: Markdown): void {
  const tokenize = block.tokenize.bind(block);
  block.tokenize = (state, startLine, endLine) => {
    if (state.level < MAX_NESTING) return tokenize(state, startLine, endLine);
    // The list or quote ends where a line is indented less.
    let line = startLine;
    while (line < endLine && (state.isEmpty(line) || state.sCount[line]! >= state.blkIndent)) line++;
    state.push("paragraph_open", "p", 1);
    const text = state.push("inline", "", 0);
    text.content = state.getLines(startLine, line, state.blkIndent, false).trim();
    text.children = [];
    state.push("paragraph_close", "p", -1);
    state.line = line;
  };
}

/** A paragraph is three tokens, an item of a list five. An ordinary document of 500 KB has about 50,000. */
const MAX_TOKENS = 200_000;
/** Cells of one table, with its header. */
const MAX_CELLS = 40_000;

/** Text beyond the limits is shown as it was written, because half a million tokens take two seconds. */
function limitBlocks({ block: { ruler } }: Markdown): void {
  const addPlain: BlockRule = (state, startLine, endLine) => {
    const text = state.push("code_block", "code", 0);
    text.content = state.getLines(startLine, endLine, state.blkIndent, false);
    state.line = endLine;
    return true;
  };
  // It is the first rule of the library.
  const readTable = ruler.getRules("")[0]!;
  const table: BlockRule = (state, startLine, endLine, silent) => {
    if (!readTable(state, startLine, endLine, true)) return false;
    if (silent) return true;
    const delimiters = state.src.slice(state.bMarks[startLine + 1], state.eMarks[startLine + 1]);
    const end = startLine + 1 + Math.floor(MAX_CELLS / delimiters.split("|").length);
    if (end <= startLine + 1) return addPlain(state, startLine, endOfTable(state, startLine + 2, endLine), false);
    readTable(state, startLine, Math.min(end, endLine), false);
    if (state.line < end) return true;
    const last = endOfTable(state, end, endLine);
    return last === end || addPlain(state, end, last, false);
  };
  const endOfTable = (state: State, startLine: number, endLine: number): number => {
    const others = ruler.getRules("blockquote");
    const isRow = (line: number) =>
      !state.isEmpty(line) &&
      state.sCount[line]! >= state.blkIndent &&
      state.sCount[line]! < state.blkIndent + 4 &&
      !others.some((begins) => begins(state, line, endLine, true));
    let line = startLine;
    while (line < endLine && isRow(line)) line++;
    return line;
  };
  ruler.at("table", table, { alt: ["paragraph", "reference"] });
  // A list or a table ends at the limit, too. The library reads their items and rows without asking other rules.
  const rest: BlockRule = (state, startLine, endLine, silent) =>
    state.tokens.length >= MAX_TOKENS && (silent || addPlain(state, startLine, endLine, false));
  ruler.before("table", "rest", rest, { alt: ["list", "blockquote"] });
}

type BlockRule = ReturnType<Markdown["block"]["ruler"]["getRules"]>[number];
type State = Parameters<BlockRule>[0];
