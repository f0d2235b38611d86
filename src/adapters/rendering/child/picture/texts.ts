import { SEGMENTS, shareOf } from "../../../../domain/kernel/text-width.ts";

/** Texts in pictures: how they are cut, and written as XML. */

/** Cuts a text to a width in pixels, and shows that it was cut. */
export function cutTo(text: string, size: number, width: number): string {
  // Longer texts never fit.
  const given = [...SEGMENTS.segment(text.slice(0, 400))].map(({ segment }) => segment);
  let [used, fitting, fittingCut] = [0, 0, 0];
  for (const segment of given) {
    used += shareOf(segment) * size;
    if (used + shareOf("…") * size <= width) fittingCut++;
    if (used > width) break;
    fitting++;
  }
  return fitting === given.length && text.length <= 400 ? text : `${given.slice(0, fittingCut).join("").trimEnd()}…`;
}

/** What XML does not allow, and marks that change the direction of the text around. */
const REMOVED = /[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu;
const ESCAPED = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** One line of text without marks and characters that are not shown. */
export const plain = (text: string): string => text.toWellFormed().replace(/\s+/g, " ").replace(REMOVED, "").trim();

/** A text as XML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPED.get(character)!);
