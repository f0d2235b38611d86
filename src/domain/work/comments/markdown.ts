import Markdown from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { openPauses } from "../../kernel/let-others-run.ts";
import { ELEMENTS, readElements } from "../../kernel/markdown-elements.ts";
import { placeFolds } from "../../kernel/markdown-folds.ts";
import { limitBlocks, limitNesting } from "../../kernel/markdown-limits.ts";
import { linkNames, type MarkdownContext } from "../../kernel/markdown-names.ts";
import { own } from "../../kernel/own.ts";

type MarkdownIt = InstanceType<typeof Markdown>;
type Token = ReturnType<MarkdownIt["parse"]>[number];

/** A paragraph is three tokens. 64,000 characters of prose or of a log have at most some thousands. */
const LIMITS = { tokens: 24_000, cells: 20_000 };

/** Lines of a text times the quotes and lists around them. Each line is read once for each of these. */
const MAX_NESTED_LINES = 30_000;

/**
 * Characters and opening brackets of a paragraph, or of one line of a table, that are read in one piece. Some rules take time
 * quadratic in these. Formatting does not go from one piece to the next.
 */
const PIECE = { characters: 4_096, brackets: 100 };

/** Places in a piece where a link without brackets may begin. More are left as they are. */
const MAX_LINKS = 200;
const LINK = /@|\/\//g;

/** Characters of HTML that are checked at once. */
const PART = 4_096;

/**
 * HTML of short lines is several times as long as its Markdown. A text whose HTML would be still longer, which only
 * thousands of links and of empty cells do, becomes plain paragraphs.
 */
const MAX_GROWTH = 10;
const SLACK = 8_192;

/**
 * Converts Markdown to HTML that is safe to embed in a page. A long text takes up to some tenths of a second, so it is
 * rendered in parts, and other calls run in between. The HTML is at most ten times as long as the text, plus a few
 * kilobytes.
 */
export async function renderMarkdown(markdown: string, context: MarkdownContext): Promise<string> {
  const pause = openPauses();
  const lines = markdown.split("\n").length;
  const env = { ...context, maxNesting: Math.max(1, Math.floor(MAX_NESTED_LINES / lines)) };
  const tokens = await blocksOf(markdown, env, pause);
  for (const token of tokens) {
    if (token.type !== "inline") continue;
    token.children = [];
    for (const piece of piecesOf(token.content)) {
      token.children.push(...textOf(piece, token, env));
      await pause();
    }
  }
  const placed: Token[] = [];
  for (const token of placeFolds(tokens)) {
    placed.push(token);
    await pause();
  }
  const html = await sanitisedHtml(placed, env, MAX_GROWTH * markdown.length + SLACK, pause);
  return html ?? plainParagraphs(markdown);
}

/** Reads the blocks of a text, one at a time. */
async function blocksOf(markdown: string, env: Env, pause: Pause): Promise<Token[]> {
  const { core, block } = blocks;
  const whole = new core.State(markdown, blocks, env);
  core.process(whole);
  const state = new block.State(whole.src, blocks, env, whole.tokens);
  const rules = block.ruler.getRules("");
  for (let line = state.skipEmptyLines(0); line < state.lineMax; line = state.skipEmptyLines(state.line)) {
    rules.some((read) => read(state, line, state.lineMax, false));
    await pause();
  }
  return whole.tokens;
}

type Pause = () => Promise<void>;
type Env = Record<string, unknown>;

/** Divides a text at the ends of lines, if it is long; else between words. */
function* piecesOf(text: string): Iterable<string> {
  let from = 0;
  for (let most = endOfPiece(text, 0); most < text.length; most = endOfPiece(text, from)) {
    const line = text.lastIndexOf("\n", most);
    const word = text.lastIndexOf(" ", most);
    const end = line > from ? line : word > from ? word : most;
    // A character may be two units long.
    const whole = /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end;
    yield text.slice(from, whole);
    from = whole;
  }
  yield text.slice(from);
}

function endOfPiece(text: string, from: number): number {
  const end = from + PIECE.characters;
  let bracket = from;
  for (let n = 0; n < PIECE.brackets; n++) {
    bracket = text.indexOf("[", bracket + 1);
    if (bracket === -1 || bracket >= end) return end;
  }
  return bracket;
}

