import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { isHeavy } from "../../kernel/heavy-markdown.ts";
import { linkNames, type MarkdownContext } from "../../kernel/markdown-names.ts";
import { own } from "../../kernel/own.ts";

/**
 * Converts Markdown to HTML that is safe to embed in a page.
 *
 * Rendering blocks all other calls, and some rules take time quadratic in the length of the text. So a text that is too
 * long or has too much markup becomes plain paragraphs, which takes one pass. So does a text whose HTML would be too
 * long. The HTML is at most five times as long as the text, plus a few kilobytes.
 */
export function renderMarkdown(markdown: string, context: MarkdownContext): string {
  if (isHeavy(markdown)) return plainParagraphs(markdown);
  const html = sanitizeHtml(renderer.render(markdown, context), ALLOWED);
  return html.length > 4 * markdown.length + SLACK ? plainParagraphs(markdown) : html;
}

// The HTML of links in a short text is many times as long as the text.
const SLACK = 8_192;

function plainParagraphs(text: string): string {
  const paragraphs = text.replace(/[&<>]/g, (mark) => own(ESCAPED, mark)!).split(/\n{2,}/);
  return paragraphs.map((lines) => `<p>${lines.replaceAll("\n", "<br>")}</p>`).join("\n");
}

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

// Raw HTML stays text, and the sanitiser is a second check after the renderer. References are disabled because each
// `[a]` would repeat a long URL.
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
