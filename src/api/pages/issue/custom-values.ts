import { type Html, html } from "../../../domain/kernel/html.ts";
import type { CustomFieldValueView } from "../../../domain/work/fields/view.ts";
import { person } from "../kit/people.ts";
import { dayInWords } from "../kit/times.ts";
import { type People, personOf } from "./read.ts";

/** The value of a custom field as people read it. Null if there is none. @param base path of the workspace's pages */
export function customValue(
  { kind, value, display_value }: Pick<CustomFieldValueView, "kind" | "value" | "display_value">,
  people: People,
  base: string,
): Html | string | null {
  if (value === null || value === undefined) return null;
  const text = display_value ?? String(value);
  switch (kind) {
    case "checkbox":
      return value === true ? "Yes" : "No";
    case "date":
      return dayInWords(String(value));
    case "url":
      return html`<a href="${String(value)}" rel="nofollow noopener">${text}</a>`;
    case "user":
      return person({ ...personOf(people, String(value)), name: display_value });
    case "project":
      return html`<a href="${base}/p/${String(value)}">${text}</a>`;
    case "doc":
      return html`<a href="${base}/docs/${String(value)}">${text}</a>`;
    case "multi_select":
      return Array.isArray(value) ? value.join(", ") : text;
    default:
      return html`<span dir="auto">${text}</span>`;
  }
}
