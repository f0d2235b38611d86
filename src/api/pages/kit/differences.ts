import { HtmlSafeString } from "escape-html-template-tag";
import { counted } from "../../../domain/kernel/counted.ts";
import { escapeHtml, type Html, html } from "../../../domain/kernel/html.ts";

/** How two texts differ, line by line. */

type Line = { kind: "same" | "gone" | "new" | "skipped"; text: string };

/** Comparing takes the product of both lengths. Longer texts are shown as replaced from their first to their last difference. */
const MAX_PRODUCT = 200_000;
/** Unchanged lines around a change. */
const AROUND = 3;
/** Lines that are shown of a change. A text may have hundreds of thousands. */
const MOST = 2_000;

const linesOf = (kind: Line["kind"], texts: readonly string[]): Line[] => texts.map((text) => ({ kind, text }));

const skipped = (count: number, what: string): Line[] =>
  count > 0 ? [{ kind: "skipped", text: counted(count, what) }] : [];

/** The lines of both texts, in order, without most of the unchanged ones. What both begin and end with is not compared. */
function changesOf(before: string, after: string): Line[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const rest = old.length - end;
  return [
    ...skipped(start - AROUND, "unchanged line"),
    ...linesOf("same", old.slice(Math.max(0, start - AROUND), start)),
    ...compare(old.slice(start, rest), now.slice(start, now.length - end)),
    ...linesOf("same", old.slice(rest, rest + AROUND)),
    ...skipped(end - AROUND, "unchanged line"),
  ];
}

/** The longest common lines stay, the others are gone or new. */
function compare(old: readonly string[], now: readonly string[]): Line[] {
  if (old.length * now.length > MAX_PRODUCT || old.length + now.length > MOST) {
    return [...beginning("gone", old, "more removed line"), ...beginning("new", now, "more added line")];
  }
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
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
      lines.push({ kind: "gone", text: old[i++]! });
    else lines.push({ kind: "new", text: now[j++]! });
  }
  return [...lines, ...linesOf("gone", old.slice(i)), ...linesOf("new", now.slice(j))];
}

const beginning = (kind: Line["kind"], texts: readonly string[], rest: string): Line[] => [
  ...linesOf(kind, texts.slice(0, MOST / 2)),
  ...skipped(texts.length - MOST / 2, rest),
];

/** Without what is unchanged and not beside a change. */
function folded(lines: readonly Line[]): Line[] {
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries()) {
    if (kind !== "same") for (let n = -AROUND; n <= AROUND; n++) near.add(at + n);
  }
  const kept: Line[] = [];
  let far = 0;
  for (const [at, line] of lines.entries()) {
    if (!near.has(at)) far++;
    else {
      kept.push(...skipped(far, "unchanged line"), line);
      far = 0;
    }
  }
  return kept;
}

const SIGNS = { same: [" ", ""], gone: ["−", "Removed: "], new: ["+", "Added: "] } as const;

function shown({ kind, text }: Line): string {
  if (kind === "skipped") return `<div class="skipped">${text}</div>`;
  const [sign, words] = SIGNS[kind];
  const said = words === "" ? "" : `<span class="out">${words}</span>`;
  return `<div class="${kind}"><span aria-hidden="true">${sign}</span>${said}<span dir="auto">${escapeHtml(text)}</span></div>`;
}

/** The changed lines with a few around them. Signs say what colours say. */
export function differences(before: string, after: string): Html {
  if (before === after) return html`<p class="quiet">The texts are the same.</p>`;
  const lines = folded(changesOf(before, after));
  return html`<div class="differences" tabindex="0" role="region" aria-label="Differences">${new HtmlSafeString([lines.map(shown).join("")], [])}</div>`;
}
