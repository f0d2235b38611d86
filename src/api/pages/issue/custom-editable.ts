import { html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import { choices, type Option, select, textField } from "../kit/fields.ts";
import { numberOf, orNull } from "../kit/typed.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { type Editable, editableOf, type Inputs } from "./editables.ts";
import { at } from "./read.ts";

/** The form of a custom field: what can be entered depends on the field's kind. */

const NAME = "value";
const BEGIN = "field-";

/** What a form of this name changes. */
export async function findEditable(site: Site, call: WorkspaceCall, name: string): Promise<Editable | undefined> {
  if (!name.startsWith(BEGIN)) return editableOf(name);
  const { data } = await site.list<CustomFieldDefView>(call, "custom-field-defs.list", {
    params: at(call),
    query: { limit: "100" },
  });
  const field = data.find(({ id }) => name === BEGIN + id);
  return field && customEditable(field);
}

function customEditable(field: CustomFieldDefView): Editable {
  const { id, name, kind } = field;
  const stored = (issue: Inputs["issue"]) => own(issue.custom_fields, id) ?? null;
  const choosing = kind === "user" ? "people" : kind === "project" ? "projects" : undefined;
  return {
    label: name,
    of: stored,
    fields: [`custom_field:${id}`],
    ...(choosing ? { choices: choosing } : {}),
    inputs: (form) => input(field, form, stored(form.issue)),
    body: (form) => ({
      custom_fields: { [id]: kind === "multi_select" ? nonEmpty(form.all(NAME)) : entered(kind, form.text(NAME)) },
    }),
  };
}

const nonEmpty = (chosen: string[]) => (chosen.length === 0 ? null : chosen);

function entered(kind: CustomFieldDefView["kind"], text: string): unknown {
  if (text === "") return null;
  if (kind === "number") return numberOf(text);
  return kind === "checkbox" ? text === "true" : orNull(text);
}

const TYPES: Partial<Record<CustomFieldDefView["kind"], string>> = { date: "date", url: "url" };

function input({ name: label, kind, options, description }: CustomFieldDefView, form: Inputs, stored: unknown) {
  const common = { name: NAME, label, prefix: "edit-", ...(description ? { hint: description } : {}) };
  const value = form.value(NAME, stored === null ? null : String(stored));
  const list = (all: readonly Option[]) => select({ ...common, value, options: all, none: "None" });
  switch (kind) {
    case "checkbox":
      return list([
        { value: "true", label: "Yes" },
        { value: "false", label: "No" },
      ]);
    case "select":
      return list(options.map(asOption));
    case "multi_select":
      return choices({
        ...common,
        options: options.map(asOption),
        values: form.values(NAME, Array.isArray(stored) ? stored.map(String) : []),
      });
    case "user":
    case "project":
      return list(form.options);
    case "number":
      return textField({ ...common, value, hint: description ?? "A number. Empty for none." });
    default:
      return html`${textField({ ...common, value, type: TYPES[kind] ?? "text" })}`;
  }
}

const asOption = (value: string): Option => ({ value, label: value });
