import type Markdown from "markdown-it";

/**
 * HTML in Markdown texts. Comments are hidden, and a short list of harmless elements has its meaning, without attributes
 * but for `open`. All other HTML stays text, e.g. `Promise<string>`.
 */

type MarkdownIt = InstanceType<typeof Markdown>;
type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];
type BlockRule = ReturnType<MarkdownIt["block"]["ruler"]["getRules"]>[number];

/** The elements of folded parts of a text, which are blocks. */
export const FOLDS: readonly string[] = ["details", "summary"];
const OF_LINES = "b br cite del em i ins kbd mark q s samp small strong sub sup u var".split(" ");
/** The elements, for the sanitisers of rendered texts. */
export const ELEMENTS: readonly string[] = [...FOLDS, ...OF_LINES];

const NAMES = new Set(ELEMENTS);
/** Whether a tag with this name is one of an element. */
export const isElement = (name: string): boolean => NAMES.has(name.toLowerCase());

/** A tag: its slash, its name and its attributes. */
const TAG = /<(\/?)([a-z]{1,8})(?=[\s/>])([^<>]{0,200})>/iy;
const FOLD_LINE = /^<\/?(?:details|summary)(?=[\s/>])[^<>]{0,200}>/i;

export const COMMENT = "<!--";
const COMMENT_END = "-->";

/** Makes a parser read comments and elements. `placeFolds` then makes blocks of `<details>`. */
export function readElements(markdown: MarkdownIt): void {
  markdown.inline.ruler.before("autolink", "comment", readComment);
  markdown.inline.ruler.before("autolink", "element", readElement);
  const alt = ["paragraph", "reference", "blockquote"];
  markdown.block.ruler.before("html_block", "comment", hideComment, { alt });
  markdown.block.ruler.before("html_block", "fold", foldLine, { alt });
}

/** Returns where a comment that begins at `start` ends; -1 if it is not closed. */
export function endOfComment(text: string, start: number): number {
  const [short] = /^<!---?>/.exec(text.slice(start, start + 6)) ?? [];
  if (short) return start + short.length;
  const end = text.indexOf(COMMENT_END, start + COMMENT.length);
  return end === -1 ? -1 : end + COMMENT_END.length;
}

const readComment: InlineRule = (state) => {
  if (!state.src.startsWith(COMMENT, state.pos)) return false;
  // A text may begin thousands of comments without an end. The search need not be repeated for each.
  const searched = state as typeof state & { lastCommentEnd?: number };
  searched.lastCommentEnd ??= state.src.lastIndexOf(COMMENT_END);
  const end = searched.lastCommentEnd < state.pos ? -1 : endOfComment(state.src, state.pos);
  if (end === -1 || end > state.posMax) return false;
  state.pos = end;
  return true;
};

const readElement: InlineRule = (state, silent) => {
  TAG.lastIndex = state.pos;
  const [whole, closing, name = "", attributes = ""] = TAG.exec(state.src) ?? [];
  if (whole === undefined || !isElement(name)) return false;
  const tag = name.toLowerCase();
  if (!silent) {
    if (tag === "br") state.push("hardbreak", "br", 0);
    else {
      // The parser expects that what it closes was opened, so the nesting is set when elements are made whole.
      const token = state.push(closing ? "element_close" : "element_open", tag, 0);
      if (tag === "details" && OPEN.test(attributes)) token.attrs = [["open", ""]];
    }
  }
  state.pos += whole.length;
  return true;
};

const OPEN = /^(?:[^"']*\s)?open(?:[\s/=]|$)/i;

/** The last search for the end of a comment. Thousands of comments may begin and not end, so it is not repeated for each. */
type CommentSearch = { comment?: { start: number; end: number }; noCommentUntil?: number };

type BlockState = Parameters<BlockRule>[0];

/** Hides comments that begin a line. They may contain blank lines. The text after them is read as a line of its own. */
const hideComment: BlockRule = (state, startLine, endLine, silent) => {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  let [line, at] = [startLine, state.bMarks[startLine]! + state.tShift[startLine]!];
  for (let found = commentIn(state, line, at, endLine); found; found = commentIn(state, line, at, endLine)) {
    if (silent) return true;
    ({ line, at } = found);
  }
  if (at === state.bMarks[startLine]! + state.tShift[startLine]!) return false;
  if (at >= state.eMarks[line]!) {
    state.line = line + 1;
    return true;
  }
  [state.bMarks[line], state.tShift[line], state.sCount[line]] = [at, 0, state.blkIndent];
  return state.md.block.ruler.getRules("").some((read) => read(state, line, endLine, false));
};

/** Returns where the text after the comment at a position begins; null if no comment that ends in this block begins there. */
function commentIn(state: BlockState, startLine: number, start: number, endLine: number) {
  if (!state.src.startsWith(COMMENT, start)) return null;
  const { env } = state as { env: CommentSearch };
  // Up to this line, the quote or list item ended before the comment.
  if (startLine < (env.noCommentUntil ?? 0)) return null;
  const { comment } = env;
  const isSame = comment && start >= comment.start && (comment.end === -1 || start + 7 <= comment.end);
  const end = isSame ? comment.end : endOfComment(state.src, start);
  env.comment = { start, end };
  if (end === -1) return null;
  let line = startLine;
  while (line < endLine && isWithin(state, line) && state.eMarks[line]! < end) line++;
  if (line >= endLine || !isWithin(state, line)) {
    env.noCommentUntil = line;
    return null;
  }
  return { line, at: state.skipSpaces(end) };
}

const isWithin = (state: BlockState, line: number) => state.sCount[line]! >= state.blkIndent || state.isEmpty(line);

/** A line that begins with a tag of a fold is a paragraph of its own, so that a list or a table before it ends. */
const foldLine: BlockRule = (state, startLine, _endLine, silent) => {
  const start = state.bMarks[startLine]! + state.tShift[startLine]!;
  if (state.sCount[startLine]! - state.blkIndent >= 4 || state.src[start] !== "<") return false;
  const line = state.src.slice(start, state.eMarks[startLine]);
  if (!FOLD_LINE.test(line)) return false;
  if (silent) return true;
  state.push("paragraph_open", "p", 1).map = [startLine, startLine + 1];
  const text = state.push("inline", "", 0);
  text.content = line.trim();
  text.children = [];
  state.push("paragraph_close", "p", -1);
  state.line = startLine + 1;
  return true;
};
