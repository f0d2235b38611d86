import { HtmlSafeString } from "escape-html-template-tag";
import MarkdownIt from "markdown-it";
import type { Html } from "../../../domain/kernel/html.ts";

/** Texts of the API description as HTML. They are ours; HTML in them is escaped all the same. */

const markdown = new MarkdownIt({ html: false, linkify: false });

const made = (text: string): Html => new HtmlSafeString([text], []);

export const blockMarkdown = (text: string): Html => made(markdown.render(text));

export const inlineMarkdown = (text: string): Html => made(markdown.renderInline(text));
