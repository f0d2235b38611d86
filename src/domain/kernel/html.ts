import { HtmlSafeString } from "escape-html-template-tag";

/** HTML whose every inserted value is escaped, unless it is HTML of this kind itself. */
export type Html = HtmlSafeString;
export type HtmlValue = string | number | Html | readonly HtmlValue[];

/** Tag of templates: `html\`<p>${text}</p>\``. Lists are put one behind the other; undefined and null are no values. */
export const html = (parts: TemplateStringsArray, ...values: HtmlValue[]): Html => new HtmlSafeString(parts, values);
