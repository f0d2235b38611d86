import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";

// Raw HTML stays text; the sanitiser is a second lock behind the renderer.
const renderer = new MarkdownIt({ html: false, linkify: true, breaks: true });

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
    th: ["style"],
    td: ["style"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  allowedStyles: { "*": { "text-align": [/^(left|right|center)$/] } },
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener" }) },
};

/** Markdown to HTML that is safe to put into a page. */
export const renderMarkdown = (markdown: string): string => sanitizeHtml(renderer.render(markdown), ALLOWED);
