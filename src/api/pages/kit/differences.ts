import { escapeHtml, type Html, html } from "../../../domain/kernel/html.ts";
import { raw } from "./written.ts";

/** How two texts differ, line by line. */

export type Line = { kind: "same" | "gone" | "new"; text: string };

/** Comparing takes the product of both lengths. Longer texts are shown as replaced from their first to their last difference. */
const MAX_PRODUCT = 1_000_000;
/** Unchanged lines around a change. */
const AROUND = 3;

/** The lines of both texts, in order. What both begin and end with is not compared. */
export function linesOf(before: string, after: string): Line[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const lines = (kind: Line["kind"], texts: string[]) => texts.map((text) => ({ kind, text }));
  return [
    ...lines("same", old.slice(0, start)),
    ...compare(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...lines("same", end === 0 ? [] : old.slice(-end)),
  ];
}

/** The longest common lines stay, the others are gone or new. */
function compare(old: readonly string[], now: readonly string[]): Line[] {
  const gone = (text: string): Line => ({ kind: "gone", text });
  const added = (text: string): Line => ({ kind: "new", text });
  if (old.length * now.length > MAX_PRODUCT) return [...old.map(gone), ...now.map(added)];
  const width = now.length + 1;
  // The number of common lines from each pair of lines on.
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ kind: "same", text: old[i]! });
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) lines.push(gone(old[i++]!));
    else lines.push(added(now[j++]!));
  }
  return [...lines, ...old.slice(i).map(gone), ...now.slice(j).map(added)];
}

const SIGNS = { same: [" ", ""], gone: ["−", "Removed: "], new: ["+", "Added: "] } as const;

/** The changed lines with a few around them. Signs say what colours say. */
export function differences(before: string, after: string): Html {
  const lines = linesOf(before, after);
  const changed = lines.flatMap(({ kind }, at) => (kind === "same" ? [] : [at]));
  if (changed.length === 0) return html`<p class="quiet">The texts are the same.</p>`;
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * AROUND + 1 }, (_, n) => at - AROUND + n)));
  let skipped = 0;
  const parts: string[] = [];
  const rest = () => {
    if (skipped > 0) parts.push(`<div class="skipped">${skipped} unchanged ${skipped === 1 ? "line" : "lines"}</div>`);
    skipped = 0;
  };
  for (const [at, { kind, text }] of lines.entries()) {
    if (!near.has(at)) {
      skipped++;
      continue;
    }
    rest();
    const [sign, words] = SIGNS[kind];
    const said = words === "" ? "" : `<span class="out">${words}</span>`;
    parts.push(
      `<div class="${kind}"><span aria-hidden="true">${sign}</span>${said}<span dir="auto">${escapeHtml(text)}</span></div>`,
    );
  }
  rest();
  return html`<div class="differences" tabindex="0" role="region" aria-label="Differences">${raw(parts.join(""))}</div>`;
}
