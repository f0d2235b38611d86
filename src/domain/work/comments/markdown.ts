import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { own } from "../../kernel/own.ts";
import { linkNames, type Surroundings } from "./markdown-names.ts";

/**
 * Markdown to HTML that is safe to put into a page.
 *
 * Rendering holds up every other call, and some of its rules take the square of the text's length. So a text that is
 * too long or too dense with markup becomes plain paragraphs, in one pass; so does one whose HTML would outgrow it.
 * The HTML is at most five times as long as the text, and a little.
 */
export function renderMarkdown(markdown: string, surroundings: Surroundings): string {
  if (markdown.length > MAX_CHARACTERS || isDense(markdown)) return plainParagraphs(markdown);
  const html = sanitizeHtml(renderer.render(markdown, surroundings), ALLOWED);
  return html.length > 4 * markdown.length + SLACK ? plainParagraphs(markdown) : html;
}

// Measured: within these bounds no text holds up the process for more than some 30 ms.
const MAX_CHARACTERS = 20_000;
const MAX_LINES = 1_000;
const MAX_MARKUP = 2_000;
const MAX_LINKS = 500;
const MAX_CELLS = 5_000;
// A short text's links are many times as long as it is.
const SLACK = 8_192;

function isDense(markdown: string): boolean {
  const lines = markdown.split("\n");
  if (lines.length > MAX_LINES || markdown.split(MARKUP).length > MAX_MARKUP) return true;
  if (markdown.split(LINK).length > MAX_LINKS) return true;
  // Short rows are filled up to the width of the table's head, which its rule has as many cells as.
  const widths = lines.map((line) => (TABLE_RULE.test(line) ? line.split("|").length : 0));
  return Math.max(...widths) * lines.length > MAX_CELLS;
}

const MARKUP = /[![\]`|<>*_~&@:\\]/;
/** Where an address may be found. */
const LINK = /@|\/\//;
/** A line of dashes and pipes, perhaps within a quote or a list. */
const TABLE_RULE = /^[\s\d>*+.):|-]+$/;

function plainParagraphs(text: string): string {
  const paragraphs = text.replace(/[&<>]/g, (mark) => own(ESCAPED, mark)!).split(/\n{2,}/);
  return paragraphs.map((lines) => `<p>${lines.replaceAll("\n", "<br>")}</p>`).join("\n");
}

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

// Raw HTML stays text; the sanitiser is a second lock behind the renderer. References would repeat a long address for
// every `[a]`.
const renderer = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable("reference").use(linkNames);

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    "p",
    "br",
    "hr",
    "strong",
    "em",
    "s",
    "code",
    "pre",
    "blockquote",
    "a",
    "img",
    "span",
    "ul",
    "ol",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
  ],
  allowedAttributes: {
    a: ["href", "title", "rel"],
    img: ["src", "alt", "title"],
    code: ["class"],
    span: ["data-user-id"],
    th: ["style"],
    td: ["style"],
  },
  allowedClasses: { span: ["mention"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedStyles: { "*": { "text-align": [/^(left|right|center)$/] } },
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener" }) },
};
