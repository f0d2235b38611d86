import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import sanitizeHtml from "sanitize-html";
import type { DocumentToRender } from "../../../domain/kernel/ports/document-renderer.ts";
import { ELEMENTS } from "../../../domain/kernel/markdown-elements.ts";
import { headingIds, idOfLink, startsWithTitle } from "./headings.ts";
import { parseMarkdown, parser } from "./parse.ts";
import { guessLanguage, isRightToLeft } from "./script.ts";
import { attributeOf, type Token, textOf } from "./token.ts";

/**
 * Renders a document as one HTML file that requests nothing and runs nothing. Its policy (CSP) forbids both, besides
 * what is left out of its content.
 */
export function renderHtml(document: DocumentToRender): string {
  const { title, markdown, language, changedAt } = document;
  const tokens = parseMarkdown(document);
  const lang = language ?? guessLanguage(markdown);
  const date = changedAt.slice(0, 10);
  const head = startsWithTitle(tokens, title) ? "" : `<h1 dir="auto">${escapeHtml(title)}</h1>`;
  return `<!doctype html>
<html${lang ? ` lang="${escapeHtml(lang)}"` : ""}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header${isRightToLeft(title) ? ' dir="rtl"' : ""}>${head}<p><time datetime="${escapeHtml(changedAt)}">${escapeHtml(date)}</time></p></header>
<main>
${bodyOf(tokens)}</main>
</body>
</html>
`;
}

/** The text of a document, as HTML for a page that shows its title. */
export function renderPart(document: DocumentToRender): string {
  const tokens = parseMarkdown(document);
  return bodyOf(startsWithTitle(tokens, document.title) ? tokens.slice(HEADING_TOKENS) : tokens, { withIds: true });
}

/** Its beginning, text and end. */
const HEADING_TOKENS = 3;

const STYLE = readFileSync(new URL("document.css", import.meta.url), "utf8");
const POLICY = [
  "default-src 'none'",
  "img-src data:",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const { escapeHtml } = parser.utils;

/** The renderer makes only what the parser knows; the sanitiser checks it a second time. */
function bodyOf(tokens: Token[], mentions = { withIds: false }): string {
  const ids = headingIds(tokens);
  prepareBlocks(tokens, ids);
  for (const token of tokens) for (const child of token.children ?? []) prepareInline(child);
  return sanitizeHtml(parser.renderer.render(tokens, parser.options, mentions), ALLOWED);
}

const TEXTS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "th", "td"]);
/** They have a direction of their own, because it decides on which side markers, bars and first columns are. */
const CONTAINERS = new Set(["ul", "ol", "li", "blockquote", "table"]);

function prepareBlocks(tokens: readonly Token[], ids: ReadonlyMap<Token, string>): void {
  let next: Token | undefined;
  // Backwards, so that the first text of each container is known.
  for (const token of tokens.toReversed()) {
    if (token.type === "inline") next = token;
    if (token.nesting === 1) prepareBlock(token, ids.get(token), next);
  }
}

function prepareBlock(token: Token, id: string | undefined, text: Token | undefined): void {
  const align = ALIGN.exec(attributeOf(token, "style"))?.[1];
  if (align) token.attrs = [["class", align]];
  // The direction of a text follows from its first strong character.
  if (TEXTS.has(token.tag)) token.attrSet("dir", "auto");
  if (CONTAINERS.has(token.tag)) token.attrSet("dir", isRightToLeft(textOf(text)) ? "rtl" : "ltr");
  if (id) token.attrSet("id", id);
}

const ALIGN = /^text-align:(left|right|center)$/;

function prepareInline(token: Token): void {
  const href = token.type === "link_open" ? attributeOf(token, "href") : "";
  if (href === "") return;
  token.attrs = href.startsWith("#")
    ? [["href", `#${encodeURIComponent(idOfLink(href))}`]]
    : [
        ["href", href],
        ["rel", "nofollow noopener noreferrer"],
      ];
}

const { rules } = parser.renderer;
rules.list_item_open = (tokens, at, options, _env, self) => {
  const { meta } = tokens[at]!;
  if (!meta?.task) return self.renderToken(tokens, at, options);
  tokens[at]!.attrSet("class", "task");
  return `${self.renderToken(tokens, at, options)}<input type="checkbox" disabled${meta.task === "done" ? " checked" : ""}> `;
};
rules.table_open = (tokens, at, options, _env, self) =>
  `<div class="table" tabindex="0">${self.renderToken(tokens, at, options)}`;
rules.table_close = () => "</table></div>\n";
rules.fence = (tokens, at) => {
  const language = LANGUAGE.exec(tokens[at]!.info.slice(0, 40))?.[0];
  return `<pre dir="ltr"><code${language ? ` class="language-${language}"` : ""}>${escapeHtml(tokens[at]!.content)}</code></pre>\n`;
};
rules.code_block = (tokens, at) => `<pre dir="ltr"><code>${escapeHtml(tokens[at]!.content)}</code></pre>\n`;
// Only embedded images are left.
rules.image = (tokens, at) =>
  `<img src="${escapeHtml(attributeOf(tokens[at]!, "src"))}" alt="${escapeHtml(tokens[at]!.content)}">`;
rules.mention = (tokens, at, _options, env) => {
  const { content, meta } = tokens[at]!;
  const id = env?.withIds ? ` data-user-id="${escapeHtml(String(meta?.userId))}"` : "";
  return `<span class="mention"${id}>${escapeHtml(content)}</span>`;
};

const LANGUAGE = /^[A-Za-z0-9][A-Za-z0-9_+#.-]{0,29}/;

const BLOCKS = ["p", "hr", "pre", "blockquote", "ul", "ol", "li", "div", "h1", "h2", "h3", "h4", "h5", "h6"];
const TABLE = ["table", "thead", "tbody", "tr", "th", "td"];

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [...BLOCKS, ...TABLE, ...ELEMENTS, "code", "a", "img", "span", "input"],
  allowedAttributes: {
    "*": ["dir"],
    a: ["href", "rel"],
    img: ["src", "alt"],
    ol: ["start"],
    span: ["data-user-id"],
    details: ["open"],
    input: ["type", "disabled", "checked"],
    // A wide table scrolls in its box, which the keyboard must reach.
    div: ["tabindex"],
    ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((tag) => [tag, ["id"]])),
  },
  allowedClasses: {
    code: [/^language-[A-Za-z0-9][A-Za-z0-9_+#.-]{0,29}$/],
    span: ["mention"],
    div: ["table"],
    li: ["task"],
    th: ["left", "right", "center"],
    td: ["left", "right", "center"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["data"] },
};
