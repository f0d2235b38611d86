import MarkdownIt from "markdown-it";
import { handleAt } from "./handles.ts";
import { readId } from "./ids.ts";
import { readElements } from "./markdown-elements.ts";
import { isInCode, linkNames, type MarkdownContext } from "./markdown-names.ts";

/**
 * The people and agents whom a Markdown text mentions, from the tokens of the parser: nothing in code, elements of code,
 * comments, addresses of links or escaped characters is a mention.
 */
export type Mentioned = {
  /** Ids, each once. */
  ids: string[];
  /** Handles of agents in lower case, each once. Some may be of no agent. */
  handles: string[];
};

/** Ids and handles that one text mentions. */
const MAX_IDS = 1_000;
const MAX_HANDLES = 100;
/** Positions at which the parser looks for markup in one text, which takes about 10 ms. */
const MAX_STEPS = 10_000;
/** Characters and lines that are parsed of one text. Only blocks with an `@` are. */
const MAX_CHARACTERS = 200_000;
const MAX_LINES = 2_000;
const MAX_LINES_OF_BLOCK = 500;
/** Lines of one text that are read to find such blocks. */
const MAX_LINES_READ = 100_000;

/** Text beyond the limits mentions nobody. */
export function mentionsIn(markdown: string): Mentioned {
  const found = { ids: new Set<string>(), handles: new Set<string>() };
  const env: Reading = { ...found, steps: { left: MAX_STEPS }, issueUrl: () => "", nameOf: () => "" };
  if (markdown.includes("@")) for (const block of blocksWithSigns(markdown)) reader.parse(block, { ...env });
  return { ids: [...found.ids].slice(0, MAX_IDS), handles: [...found.handles].slice(0, MAX_HANDLES) };
}

type Reading = MarkdownContext & { ids: Set<string>; handles: Set<string>; steps: { left: number } };

/**
 * Parts of a text that contain an `@`, cut where any block ends: at an empty line before a line that is not indented. Code in
 * fences and comments are left out: a long text is mostly code.
 */
function* blocksWithSigns(markdown: string): Iterable<string> {
  const lastComment = markdown.lastIndexOf("-->");
  let lines: string[] = [];
  let isWanted = false;
  let fence: string | null = null;
  let indentedFence: string | null = null;
  let isInComment = false;
  let isAfterEmpty = false;
  /** The column at which the text of the present list item begins; infinite outside of lists. */
  let itemFrom = Number.POSITIVE_INFINITY;
  let left = { characters: MAX_CHARACTERS, lines: MAX_LINES };
  const block = function* () {
    const text = isWanted ? lines.join("\n").slice(0, left.characters) : "";
    if (text !== "") yield text;
    left = { characters: left.characters - text.length, lines: left.lines - (isWanted ? lines.length : 0) };
    lines = [];
    isWanted = false;
    itemFrom = Number.POSITIVE_INFINITY;
  };
  let from = 0;
  for (
    let read = 0;
    read < MAX_LINES_READ && from <= markdown.length && left.characters > 0 && left.lines > 0;
    read++
  ) {
    const end = markdown.indexOf("\n", from);
    let line = markdown.slice(from, end === -1 ? markdown.length : end);
    const start = from;
    from = end === -1 ? markdown.length + 1 : end + 1;
    if (fence) {
      if (closes(line, fence)) fence = null;
      continue;
    }
    if (!isInComment && COMMENT_LINE.test(line) && start < lastComment) isInComment = true;
    if (isInComment) {
      const closing = line.indexOf("-->");
      if (closing === -1) continue;
      isInComment = false;
      line = line.slice(closing + 3).trimStart();
    }
    if ((isAfterEmpty && !indentedFence && /^\S/.test(line)) || lines.length >= MAX_LINES_OF_BLOCK) yield* block();
    const [, indent, signs] = FENCE.exec(line) ?? [];
    const isInItem = indent !== undefined && indent.length >= itemFrom;
    if (indentedFence) {
      if (closes(line, indentedFence)) indentedFence = null;
    } else if (isInItem) indentedFence = signs!;
    else itemFrom = startOfItem(line, itemFrom);
    const opening = isInItem ? undefined : signs;
    if (opening) fence = opening;
    // A rule ends the paragraph before it as the fence does.
    lines.push(opening ? "***" : line);
    isWanted ||= !opening && line.includes("@");
    isAfterEmpty = line.trim() === "";
  }
  yield* block();
}

const COMMENT_LINE = /^ {0,3}<!--/;

/**
 * The line that begins code. Code that is indented like the text of a list item belongs to that item, and may have empty
 * lines. So the parser gets the whole item.
 */
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;

const ITEM = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|(?=\s|$))/;

/** Returns the column at which the text of the outermost list item of a line begins. */
function startOfItem(line: string, present: number): number {
  const [whole, indent] = ITEM.exec(line) ?? [];
  if (whole === undefined || indent!.length >= present) return present;
  return whole.endsWith(" ") ? whole.length : whole.length + 1;
}

