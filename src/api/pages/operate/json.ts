import { Refusal, refuseField } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { parseStorable } from "../../http/body.ts";
import { codeArea, jsonToEdit } from "../kit/code.ts";
import { PROBLEM_ID, showsTyped } from "../site/field-state.ts";
import type { Form } from "../site/forms.ts";

/** Objects that people edit as JSON, with what is wrong beside it. */

/** Name of the text area. */
const FIELD = "definition";

/** The object that the form contains. @throws Refusal validation_failed */
export function readJson(form: Form): Record<string, unknown> {
  const read = parsed(form.text(FIELD));
  if (read === null || typeof read !== "object" || Array.isArray(read))
    return refuseField("/", "pattern", "A JSON object is needed.");
  return read as Record<string, unknown>;
}

/** @throws Refusal validation_failed */
function parsed(text: string): unknown {
  try {
    return parseStorable(text);
  } catch (error) {
    if (!(error instanceof Refusal) || error.is("validation_failed")) throw error;
    const why = error.message
      .replace(/^The body is not valid JSON/, "This is not JSON")
      .replace(/^The body/, "The JSON");
    return refuseField("/", "pattern", why.endsWith(".") ? why : `${why}.`);
  }
}

type Problem = { path: string; message: string };

/** What a refusal names, or the refusal itself. */
export function problemsOf({ message, details }: Refusal): Problem[] {
  const all = (details.errors ?? details.problems ?? []) as Problem[];
  return all.length > 0 ? all : [{ path: "", message }];
}

const problemList = (problems: readonly Problem[]): Html =>
  html`<div class="notice bad" role="alert"><p class="as-label" id="${PROBLEM_ID}">Not saved as it is</p><ul>${problems.map(
    ({ path, message }) => html`<li>${path.length > 1 ? html`<code>${path}</code> ` : ""}${message}</li>`,
  )}</ul></div>`;

export type JsonField = {
  label: string;
  value: object;
  /** Text beside the field while nothing is wrong. */
  hint: Html;
  rows?: number;
  /** The form that was refused, with what was wrong. */
  sent?: { form: Form; refusal: Refusal } | undefined;
};

export const jsonField = ({ label, value, hint, rows = 24, sent }: JsonField): Html =>
  codeArea(
    {
      name: FIELD,
      label,
      required: true,
      rows,
      value: sent && showsTyped(sent.refusal) ? sent.form.text(FIELD) : jsonToEdit(value),
    },
    sent ? problemList(problemsOf(sent.refusal)) : hint,
  );
