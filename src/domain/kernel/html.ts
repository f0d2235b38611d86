import { HtmlSafeString } from "escape-html-template-tag";

/** HTML in which every inserted value is escaped, unless the value is such HTML itself. */
export type Html = HtmlSafeString;
export type HtmlValue = string | number | Html | readonly HtmlValue[];

/** Tag of templates: `html\`<p>${text}</p>\``. Items of a list are joined; undefined and null give nothing. */
export const html = (parts: TemplateStringsArray, ...values: HtmlValue[]): Html => new HtmlSafeString(parts, values);

const ESCAPES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** A text as HTML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES.get(character)!);