/** Whether a line ends the code that a fence began: at least as many of its characters, and nothing else. */
function closes(line: string, fence: string): boolean {
  const text = line.replace(/^ {0,3}/, "").trimEnd();
  return text.length >= fence.length && text === fence[0]!.repeat(text.length);
}

class TooManySteps extends Error {}

/** Reads only text with an `@`, and only until the steps of the text are used up. */
function collectMentions(markdown: Markdown): void {
  const { core, inline } = markdown;
  inline.ruler.before("text", "count", ({ env }) => {
    if (--(env as Reading).steps.left < 0) throw new TooManySteps();
    return false;
  });
  inline.ruler.before("escape", "hidden", skipHidden);
  inline.ruler.before("handle", "any_handle", readAnyHandle);
  core.ruler.at("inline", ({ tokens, env: given }) => {
    const env = given as Reading;
    for (const { type, content } of tokens) {
      if (type !== "inline" || !content.includes("@") || env.steps.left < 0) continue;
      const children: typeof tokens = [];
      try {
        inline.parse(content, markdown, env, children);
      } catch (error) {
        if (!(error instanceof TooManySteps)) throw error;
      }
      for (const { type, meta } of children) {
        const id = type === "mention" ? readId(String(meta?.userId)) : null;
        if (id) env.ids.add(id);
      }
    }
  });
}

type Markdown = InstanceType<typeof MarkdownIt>;
type Rule = Parameters<Markdown["inline"]["ruler"]["push"]>[1];

/** The description of an image, and the address and title of a link. */
const HIDDEN = [
  /!\[(?:[^[\]]|\[[^[\]]{0,500}\]){0,2000}(?=\]\()/y,
  /\]\([ \n]{0,9}(?:<[^<>\n]{0,2000}>|(?:[^\s()<>]|\([^\s()<>]{0,500}\)){0,2000})(?:[ \n]{1,9}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|\([^()\n]{0,500}\)))?[ \n]{0,9}\)/y,
];

const SCHEME = /(?:^|[^a-z0-9.+-])(https?|ftp)$/i;
const MAX_ADDRESS = 2_000;

/** Returns where an address without brackets ends whose scheme stands before `colon`; -1 if none does. */
function endOfAddress(text: string, colon: number): number {
  if (!text.startsWith("://", colon)) return -1;
  const [, scheme] = SCHEME.exec(text.slice(Math.max(0, colon - 6), colon)) ?? [];
  if (!scheme) return -1;
  const start = colon - scheme.length;
  const found = reader.linkify.matchAtStart(text.slice(start, start + MAX_ADDRESS));
  return found ? start + found.lastIndex : -1;
}

const skipHidden: Rule = (state) => {
  const first = state.src[state.pos]!;
  if (first === ":") {
    const end = endOfAddress(state.src, state.pos);
    if (end <= state.pos) return false;
    state.pos = end;
    return true;
  }
  if (!"!]".includes(first)) return false;
  for (const pattern of HIDDEN) {
    pattern.lastIndex = state.pos;
    const [whole] = pattern.exec(state.src) ?? [];
    if (whole === undefined) continue;
    state.pos += whole.length;
    return true;
  }
  return false;
};

const readAnyHandle: Rule = (state) => {
  const found = isInCode(state) ? null : handleAt(state.src, state.pos);
  if (!found) return false;
  (state.env as Reading).handles.add(found.handle);
  state.pos += found.whole.length;
  return true;
};

// Rules that find no mention would take time.
const reader = new MarkdownIt({ html: false, maxNesting: 40 }).use(readElements).use(linkNames).use(collectMentions);
reader.disable([
  "table",
  "reference",
  "emphasis",
  "strikethrough",
  "entity",
  "newline",
  "link",
  "image",
  "issue",
  "named_id",
]);

/** What an event keeps of the mentions of a text, for notifications and agents. */
export type MentionContext = {
  mentioned?: string[];
  /** Handles that the text newly mentions. They are replaced by ids in `mentioned` when the event is stored. */
  handles?: string[];
  /** People whom the text no longer mentions. */
  unmentioned?: string[];
};

/**
 * The context of an event about a text: the people whom it mentions and whom it did not mention before, and whom it no
 * longer mentions.
 * @param before null for a new text, or one that other people see than before
 */
export function mentionContext(before: string | null, after: string | null): { context?: MentionContext } {
  if (after === before || !(before?.includes("@") || after?.includes("@"))) return {};
  const [earlier, now] = [mentionsIn(before ?? ""), mentionsIn(after ?? "")];
  const context = {
    ...listed("mentioned", without(now.ids, earlier.ids)),
    ...listed("handles", without(now.handles, earlier.handles)),
    ...listed("unmentioned", without(earlier.ids, now.ids)),
  };
  return Object.keys(context).length > 0 ? { context } : {};
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}

const listed = (name: keyof MentionContext, all: string[]) => (all.length > 0 ? { [name]: all } : {});
