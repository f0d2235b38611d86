import type Markdown from "markdown-it";

/** What a text may name besides web pages. */
export type Surroundings = {
  /** The page of an issue, by its key. */
  issueUrl: (key: string) => string;
  /** Whether these are people the comment may mention. */
  isMentioned: (userId: string) => boolean;
};

type Mentioned = { whole: string; name: string; id: string };

const MENTION = /@\[([^[\]\n]{1,200})\]\(([0-9a-fA-F-]{32,36})\)/y;

/** `@[Name](id)` of a person at this place of a text. */
function mentionAt(text: string, place: number): Mentioned | null {
  MENTION.lastIndex = place;
  const [whole, name, id] = MENTION.exec(text) ?? [];
  return whole && name && id ? { whole, name, id } : null;
}

/** The ids of the people whom a text mentions, as they are written there. */
export function mentionedIn(text: string): string[] {
  const ids: string[] = [];
  for (let place = text.indexOf("@["); place !== -1; place = text.indexOf("@[", place + 1)) {
    const mentioned = mentionAt(text, place);
    if (mentioned) ids.push(mentioned.id);
  }
  return ids;
}

/** Teaches a renderer people and issues; it is then given Surroundings with each text. */
export function linkNames(markdown: MarkdownIt): void {
  markdown.inline.ruler.before("link", "mention", readMention);
  markdown.inline.ruler.before("link", "issue", readIssue);
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules.mention = (tokens, index) => {
    const { content, meta } = tokens[index]!;
    return `<span class="mention" data-user-id="${escapeHtml(String(meta?.userId))}">${escapeHtml(content)}</span>`;
  };
}

type MarkdownIt = InstanceType<typeof Markdown>;
type Rule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];

/** Those who cannot be mentioned are plain text. */
const readMention: Rule = (state, silent) => {
  const mentioned = mentionAt(state.src, state.pos);
  if (!mentioned) return false;
  const { whole, name, id } = mentioned;
  if (!silent) {
    const known = (state.env as Surroundings).isMentioned(id);
    const token = state.push(known ? "mention" : "text", "", 0);
    token.content = `@${name}`;
    token.meta = { userId: id.toLowerCase() };
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
    state.push("link_open", "a", 1).attrs = [["href", (state.env as Surroundings).issueUrl(key)]];
    state.push("text", "", 0).content = whole;
    state.push("link_close", "a", -1);
  }
  state.pos += whole.length;
  return true;
};
