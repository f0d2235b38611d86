import { type Html, html } from "../../../domain/kernel/html.ts";
import { hashSecret } from "../../../domain/kernel/secrets.ts";
import { isChecked, maxCharacters, ratingBounds } from "../../../domain/work/forms/answers.ts";
import type { FormField, FormRow } from "../../../domain/work/forms/rows.ts";
import { conditionOf } from "../../../domain/work/forms/visibility.ts";
import { longest } from "../longest.ts";

/** The fields of a public form, each with its label, help text and error. */

/** The name of a field's input. It is stable and does not reveal the field's id. */
export const nameOf = (form: FormRow, field: FormField): string =>
  `q${hashSecret(`${form.id} ${field.id}`).toString("hex").slice(0, 12)}`;

export type Shown = {
  name: string;
  /** The entered values, or the default. */
  values: string[];
  /** The first of them as HTML. */
  text: Html;
  error: string | null;
};

/** One field. A field with a condition is never required by the browser; the server checks it. */
export function fieldHtml(form: FormRow, field: FormField, shown: Shown): Html {
  const condition = conditionOf(field, form.fields);
  if (field.kind === "section") return section(field, condition);
  const parts = { ...shown, condition, demanded: field.required && condition === null };
  return RENDER[field.kind](field, parts);
}

type Parts = Shown & { condition: string | null; demanded: boolean };
type Render = (field: FormField, parts: Parts) => Html;

const input =
  (type: string, more: (field: FormField) => Html | string = () => ""): Render =>
  (field, parts) =>
    labelled(
      field,
      parts,
      html`<input id="${parts.name}" name="${parts.name}" type="${type}" value="${parts.text}"${placeholder(field)}${more(field)}${state(parts, field)}>`,
    );

const bounded = (field: FormField) => longest(maxCharacters(field));

const RENDER: Record<Exclude<FormField["kind"], "section">, Render> = {
  short_text: input("text", bounded),
  email: input("email", (field) => html`${bounded(field)} autocomplete="email"`),
  phone: input("tel", (field) => html`${bounded(field)} autocomplete="tel"`),
  url: input("url", bounded),
  number: input("number", (field) => html` step="any"${bound("min", field.min_value)}${bound("max", field.max_value)}`),
  date: input("date"),
  long_text: (field, parts) =>
    // A line break directly after the tag would be dropped.
    labelled(
      field,
      parts,
      html`<textarea id="${parts.name}" name="${parts.name}" rows="6"${bounded(field)}${placeholder(field)}${state(parts, field)}>\n${parts.text}</textarea>`,
    ),
  select: (field, parts) =>
    labelled(
      field,
      parts,
      html`<select id="${parts.name}" name="${parts.name}"${state(parts, field)}>
        <option value="">${field.placeholder ?? "Choose…"}</option>
        ${field.options.map((option) => html`<option value="${option}"${parts.values.includes(option) ? html` selected` : ""}>${option}</option>`)}
      </select>`,
    ),
  radio: (field, parts) => group(field, parts, "radio", field.options),
  multi_select: (field, parts) => group(field, parts, "checkbox", field.options),
  rating(field, parts) {
    const { min, max } = ratingBounds(field);
    const steps = Array.from({ length: max - min + 1 }, (_, step) => String(min + step));
    return group(field, parts, "radio", steps, "steps");
  },
  checkbox: (field, parts) => html`<div class="field">
    <div class="choice"><input type="checkbox" id="${parts.name}" name="${parts.name}" value="true"${isOn(parts) ? html` checked` : ""}${state(parts, field)}>
    <label for="${parts.name}">${field.label}${must(field)}</label></div>${hint(field, parts)}${error(parts)}</div>`,
  file: (field, parts) => {
    const [lost] = parts.values;
    const again = lost
      ? html`<p class="hint">Please choose ${lost} again: files are stored only when the form is sent.</p>`
      : "";
    const control = html`<input id="${parts.name}" name="${parts.name}" type="file"${state(parts, field)}>`;
    return labelled(field, parts, html`${again}${control}`);
  },
};

const isOn = ({ values }: Parts) => isChecked(values[0]) === true;

const section = (field: FormField, condition: string | null): Html =>
  html`<div class="section"><h2>${field.label}</h2>${condition ? html`<p class="condition">${condition}</p>` : ""}${field.help_text ? html`<p class="quiet written">${field.help_text}</p>` : ""}</div>`;

const labelled = (field: FormField, parts: Parts, control: Html): Html =>
  html`<div class="field"><label for="${parts.name}">${field.label}${must(field)}</label>${hint(field, parts)}${control}${error(parts)}</div>`;

/** Several checkboxes or radio buttons. Links in the error summary lead to the first one. */
function group(field: FormField, parts: Parts, type: "radio" | "checkbox", options: string[], layout = "list"): Html {
  const { name, values, demanded } = parts;
  const described = describedBy(field, parts);
  const choice = (option: string, index: number) => html`<div class="choice">
    <input type="${type}" id="${index === 0 ? name : `${name}-${index}`}" name="${name}" value="${option}"${values.includes(option) ? html` checked` : ""}${demanded && type === "radio" ? html` required` : ""}${parts.error ? html` aria-invalid="true"` : ""}>
    <label for="${index === 0 ? name : `${name}-${index}`}">${option}</label></div>`;
  return html`<fieldset class="${parts.error ? "wrong" : ""}"${described}><legend>${field.label}${must(field)}</legend>
    ${hint(field, parts)}<div class="${layout}">${options.map(choice)}</div>${error(parts)}</fieldset>`;
}

const must = (field: FormField): Html | string => (field.required ? html` <span class="must">required</span>` : "");
const placeholder = (field: FormField) => (field.placeholder ? html` placeholder="${field.placeholder}"` : "");
const bound = (which: string, value: number | null) => (value === null ? "" : html` ${which}="${value}"`);

const state = (parts: Parts, field: FormField): Html =>
  html`${parts.demanded ? html` required` : ""}${parts.error ? html` aria-invalid="true"` : ""}${describedBy(field, parts)}`;

function describedBy(field: FormField, { name, error: wrong, condition }: Parts): Html | string {
  const ids = [condition ? `${name}-when` : "", field.help_text ? `${name}-hint` : "", wrong ? `${name}-error` : ""];
  const all = ids.filter(Boolean).join(" ");
  return all ? html` aria-describedby="${all}"` : "";
}

const hint = (field: FormField, { name, condition }: Parts): Html =>
  html`${condition ? html`<p class="condition" id="${name}-when">${condition}</p>` : ""}${field.help_text ? html`<p class="hint written" id="${name}-hint">${field.help_text}</p>` : ""}`;

const error = ({ name, error: wrong }: Parts): Html | string =>
  wrong ? html`<p class="error" id="${name}-error">${wrong.slice(0, 1).toUpperCase()}${wrong.slice(1)}.</p>` : "";
