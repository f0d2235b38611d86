import { type Html, html } from "../../../domain/kernel/html.ts";
import { type Field, textArea } from "./fields.ts";

/** Texts of programs: shown as they are, and edited. */

export const code = (label: string, text: string): Html =>
  html`<pre class="sample" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;

/** JSON with lines and indents; any other text as it is. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A text area for JSON, with what is wrong beside it (below it on a narrow screen). */
export const codeArea = (field: Field & { rows?: number }, beside: Html): Html =>
  html`<div class="code-area"><div>${textArea(field)}</div><div>${beside}</div></div>`;
