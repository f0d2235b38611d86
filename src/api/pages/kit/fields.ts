import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { fieldError, fieldState, PROBLEM_ID } from "../site/field-state.ts";

/** Inputs of forms: a label, the input, a hint, and what was wrong with it. */

export type Field = {
  /** As the API names it. */
  name: string;
  label: string;
  value?: string | number | null;
  hint?: string;
  required?: boolean;
  refusal?: Refusal | undefined;
  /** Tells fields of the same name apart on one page. */
  prefix?: string;
};

const idOf = ({ name, prefix = "" }: Field) => `${prefix}${name}`;

function wrap(field: Field, input: Html): Html {
  const id = idOf(field);
  return html`<div class="field"><label for="${id}">${field.label}${field.required ? "" : html` <span class="must">optional</span>`}</label>
    ${input}${errorLine(field)}${field.hint ? html`<p class="hint" id="${id}-hint">${field.hint}</p>` : ""}</div>`;
}

/** What was wrong with it stands at the field, too. */
function errorLine({ name, refusal, prefix = "" }: Field): Html | string {
  const line = fieldError(refusal, name);
  return line === null ? "" : html`<p class="error" id="${prefix}${name}-error">${line}</p>`;
}

const stateOf = (field: Field, hint?: string): Html => {
  const id = fieldError(field.refusal, field.name) === null ? PROBLEM_ID : `${idOf(field)}-error`;
  return fieldState(field.refusal, field.name, hint, id);
};

const common = (field: Field): Html => {
  const id = idOf(field);
  return html` id="${id}" name="${field.name}"${field.required ? html` required` : ""}${stateOf(field, field.hint ? `${id}-hint` : undefined)}`;
};

/** Browsers refuse addresses with letters of other scripts in fields of the type `email`. */
export const typeOf = (type = "text"): Html =>
  type === "email" ? html`type="text" inputmode="email"` : html`type="${type}"`;

/** A line of text, or what `type` says: a day, a number, a colour. */
export const textField = (
  field: Field & { type?: string; max?: number; placeholder?: string; autofocus?: boolean },
): Html =>
  wrap(
    field,
    html`<input ${typeOf(field.type)}${common(field)} value="${field.value ?? ""}"${field.max ? html` maxlength="${field.max}"` : ""}${field.placeholder ? html` placeholder="${field.placeholder}"` : ""}${field.autofocus ? html` autofocus` : ""}>`,
  );

/** The line break after the tag is not part of the value; the value's own first one would be lost without it. */
export const textArea = (field: Field & { rows?: number; max?: number }): Html =>
  wrap(
    field,
    html`<textarea${common(field)} rows="${field.rows ?? 6}"${field.max ? html` maxlength="${field.max}"` : ""}>
${field.value ?? ""}</textarea>`,
  );

export type Option = { value: string; label: string };

/**
 * A list may have only its first hundred things, or only those that are left. What is stored and not among them must not
 * be lost because somebody saves another field of the form.
 */
const withChosen = (options: readonly Option[], chosen: readonly string[]): readonly Option[] => [
  ...options,
  ...chosen
    .filter((one) => one !== "" && !options.some(({ value }) => value === one))
    .map((value) => ({ value, label: "As it is now" })),
];

/** One of a list. `none`: the choice of nothing; without it, something is always chosen. */
export const select = (field: Field & { options: readonly Option[]; none?: string }): Html =>
  wrap(
    field,
    html`<select${common(field)}>${field.none === undefined ? "" : html`<option value="">${field.none}</option>`}${withChosen(
      field.options,
      [String(field.value ?? "")],
    ).map(
      ({ value, label }) =>
        html`<option value="${value}"${value === String(field.value ?? "") ? html` selected` : ""}>${label}</option>`,
    )}</select>`,
  );

/** Several of a list. */
export const choices = (
  field: Omit<Field, "value"> & { options: readonly Option[]; values: readonly string[] },
): Html =>
  html`<fieldset${stateOf(field)}><legend>${field.label}</legend>${withChosen(field.options, field.values).map(
    ({ value, label }, n) => {
      const id = `${idOf(field)}-${n}`;
      return html`<div class="choice"><input type="checkbox" id="${id}" name="${field.name}" value="${value}"${field.values.includes(value) ? html` checked` : ""}><label for="${id}">${label}</label></div>`;
    },
  )}${errorLine(field)}</fieldset>`;

/** One of a few, each with a word about it. */
export const radios = (field: Field & { options: readonly (Option & { hint?: string })[] }): Html =>
  html`<fieldset class="few"${stateOf(field)}><legend>${field.label}</legend>${field.options.map(
    ({ value, label, hint }, n) => {
      const id = `${idOf(field)}-${n}`;
      return html`<div class="choice"><input type="radio" id="${id}" name="${field.name}" value="${value}"${value === String(field.value ?? "") ? html` checked` : ""}${hint ? html` aria-describedby="${id}-hint"` : ""}><div><label for="${id}">${label}</label>${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ""}</div></div>`;
    },
  )}${errorLine(field)}</fieldset>`;

/** Yes or no. */
export const tick = (field: Omit<Field, "value"> & { checked: boolean }): Html => {
  const id = idOf(field);
  return html`<div class="choice"><input type="checkbox" id="${id}" name="${field.name}" value="true"${field.checked ? html` checked` : ""}${stateOf(field, field.hint ? `${id}-hint` : undefined)}><div><label for="${id}">${field.label}</label>${field.hint ? html`<p class="hint" id="${id}-hint">${field.hint}</p>` : ""}${errorLine(field)}</div></div>`;
};

/** A value that the person does not see. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;
