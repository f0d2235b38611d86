import type Markdown from "markdown-it";

/** Limits of Markdown parsers, whose time for some texts is otherwise quadratic. */

type MarkdownIt = InstanceType<typeof Markdown>;

/** Lists and quotes count once for each of their elements, so this is twenty nested lists. */
const MAX_NESTING = 40;

/**
 * Text in lists and quotes deeper than this, or than the `maxNesting` of the text, is one paragraph. The library would
 * drop it, and read it again for each level.
 */
export function limitNesting({ block }: MarkdownIt): void {
  const tokenize = block.tokenize.bind(block);
  block.tokenize = (state, startLine, endLine) => {
    const { maxNesting = MAX_NESTING } = state.env as { maxNesting?: number };
    if (state.level < Math.min(maxNesting, MAX_NESTING)) return tokenize(state, startLine, endLine);
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

export type BlockLimits = {
  /** Tokens of a text. A paragraph is three, an item of a list five. */
  tokens: number;
  /** Cells of one table, with its header. */
  cells: number;
};

/** Text beyond the limits is shown as it was written, because half a million tokens take two seconds. */
export function limitBlocks({ block: { ruler } }: MarkdownIt, { tokens, cells }: BlockLimits): void {
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
    const end = startLine + 1 + Math.floor(cells / delimiters.split("|").length);
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
    state.tokens.length >= tokens && (silent || addPlain(state, startLine, endLine, false));
  ruler.before("table", "rest", rest, { alt: ["list", "blockquote"] });
}

type BlockRule = ReturnType<MarkdownIt["block"]["ruler"]["getRules"]>[number];
type State = Parameters<BlockRule>[0];
