import type Markdown from "markdown-it";
import { handleAt } from "./handles.ts";
import { escapeHtml } from "./html.ts";
import { readId } from "./ids.ts";

/** Resolves the people and issues that a text names. */
export type MarkdownContext = {
  /** Returns the URL of an issue's page, by the issue's key. */
  issueUrl: (key: string) => string;
  /** Returns the name that the mention of an id shows. Null: the user cannot be mentioned here. */
  nameOf: (userId: string, typed: string) => string | null;
  /** Agents by handle. Others are plain text. */
  agents?: ReadonlyMap<string, string>;
};

type Mentioned = { whole: string; name: string; id: string };

const MENTION = /@\[([^[\]\n]{1,200})\]\(([0-9a-fA-F-]{32,36})\)/y;
const MENTIONS = /@\[([^[\]\n]{1,200})\]\(([0-9a-fA-F-]{32,36})\)/g;

/** Returns the mention `@[Name](id)` at this position of a text, or null. */
function mentionAt(text: string, start: number): Mentioned | null {
  MENTION.lastIndex = start;
  const [whole, name, id] = MENTION.exec(text) ?? [];
  return whole && name && id ? { whole, name, id } : null;
}

/** Returns the ids that stand in a text as in a mention, as they are written. Not all are mentions: some may be in code. */
export const idsIn = (text: string): string[] => [...new Set([...text.matchAll(MENTIONS)].map(([, , id]) => id!))];

/** A person or agent as mentions show them. */
export type Named = { name: string; handle: string | null };
/** By id. */
export type Names = ReadonlyMap<string, Named>;

/** A Markdown text whose mentions show names only, as in `@Ada`: the present ones, or as typed for unknown ids. */
export const withNamesOnly = (markdown: string, names: Names = new Map()): string =>
  markdown.replace(MENTIONS, (_, typed: string, id: string) => `@${nameOf(names, id) ?? typed}`);

/** A Markdown text whose mentions have the present names beside the ids. */
export const withPresentNames = (markdown: string, names: Names): string =>
  markdown.replace(MENTIONS, (whole, _, id: string) => {
    // These characters would end the name.
    const name = nameOf(names, id)?.replaceAll(/[[\]\n]/g, "");
    return name ? `@[${name}](${id})` : whole;
  });

/** The present name of an id in any spelling; null if it is unknown. */
export const nameOf = (names: Names, id: string): string | null => names.get(readId(id) ?? "")?.name ?? null;

/** A mention in rendered HTML. */
const RENDERED = /<span class="mention" data-user-id="([0-9a-f-]{32,36})">@([^<]*)<\/span>/g;

/** Returns the ids of the mentions in rendered HTML. */
export const renderedIds = (html: string): string[] => [
  ...new Set([...html.matchAll(RENDERED)].flatMap(([, id]) => readId(id!) ?? [])),
];

/**
 * Rendered HTML whose mentions show the present names. A handle that is still the agent's stays as it was typed, and so does
 * the name of an unknown id, as plain text.
 * @param mark makes the HTML of a mention
 */
export const renderedWith = (
  html: string,
  names: Names,
  mark = (whole: string, text: string): string => whole.replace(/@[^<]*/, () => text),
): string =>
  html.replace(RENDERED, (whole, id: string, typed: string) => {
    const named = names.get(readId(id) ?? "");
    if (!named) return `@${typed}`;
    return mark(whole, `@${typed.toLowerCase() === named.handle ? typed : escapeHtml(named.name)}`);
  });

/** Makes a renderer link people and issues. It then needs a MarkdownContext with each text. */
export function linkNames(markdown: MarkdownIt): void {
  markdown.inline.ruler.before("link", "code_element", findCodeElement);
  markdown.inline.ruler.before("link", "mention", readMention);
  markdown.inline.ruler.before("link", "handle", readHandle);
  markdown.inline.ruler.before("link", "issue", readIssue);
  markdown.inline.ruler.before("link", "named_id", readNamedId);
  const { validateLink } = markdown;
  markdown.validateLink = (address) => !readId(address) && validateLink(address);
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules.mention = (tokens, index) => {
    const { content, meta } = tokens[index]!;
    return `<span class="mention" data-user-id="${escapeHtml(String(meta?.userId))}">${escapeHtml(content)}</span>`;
  };
}

type MarkdownIt = InstanceType<typeof Markdown>;
type Rule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];

