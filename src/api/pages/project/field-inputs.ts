import { type Html, html } from "../../../domain/kernel/html.ts";
import { FIELD_KINDS } from "../../../domain/work/fields/rows.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import type { People } from "../issue/read.ts";
import { choices, hidden, select, textArea, textField, tick } from "../kit/fields.ts";
import { long, numberOf, orNull, type Values } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { TYPES } from "./choices.ts";

/** What defines a field of a project: its kind, its choices or limits, and the value of new issues. */

type About = { values: Values; prefix: string; people: People };

export function fieldInputs(field: CustomFieldDefView | null, about: About): Html {
  const { values, prefix } = about;
  const { refusal } = values;
  const hasOptions = !field || field.options.length > 0;
  // The kind of a field that has values is fixed.
  const isFixed = field !== null && field.value_count > 0;
  const limit = (name: "min" | "max" | "precision", label: string) =>
    textField({ name, label, value: values.of(name, field?.[name]), prefix, refusal });
  return html`${field ? hidden("was", field.kind) : ""}
    ${isFixed ? "" : select({ name: "kind", label: "Kind", required: true, options: FIELD_KINDS.map((value) => ({ value, label: words(value) })), value: values.of("kind", field?.kind ?? "text"), prefix, refusal })}
    ${hasOptions ? textArea({ name: "options", label: "Choices", rows: 4, value: values.of("options", field?.options.join("\n")), hint: "One a line, for fields to select from.", prefix, refusal }) : ""}
    ${field?.kind === "number" ? html`<div class="pairs">${limit("min", "At least")}${limit("max", "At most")}${limit("precision", "Decimals")}</div>` : ""}
    ${field ? defaultInput(field, about) : ""}
    ${choices({ name: "applies_to", label: "Only for (none: for all)", options: TYPES, values: values.all("applies_to", field?.applies_to ?? []), prefix, refusal })}
    ${tick({ name: "required", label: "Needed", checked: values.on("required", field?.required ?? false), prefix })}`;
}

/** Projects and docs are chosen by programs only. */
function defaultInput(field: CustomFieldDefView, { values, prefix, people }: About): Html | string {
  const { kind, options, default_value: stored } = field;
  const about = { name: "default_value", label: "In new issues", prefix, refusal: values.refusal };
  const value = values.of("default_value", String(stored ?? ""));
  const listed = options.map((option) => ({ value: option, label: option }));
  if (kind === "project" || kind === "doc") return "";
  if (kind === "select") return select({ ...about, value, options: listed, none: "None" });
  if (kind === "multi_select") {
    return choices({
      ...about,
      options: listed,
      values: values.all("default_value", Array.isArray(stored) ? stored.map(String) : []),
    });
  }
  if (kind === "checkbox")
    return tick({ ...about, label: "Ticked in new issues", checked: values.on("default_value", stored === true) });
  if (kind === "user") {
    const all = [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? "Someone" }));
    return select({ ...about, value, options: all, none: "Nobody" });
  }
  return textField({ ...about, value, type: kind === "date" ? "date" : "text" });
}

export function fieldBody({ form }: WorkspaceCall): object {
  const [kind, was] = [form.text("kind") || form.text("was"), form.text("was")];
  const options = long(form.text("options"))
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const isSame = kind === was;
  const hasDefault = isSame && kind !== "project" && kind !== "doc";
  return {
    name: form.text("name"),
    ...(isSame ? {} : { kind }),
    ...(options.length === 0 ? {} : { options }),
    ...(isSame && kind === "number"
      ? {
          min: numberOf(form.text("min")),
          max: numberOf(form.text("max")),
          precision: numberOf(form.text("precision")),
        }
      : {}),
    ...(hasDefault ? { default_value: defaultOf(kind, form.all("default_value")) } : {}),
    applies_to: form.all("applies_to"),
    required: form.text("required") !== "",
    description: orNull(form.text("description")),
  };
}

function defaultOf(kind: string, all: readonly string[]): unknown {
  const text = (all[0] ?? "").trim();
  if (kind === "multi_select") return all.length > 0 ? all : null;
  if (kind === "checkbox") return text === "" ? null : true;
  return kind === "number" ? numberOf(text) : orNull(text);
}
