import type { Refusal } from "../../../domain/kernel/errors.ts";
import type { Html } from "../../../domain/kernel/html.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import { choices, select, textField, tick } from "../kit/fields.ts";
import { numberOf, type Values } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import type { Form } from "../site/forms.ts";
import { type Choices, peopleOf } from "./choices.ts";

/** Fields that the project has defined, in the form of a new issue. */

const nameOf = ({ id }: CustomFieldDefView) => `field-${id}`;

export function customInput(field: CustomFieldDefView, values: Values, all: Choices, refusal?: Refusal): Html {
  const { name: label, kind, options, required, applies_to, description } = field;
  const name = nameOf(field);
  const types = applies_to.length > 0 ? `Only for: ${applies_to.map(words).join(", ")}.` : "";
  const hint = [description ?? "", types].filter(Boolean).join(" ") || undefined;
  // What is required only warns in the API, and only of some types of issues.
  const about = { name, label: required ? `${label} (needed)` : label, ...(hint ? { hint } : {}), refusal };
  const value = values.of(name, String(field.default_value ?? ""));
  const listed = options.map((option) => ({ value: option, label: option }));
  if (kind === "select") return select({ ...about, value, options: listed, none: "None" });
  if (kind === "user") return select({ ...about, value, options: peopleOf(all), none: "Nobody" });
  if (kind === "multi_select") return choices({ ...about, options: listed, values: values.all(name, []) });
  if (kind === "checkbox") return tick({ ...about, checked: values.on(name, field.default_value === true) });
  const INPUTS = { number: "text", date: "date", url: "url" } as const;
  return textField({
    ...about,
    value,
    type: Object.hasOwn(INPUTS, kind) ? INPUTS[kind as keyof typeof INPUTS] : "text",
  });
}

/** The values that the form sets, of the fields that issues of this type have. */
export function customValues(fields: readonly CustomFieldDefView[], form: Form, type: string): Record<string, unknown> {
  const fitting = fields.filter(({ applies_to }) => applies_to.length === 0 || applies_to.some((one) => one === type));
  const pairs = fitting.map((field): [string, unknown] => {
    const name = nameOf(field);
    if (field.kind === "multi_select") return [field.id, form.all(name)];
    if (field.kind === "checkbox") return [field.id, form.text(name) === "" ? null : true];
    return [field.id, field.kind === "number" ? numberOf(form.text(name)) : form.text(name) || null];
  });
  return Object.fromEntries(
    pairs.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}
