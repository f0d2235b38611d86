import type Markdown from "markdown-it";
import { handleAt, handlesIn } from "./handles.ts";
import { readId } from "./ids.ts";

/** Resolves the people and issues that a text names. */
export type MarkdownContext = {
  /** Returns the URL of an issue's page, by the issue's key. */
  issueUrl: (key: string) => string;
  /** Whether the comment may mention this user. */
  isMentioned: (userId: string) => boolean;
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

/** Returns the ids of the people whom a text mentions, as they are written there. */
export function mentionedIn(text: string): string[] {
  const ids: string[] = [];
  for (let start = text.indexOf("@["); start !== -1; start = text.indexOf("@[", start + 1)) {
    const mentioned = mentionAt(text, start);
    if (mentioned) ids.push(mentioned.id);
  }
  return ids;
}

/** A Markdown text whose mentions show names only, as in `@Ada`. */
export const withNamesOnly = (markdown: string): string => markdown.replace(MENTIONS, "@$1");

/** Ids that an event keeps of the people whom a text newly mentions. */
const MAX_MENTIONED = 1_000;

export type MentionContext = { mentioned?: string[]; handles?: string[] };

/**
 * The context of an event about a text: the people whom it mentions and whom it did not mention before, for their
 * notifications. Those whom it names by handle are found when the event is stored.
 * @param before null for a new text, or one that other people see than before
 */
export function mentionContext(before: string | null, after: string | null): { context?: MentionContext } {
  if (after === before || !after?.includes("@")) return {};
  const mentioned = newlyMentioned(before ?? "", after);
  const earlier = new Set(handlesIn(before ?? ""));
  const handles = handlesIn(after).filter((handle) => !earlier.has(handle));
  const context = { ...(mentioned.length > 0 ? { mentioned } : {}), ...(handles.length > 0 ? { handles } : {}) };
  return Object.keys(context).length > 0 ? { context } : {};
}

function newlyMentioned(before: string, after: string): string[] {
  const now = mentionedIn(after);
  if (now.length === 0) return [];
  const earlier = new Set(mentionedIn(before).map(plainId));
  const added = new Set(now.map(plainId).filter((id) => !earlier.has(id)));
  return [...added].slice(0, MAX_MENTIONED).flatMap((id) => readId(id) ?? []);
}

/** All spellings of an id give the same text. Half a million characters have thousands of ids, so this is fast. */
const plainId = (id: string): string => id.replaceAll("-", "").toLowerCase();

/** Makes a renderer link people and issues. It then needs a MarkdownContext with each text. */
export function linkNames(markdown: MarkdownIt): void {
  markdown.inline.ruler.before("link", "mention", readMention);
  markdown.inline.ruler.before("link", "handle", readHandle);
  markdown.inline.ruler.before("link", "issue", readIssue);
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules.mention = (tokens, index) => {
    const { content, meta } = tokens[index]!;
    return `<span class="mention" data-user-id="${escapeHtml(String(meta?.userId))}">${escapeHtml(content)}</span>`;
  };
}

type MarkdownIt = InstanceType<typeof Markdown>;
type Rule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];

/** People who cannot be mentioned are rendered as plain text. */
const readMention: Rule = (state, silent) => {
  const mentioned = mentionAt(state.src, state.pos);
  if (!mentioned) return false;
  const { whole, name, id } = mentioned;
  if (!silent) {
    const known = (state.env as MarkdownContext).isMentioned(id);
    const token = state.push(known ? "mention" : "text", "", 0);
    token.content = `@${name}`;
    token.meta = { userId: id.toLowerCase() };
  }
  state.pos += whole.length;
  return true;
};

const readHandle: Rule = (state, silent) => {
  if (state.src[state.pos] !== "@" || state.linkLevel > 0) return false;
  const { agents, isMentioned } = state.env as MarkdownContext;
  const { whole, handle } = (agents && handleAt(state.src, state.pos)) ?? {};
  const userId = handle === undefined ? undefined : agents?.get(handle);
  if (!whole || !userId || !isMentioned(userId)) return false;
  if (!silent) {
    const token = state.push("mention", "", 0);
    token.content = whole;
    token.meta = { userId };
  }
  state.pos += whole.length;
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