/** Elements whose text is code, whether they are rendered as elements or as text. */
const CODE_ELEMENT = /<(code|pre|kbd|samp|tt|var)(?=[\s>])[^<>]{0,200}>/iy;
const CODE_END = /<\/(code|pre|kbd|samp|tt|var)\s{0,9}>/gi;

/** The code element that was found last, and the names of elements that end nowhere behind it. */
type CodeFound = { codeFrom?: number; codeUntil?: number; neverClosed?: Set<string> };
type State = Parameters<Rule>[0];

/** Finds where a code element ends. It reads nothing: the tag is an element or text. */
const findCodeElement: Rule = (state) => {
  if (state.src[state.pos] !== "<" || isInCode(state)) return false;
  CODE_ELEMENT.lastIndex = state.pos;
  const name = CODE_ELEMENT.exec(state.src)?.[1]?.toLowerCase();
  const found = state as State & CodeFound;
  found.neverClosed ??= new Set();
  if (!name || found.neverClosed.has(name)) return false;
  CODE_END.lastIndex = state.pos;
  let closing = CODE_END.exec(state.src);
  while (closing && closing[1]!.toLowerCase() !== name) closing = CODE_END.exec(state.src);
  const end = closing?.index;
  if (end === undefined) found.neverClosed.add(name);
  else [found.codeFrom, found.codeUntil] = [state.pos, end];
  return false;
};

/** Whether the text at the parser's position is in a code element, where it mentions nobody. */
export function isInCode(state: State): boolean {
  const { codeFrom = 0, codeUntil = 0 } = state as State & CodeFound;
  return state.pos >= codeFrom && state.pos < codeUntil;
}

/** People who cannot be mentioned are rendered as plain text. */
const readMention: Rule = (state, silent) => {
  const mentioned = mentionAt(state.src, state.pos);
  if (!mentioned) return false;
  const { whole, name, id } = mentioned;
  if (!silent) {
    const shown = isInCode(state) ? null : (state.env as MarkdownContext).nameOf(id, name);
    const token = state.push(shown === null ? "text" : "mention", "", 0);
    token.content = `@${shown ?? name}`;
    token.meta = { userId: id.toLowerCase() };
  }
  state.pos += whole.length;
  return true;
};

const readHandle: Rule = (state, silent) => {
  if (state.src[state.pos] !== "@" || state.linkLevel > 0 || isInCode(state)) return false;
  const { agents, nameOf } = state.env as MarkdownContext;
  const { whole, handle } = (agents && handleAt(state.src, state.pos)) ?? {};
  const userId = handle === undefined ? undefined : agents?.get(handle);
  if (!whole || !userId || nameOf(userId, whole) === null) return false;
  if (!silent) {
    const token = state.push("mention", "", 0);
    token.content = whole;
    token.meta = { userId };
  }
  state.pos += whole.length;
  return true;
};

const NAMED_ID = /\[([^[\]\n]{1,200})\]\(<?([0-9a-fA-F-]{32,36})>?(?: "[^"\n]{0,200}")?\)/y;

/** A link whose address is an id leads nowhere, such as that of a mention whose `@` is escaped. Only its text is shown. */
const readNamedId: Rule = (state, silent) => {
  const { pos: start, posMax } = state;
  NAMED_ID.lastIndex = start;
  const [whole, text, id] = NAMED_ID.exec(state.src) ?? [];
  if (!whole || !text || !readId(id!)) return false;
  if (!silent) {
    [state.pos, state.posMax] = [start + 1, start + 1 + text.length];
    state.md.inline.tokenize(state);
    state.posMax = posMax;
  }
  state.pos = start + whole.length;
  return true;
};

const issueHere = /(?<![\w&/#])#([A-Z][A-Z0-9]{0,9}-[1-9]\d{0,8})(?![\w-])/y;

const readIssue: Rule = (state, silent) => {
  issueHere.lastIndex = state.pos;
  const [whole, key] = issueHere.exec(state.src) ?? [];
  if (!whole || !key || state.linkLevel > 0) return false;
  if (!silent) {
    state.push("link_open", "a", 1).attrs = [["href", (state.env as MarkdownContext).issueUrl(key)]];
    state.push("text", "", 0).content = whole;
    state.push("link_close", "a", -1);
  }
  state.pos += whole.length;
  return true;
};