/** Returns the tokens of a piece of a text. */
function textOf(piece: string, { map }: Token, env: Env): Token[] {
  const { core } = (piece.match(LINK)?.length ?? 0) > MAX_LINKS ? textsWithoutLinks : texts;
  const state = new core.State(piece, texts, env);
  const text = Object.assign(new state.Token("inline", "", 0), {
    content: piece.replace(/^\n/, ""),
    children: [],
    map,
  });
  state.tokens = [text];
  core.process(state);
  const lineEnd = piece.startsWith("\n") ? [new state.Token("softbreak", "br", 0)] : [];
  return [...lineEnd, ...(text.children ?? [])];
}

/** Returns null if the HTML becomes too long, or has a structure that the sanitiser changes. */
async function sanitisedHtml(tokens: Token[], env: Env, max: number, pause: Pause) {
  const { options, renderer } = texts;
  const done: string[] = [];
  let length = 0;
  let part = "";
  /** The elements around the part. */
  let around: string[] = [];
  /** The elements around the present place. */
  const open: string[] = [];

  async function endPart(code = "") {
    const html = sanitised(part, around, open);
    // Code need not be checked: nothing in it is a tag.
    const whole = code === "" ? html : html?.replace("</code>", () => `${escaped(code)}</code>`);
    done.push(whole ?? "");
    length += whole?.length ?? Number.POSITIVE_INFINITY;
    around = [...open];
    part = "";
    await pause();
  }

  async function add(all: Token[], at: number) {
    const token = all[at]!;
    const rule = own(renderer.rules, token.type) as Rule | undefined;
    const { content } = token;
    const isCode = token.type === "fence" || token.type === "code_block";
    if (isCode) token.content = "";
    part += rule ? rule(all, at, options, env, renderer) : renderer.renderToken(all, at, options);
    if (token.tag !== "" && !token.hidden) {
      if (token.nesting === 1) open.push(token.tag);
      if (token.nesting === -1) open.pop();
    }
    // A link has an address, which a part that begins within it would not have. No link is longer than a piece.
    if (isCode) await endPart(content);
    else if (part.length >= PART && !open.includes("a")) await endPart();
  }

  for (const [at, token] of tokens.entries()) {
    if (token.type !== "inline") await add(tokens, at);
    else for (const n of (token.children ?? []).keys()) await add(token.children!, n);
    if (length > max) return null;
  }
  await endPart();
  return length > max ? null : done.join("");
}

type Rule = (tokens: Token[], at: number, options: object, env: object, self: object) => string;

/**
 * Sanitises a part of HTML, which may begin and end within elements. Their tags are added, so that the sanitiser sees whole
 * elements, and taken away from what it returns. Returns null if the sanitiser moved these tags.
 */
function sanitised(part: string, around: readonly string[], open: readonly string[]): string | null {
  const before = around.map((tag) => `<${tag}>`).join("");
  const after = open
    .map((tag) => `</${tag}>`)
    .toReversed()
    .join("");
  const html = sanitizeHtml(before + part + after, ALLOWED);
  if (!html.startsWith(before) || !html.endsWith(after)) return null;
  return html.slice(before.length, html.length - after.length);
}

function plainParagraphs(text: string): string {
  const paragraphs = escaped(text).split(/\n{2,}/);
  return paragraphs.map((lines) => `<p>${lines.replaceAll("\n", "<br>")}</p>`).join("\n");
}

const escaped = (text: string) => text.replace(/[&<>]/g, (mark) => own(ESCAPED, mark)!);

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * A parser that does only these steps. Most raw HTML stays text, and the sanitiser is a second check after the renderer.
 * References are disabled because each `[a]` would repeat a long URL.
 */
function parserOf(...steps: string[]): MarkdownIt {
  const markdown = new Markdown({ html: false, linkify: true, breaks: true })
    .disable("reference")
    .use(limitNesting)
    .use(limitBlocks, LIMITS)
    .use(readElements)
    .use(linkNames);
  markdown.core.ruler.enableOnly(steps);
  return markdown;
}

const blocks = parserOf("normalize");
const texts = parserOf("inline", "linkify", "text_join");
const textsWithoutLinks = parserOf("inline", "text_join");

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...["p", "hr", "code", "pre", "blockquote", "a", "img", "span", "ul", "ol", "li"],
    ...["h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"],
    ...ELEMENTS,
  ],
  allowedAttributes: {
    a: ["href", "title", "rel"],
    img: ["src", "alt", "title"],
    code: ["class"],
    span: ["data-user-id"],
    th: ["style"],
    td: ["style"],
    details: ["open"],
  },
  allowedClasses: { span: ["mention"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedStyles: { "*": { "text-align": [/^(left|right|center)$/] } },
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener" }) },
};
