import { type Html, html } from "../../../domain/kernel/html.ts";
import { type Field, textArea } from "./fields.ts";

/** Texts of programs: shown as they are, and edited. */

export const code = (label: string, text: string): Html =>
  html`<pre class="sample" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;

/** Characters of a text of a program that a page shows. */
const MOST_SHOWN = 20_000;
const REST = "\n… The rest is too long for a page. The API returns all of it.";

const beginning = (text: string): string =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}${REST}` : text;

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?|\{\}|\[\]|[{}[\],:]|[^"{}[\],:]+/gs;

/**
 * Lays compact JSON out, with lines and indents, until the result is longer than `most`. JSON.stringify would lay out all of
 * it: a few KiB that are nested deeply become many MiB.
 */
function laidOutUpTo(compact: string, most: number): string {
  let text = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of compact.slice(0, most + 1).matchAll(TOKENS)) {
    if (text.length > most) break;
    if (token === "{" || token === "[") {
      depth++;
      text += token + line();
    } else if (token === "}" || token === "]") {
      depth = Math.max(0, depth - 1);
      text += line() + token;
    } else if (token === ",") text += token + line();
    else text += token === ":" ? ": " : token;
  }
  return text;
}

/** JSON with lines and indents. A long one's beginning. */
export const jsonShown = (value: unknown): string => beginning(laidOutUpTo(JSON.stringify(value), MOST_SHOWN));

/** JSON with lines and indents, to edit: all of it. If indents would be most of it, it has none. */
export function jsonToEdit(value: unknown): string {
  const compact = JSON.stringify(value);
  const most = Math.max(MOST_SHOWN, 4 * compact.length);
  const text = laidOutUpTo(compact, most);
  return text.length > most ? compact : text;
}

/** JSON with lines and indents; any other text as it is. A long one's beginning. */
export function laidOut(text: string): string {
  if (text.length > MOST_SHOWN) return beginning(/^\s*[{[]/.test(text) ? laidOutUpTo(text, MOST_SHOWN) : text);
  try {
    return jsonShown(JSON.parse(text));
  } catch {
    return text;
  }
}

/** A text area for JSON, with what is wrong beside it (below it on a narrow screen). */
export const codeArea = (field: Field & { rows?: number }, beside: Html): Html =>
  html`<div class="code-area"><div>${textArea(field)}</div><div>${beside}</div></div>`;
