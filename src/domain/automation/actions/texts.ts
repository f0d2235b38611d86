import { lengthOf, shorten, withoutTrailing } from "../../kernel/text.ts";
import { filled, inMarkdown, PATHS, unknownPaths } from "../templates/template.ts";
import type { Running } from "./action.ts";
import type { Problem } from "./define.ts";

/** Texts of actions, with values in the place of paths. */

/** A text without Markdown, such as a title or a prompt. A longer one is shortened. */
export function plainText(template: string, { values }: Running, max: number): string {
  return shorten(filled(template, values, bounded(max)), max);
}

/** A text in Markdown. Values that people chose stay plain text in it: they neither mention people nor add links. */
export function markdown(template: string, { values }: Running, max: number): string {
  const cut = bounded(max);
  const whole = filled(template, values, (value, path) => inMarkdown(cut(value), path));
  // A backslash at the end would escape the ellipsis.
  return whole.length <= max ? whole : `${withoutTrailing(shorten(whole, max).slice(0, -1), "\\")}…`;
}

/** Cuts values so that all of them together are little longer than `max`: a text may name a long value many times. */
function bounded(max: number) {
  let room = max;
  return (value: string) => {
    const cut = room <= 0 ? "" : shorten(value, room + 1);
    room -= cut.length;
    return cut;
  };
}

/** The problem of a text that names paths which do not exist. */
export function pathProblems(path: string, text: string | null | undefined): Problem[] {
  const [unknown] = unknownPaths(text ?? "");
  if (unknown === undefined) return [];
  const named = lengthOf(unknown) > 50 ? "This path" : `{{${unknown}}}`;
  return [{ path, code: "not_allowed", message: `${named} does not exist. Use one of: ${PATHS.join(", ")}.` }];
}
