import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";

/** Id of the error box; see problemBox. */
export const PROBLEM_ID = "problem";

/**
 * Accessibility attributes of a form's input: whether it is invalid, and what describes it.
 * @param field as the error names it
 * @param hint id of the text below the input
 */
export function fieldState(refusal: Refusal | undefined, field: string, hint?: string): Html {
  const errors = (refusal?.details.errors ?? []) as { path: string }[];
  const paths = [...errors.map(({ path }) => path), refusal?.details.path];
  const refused = paths.some((path) => path === `/${field}` || String(path).startsWith(`/${field}/`));
  const described = [refused ? PROBLEM_ID : "", hint ?? ""].filter(Boolean).join(" ");
  return html`${refused ? html` aria-invalid="true"` : ""}${described ? html` aria-describedby="${described}"` : ""}`;
}
