import type Markdown from "markdown-it";

/**
 * HTML in Markdown texts. Comments are hidden, and a short list of harmless elements has its meaning, without attributes
 * but for `open`. All other HTML stays text, e.g. `Promise<string>`.
 */

type MarkdownIt = InstanceType<typeof Markdown>;
type Token = ReturnType<MarkdownIt["parse"]>[number];
type NewToken = new (type: string, tag: string, nesting: 1 | 0 | -1) => Token;
type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];
type BlockRule = ReturnType<MarkdownIt["block"]["ruler"]["getRules"]>[number];

const FOLDS = ["details", "summary"];
/** The elements, for the sanitisers of rendered texts. */
export const ELEMENTS: readonly string[] = [
  ...FOLDS,
  ...[
    "b",
    "br",
    "cite",
    "del",
    "em",
    "i",
    "ins",
    "kbd",
    "mark",
    "q",
    "s",
    "samp",
    "small",
    "strong",
    "sub",
    "sup",
    "u",
    "var",
  ],
];

const ELEMENT =
  /<(\/?)(b|br|cite|del|details|em|i|ins|kbd|mark|q|s|samp|small|strong|sub|summary|sup|u|var)(?=[\s/>])([^<>]{0,200})>/iy;
/** What excerpts leave out, and backticks, between which nothing is. */
const MARKS =
  /`+|<!--|<\/?(b|br|cite|del|details|em|i|ins|kbd|mark|q|s|samp|small|strong|sub|summary|sup|u|var)(?=[\s/>])[^<>]{0,200}>/gi;
const FOLD_LINE = /^<\/?(?:details|summary)(?=[\s/>])[^<>]{0,200}>/i;

const COMMENT = "<!--";
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
function endOfComment(text: string, start: number): number {
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
  ELEMENT.lastIndex = state.pos;
  const [whole, closing, name = "", attributes = ""] = ELEMENT.exec(state.src) ?? [];
  if (whole === undefined) return false;
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

/** Folds within folds. Tags of further ones are left out. */
const MAX_FOLDS = 20;

/**
 * Makes elements whole, once the texts are parsed: all of a text end in it, and folds become blocks, which end in their
 * quote or list item. So an element that is not closed includes nothing outside.
 */
export function placeFolds(tokens: readonly Token[], Token: NewToken): Token[] {
  const placed: Token[] = [];
  /** The blocks around the present one: the tags of folds, and null for others. */
  const around: (string | null)[] = [];

  const push = (type: string, tag: string, nesting: 1 | -1, from?: Token) => {
    const token = Object.assign(new Token(type, tag, nesting), { block: true });
    if (from) [token.attrs, token.hidden, token.map] = [from.attrs, from.hidden, from.map];
    placed.push(token);
  };
  const closeLast = () => {
    const tag = around.pop()!;
    push(`${tag}_close`, tag, -1);
  };
  function place(tag: string, token: Token) {
    if (token.type === "element_open") {
      const fits =
        tag === "details" ? around.filter((one) => one === tag).length < MAX_FOLDS : around.at(-1) === "details";
      if (!fits) return;
      push(`${tag}_open`, tag, 1);
      placed.at(-1)!.attrs = token.attrs;
      around.push(tag);
      return;
    }
    const at = around.lastIndexOf(tag);
    if (at === -1 || around.includes(null, at)) return;
    while (around.length > at) closeLast();
  }

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (token.type === "paragraph_open" && after?.children?.some(isFold)) {
      for (const piece of piecesOf(after.children)) {
        if (!Array.isArray(piece)) place(piece.tag, piece);
        else {
          const hidden = token.hidden || around.at(-1) === "summary";
          push("paragraph_open", "p", 1, token);
          placed.at(-1)!.hidden = hidden;
          const text = Object.assign(new Token("inline", "", 0), { children: whole(piece, Token), map: after.map });
          text.content = piece.map(({ content }) => content).join("");
          placed.push(text);
          push("paragraph_close", "p", -1);
          placed.at(-1)!.hidden = hidden;
        }
      }
      at += 2;
      continue;
    }
    if (token.type === "inline" && token.children?.some(isElement)) {
      const isCell = before?.tag === "td" || before?.tag === "th";
      token.children = whole(
        token.children.filter((child) => isCell || !isFold(child)),
        Token,
      );
    }
    if (token.nesting === -1) {
      while (around.at(-1) !== null && around.length > 0) closeLast();
      around.pop();
    }
    placed.push(token);
    if (token.nesting === 1) around.push(null);
  }
  while (around.length > 0) closeLast();
  return placed;
}

const isElement = ({ type }: Token) => type === "element_open" || type === "element_close";
const isFold = (token: Token) => isElement(token) && FOLDS.includes(token.tag);

/** Divides a paragraph at the tags of folds: the tags, and the texts between them. Within links and the like, they are left out. */
function piecesOf(children: readonly Token[]): (Token | Token[])[] {
  const pieces: (Token | Token[])[] = [];
  let text: Token[] = [];
  let depth = 0;
  const endText = () => {
    while (isBlank(text[0])) text.shift();
    while (isBlank(text.at(-1))) text.pop();
    if (text.length > 0) pieces.push(text);
    text = [];
  };
  for (const child of children) {
    if (!isFold(child)) {
      if (!isElement(child)) depth += child.nesting;
      text.push(child);
    } else if (depth === 0) {
      endText();
      pieces.push(child);
    }
  }
  endText();
  return pieces;
}

const isBlank = (token: Token | undefined) =>
  token !== undefined &&
  (token.type === "softbreak" || token.type === "hardbreak" || (token.type === "text" && token.content.trim() === ""));

/** The tokens of a text with all elements within each other. An end without a beginning is left out. */
function whole(children: readonly Token[], Token: NewToken): Token[] {
  const result: Token[] = [];
  /** The elements around the present token, and null for links and the like. */
  const open: (string | null)[] = [];
  const add = (type: string, tag: string, nesting: 1 | -1) => result.push(new Token(type, tag, nesting));
  const closeElements = () => {
    while (open.length > 0 && open.at(-1) !== null) add("element_close", open.pop()!, -1);
  };
  for (const child of children) {
    const { type, tag, nesting } = child;
    if (type === "element_open") {
      if (open.length >= MAX_ELEMENTS) continue;
      open.push(tag);
      add(type, tag, 1);
      result.at(-1)!.attrs = child.attrs;
    } else if (type === "element_close") {
      const at = open.lastIndexOf(tag);
      if (at === -1 || open.includes(null, at)) continue;
      while (open.length > at) add("element_close", open.pop()!, -1);
    } else {
      if (nesting === -1) {
        closeElements();
        open.pop();
      }
      if (nesting === 1) open.push(null);
      result.push(child);
    }
  }
  closeElements();
  return result;
}

/** Elements within elements of a text. */
const MAX_ELEMENTS = 20;

/** Characters of a code span in an excerpt. */
const MAX_CODE = 4_096;

/**
 * A Markdown text without its comments and tags, for excerpts. Code stays as it is. A comment without an end hides the rest,
 * because the text may be cut.
 */
export function withoutHtml(markdown: string): string {
  if (!markdown.includes("<")) return markdown;
  MARKS.lastIndex = 0;
  let text = "";
  let done = 0;
  for (let mark = MARKS.exec(markdown); mark; mark = MARKS.exec(markdown)) {
    const [found] = mark;
    if (found.startsWith("`")) {
      MARKS.lastIndex = endOfCode(markdown, MARKS.lastIndex, found);
      continue;
    }
    text += markdown.slice(done, mark.index);
    done = MARKS.lastIndex;
    if (found === COMMENT) {
      const end = endOfComment(markdown, mark.index);
      done = end === -1 ? markdown.length : end;
      MARKS.lastIndex = done;
    } else if (BREAKING.has(mark[1]!.toLowerCase())) text += " ";
  }
  return text + markdown.slice(done);
}

const BREAKING = new Set([...FOLDS, "br"]);

/** Returns the end of the code that begins before `from`; `from` itself if the run of backticks begins none. */
function endOfCode(text: string, from: number, run: string): number {
  const within = text.slice(from, from + MAX_CODE);
  for (let at = within.indexOf(run); at !== -1; ) {
    let end = at;
    while (within[end] === "`") end++;
    if (end - at === run.length) return from + end;
    at = within.indexOf(run, end);
  }
  return from;
}
