import MarkdownIt from "markdown-it";
import { linkNames, type MarkdownContext, type Names, nameOf } from "./markdown-names.ts";
import { singleLine } from "./text.ts";
import { withoutHtml } from "./without-html.ts";

/** Markdown as plain text, for excerpts. */

const parser = new MarkdownIt({ html: false, linkify: false }).use(linkNames);

type Tokens = ReturnType<typeof parser.parse>;

/**
 * A Markdown text on one line without its marks. Mentions show the present names, or as typed for unknown ids. Only for short
 * texts: 2,000 characters take up to 10 ms.
 */
export function plainText(markdown: string, names: Names = new Map()): string {
  const context: MarkdownContext = { issueUrl: () => "", nameOf: (id, typed) => nameOf(names, id) ?? typed };
  return singleLine(textOf(parser.parse(withoutHtml(markdown), context)).replace(/\s+/g, " "));
}

const textOf = (tokens: Tokens): string =>
  tokens
    .map(({ type, content, children, nesting }) => {
      if (children) return textOf(children);
      return content === "" && nesting <= 0 && !type.endsWith("_close")
        ? " "
        : content + (BLOCK_ENDS.test(type) ? " " : "");
    })
    .join("");

const BLOCK_ENDS = /^(?:paragraph|heading|t[hd]|list_item|blockquote)_close$/;
