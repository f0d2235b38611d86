import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import { FORM_FIELD_KINDS, MAPPINGS } from "../../../domain/work/forms/rows.ts";
import type { FormFieldView, FormSubmissionView, FormView } from "../../../domain/work/forms/view.ts";
import { conditionOf } from "../../../domain/work/forms/visibility.ts";
import { hidden, select, textArea, textField } from "../kit/fields.ts";
import { act, adding, crumbs, facts, fold } from "../kit/pieces.ts";
import { type Values, valuesOf } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { type Choices, readChoices } from "../project/choices.ts";
import { named, PROJECT, pathOf, readProject } from "../project/head.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import type { Form } from "../site/forms.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { answersOf, readSenders } from "./form-answers.ts";
import { ruleFields, ruleSaid } from "./form-rule.ts";
import { accessInWords, moreOfField, moreSaid, PARTS, type Part, settingsForms } from "./form-settings.ts";
import { formState } from "./forms.ts";

/** A form: its questions in order, where it is answered, its answers, and its settings. */

const PATH = `${PROJECT}/forms/:id`;
const at = (call: WorkspaceCall) => `${pathOf(call)}/forms/${encodeURIComponent(call.params.id ?? "")}`;

const atForm = (call: WorkspaceCall) => ({ ...named(call), id: call.params.id ?? "" });

export function formPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  const change = (body: (form: Form) => object, said: string) => ({
    operation: "forms.patch",
    input: (call: WorkspaceCall) => ({ params: named(call), body: body(call.form) }),
    to: at,
    said,
  });
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    change: change(PARTS.change, "The form is changed."),
    access: change(PARTS.access, "The form is changed."),
    issue: change(PARTS.issue, "The form is changed."),
    status: change((form) => ({ status: form.text("status") }), "The form is changed."),
    public: change((form) => ({ public_enabled: form.text("public_enabled") === "true" }), "The form is changed."),
    fields: {
      operation: "forms.patch",
      input: async (call) => {
        const { fields } = await site.perform<FormView>(call, "forms.get", { params: atForm(call) });
        return { params: named(call), body: { fields: fieldsOf(call.form, fields) } };
      },
      to: at,
      said: "The questions are changed.",
    },
    link: {
      operation: "forms.rotate-link",
      input: (call) => ({ params: named(call) }),
      to: at,
      said: "The form has a new address.",
    },
    delete: {
      operation: "forms.delete",
      input: (call) => ({ params: named(call) }),
      to: (call) => `${pathOf(call)}/forms`,
      said: "The form is deleted.",
    },
  });
}

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** All questions in their order: `order` names those that stay, and the form may change one or add one. */
function fieldsOf(form: Form, all: readonly FormFieldView[]): object[] {
  const edited = form.text("field");
  const said = {
    label: form.text("label"),
    required: form.text("required") === "yes",
    help_text: form.text("help_text") || null,
    options: lines(form.text("options")),
    mapping: form.text("mapping"),
    ...moreSaid(form),
    ...ruleSaid(form, all),
  };
  const kept = form.text("order").split(",").filter(Boolean);
  const fields: object[] = kept.map((id) => (id === edited ? { id, ...said } : { id }));
  return edited === "new" ? [...fields, { kind: form.text("kind"), ...said }] : fields;
}

/** Guests see a form without its answers. */
function forMembersOnly(error: unknown): null {
  if (refusalOf(error).status === 403) return null;
  throw error;
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = atForm(call);
  const [project, form, answers] = await Promise.all([
    readProject(site, call),
    site.perform<FormView>(call, "forms.get", { params }),
    site
      .list<FormSubmissionView>(call, "forms.submissions", {
        params,
        query: { limit: "50", cursor: call.query("cursor") },
      })
      .catch(forMembersOnly),
  ]);
  const base = at(call);
  const editing = isAdmin(call.here.principal.role) ? await readEditing(site, call, refusal) : null;
  return {
    title: form.title,
    status: refusal?.status ?? 200,
    body: html`${crumbs([pathOf(call), project.name], [`${pathOf(call)}/forms`, "Forms"])}
      <div class="headline"><h1>${form.title}</h1>${formState(form)}</div>${refusal ? problemBox(refusal) : ""}
      ${form.description ? html`<p>${form.description}</p>` : ""}
      ${facts([
        [
          "Address",
          form.share_url
            ? html`<a class="broken" href="${form.share_url}">${form.share_url}</a>`
            : "Only within Muster",
        ],
        ["Who answers", accessInWords(form)],
        ["Makes", `${words(form.issue_type)}, priority ${form.priority}`],
        ["Answers", String(form.submission_count)],
      ])}
      ${editing ? steering(form, base) : ""}
      <section><h2>Questions</h2><ol class="rows">${form.fields.map((field) => question(field, form, base, editing))}</ol>
      ${editing ? adding("Add a question", fieldForm(form, base, editing), { open: refusal !== undefined && call.form.text("field") === "new" }) : ""}</section>
      ${answers ? answersOf(answers, form, { call, base }, await readSenders(site, call, answers.data)) : ""}
      ${editing ? settings(form, base, editing) : ""}`,
  };
}

/** What the forms of the page offer, and what was typed into the one that was refused. */
async function readEditing(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<Editing> {
  const [all, fields] = await Promise.all([
    readChoices(site, call),
    site.list<CustomFieldDefView>(call, "custom-field-defs.list", { params: named(call) }),
  ]);
  const sent = call.request.path.slice(call.request.path.lastIndexOf("/") + 1);
  const refused = sent === "fields" ? `field ${call.form.text("field")}` : sent;
  const open = (Object.keys(PARTS) as Part[]).find((part) => refusal && part === refused) ?? null;
  const values = (part: string) => valuesOf(call.form, part === refused ? refusal : undefined);
  return { values, open, choices: all, fields: fields.data };
}

function steering(form: FormView, base: string): Html {
  const to = form.status === "published" ? "closed" : "published";
  return html`<div class="acts">${act(`${base}/status`, to === "published" ? "Publish" : "Close", { second: to === "closed", fields: hidden("status", to) })}
    ${act(`${base}/public`, form.public_enabled ? "Take the page away" : "Give it a page", { fields: hidden("public_enabled", String(!form.public_enabled)) })}</div>`;
}

/** A form with one button that puts the questions into another order. */
function reorder(form: FormView, base: string, order: readonly string[], label: string, name: string): Html {
  return act(`${base}/fields`, label, {
    fields: html`${revisionField(form)}${hidden("order", order.join(","))}`,
    name,
  });
}

function question(field: FormFieldView, form: FormView, base: string, editing: Editing | null): Html {
  const ids = form.fields.map(({ id }) => id);
  const place = ids.indexOf(field.id);
  const before = ids.with(place, ids[place - 1] ?? field.id).with(Math.max(place - 1, 0), field.id);
  const condition = conditionOf(field, form.fields);
  return html`<li><p><strong>${field.label}</strong>${field.required ? "" : html` <span class="must">optional</span>`}</p>
    <p class="quiet">${words(field.kind)}${field.mapping === "none" ? "" : `, becomes the issue's ${field.mapping}`}${field.options.length > 0 ? `: ${field.options.join(", ")}` : ""}${boundsOf(field)}</p>
    ${condition ? html`<p class="quiet">${condition}.</p>` : ""}
    ${
      editing
        ? html`<div class="acts">${place > 0 ? reorder(form, base, before, "Up", `Move ${field.label} up`) : ""}
          ${askFirst({ ask: "Remove", about: field.label, action: `${base}/fields`, consequence: "Its answers stay in their issues.", confirm: `Remove ${field.label}`, fields: html`${revisionField(form)}${hidden("order", ids.filter((id) => id !== field.id).join(","))}` })}</div>
          ${fold(html`Edit<span class="out"> ${field.label}</span>`, fieldForm(form, base, editing, field), { open: editing.values(`field ${field.id}`).refusal !== undefined })}`
        : ""
    }</li>`;
}

/** What an answer must keep to, and what it begins with. */
const boundsOf = ({ min_value: min, max_value: max, max_length: most, default_value: begins }: FormFieldView): string =>
  [
    min === null ? "" : `at least ${min}`,
    max === null ? "" : `at most ${max}`,
    most === null ? "" : `at most ${counted(most, "character")}`,
    begins === null ? "" : `begins with “${begins}”`,
  ]
    .filter(Boolean)
    .map((one) => `; ${one}`)
    .join("");

const options = (values: readonly string[]) => values.map((value) => ({ value, label: words(value) }));

function fieldForm(form: FormView, base: string, editing: Editing, field?: FormFieldView): Html {
  const values = editing.values(`field ${field?.id ?? "new"}`);
  const { of, on, refusal } = values;
  const prefix = `${field?.id ?? "new"}-`;
  return html`<form method="post" action="${base}/fields">${revisionField(form)}${hidden("order", form.fields.map(({ id }) => id).join(","))}${hidden("field", field?.id ?? "new")}
    ${textField({ name: "label", label: "Question", required: true, max: 200, value: of("label", field?.label), refusal, prefix })}
    ${field ? "" : select({ name: "kind", label: "Kind", required: true, value: of("kind", ""), options: options(FORM_FIELD_KINDS), refusal, prefix })}
    ${textField({ name: "help_text", label: "Help", max: 500, value: of("help_text", field?.help_text), refusal, prefix })}
    ${textArea({ name: "options", label: "Choices", rows: 3, value: of("options", field?.options.join("\n")), hint: "One a line, for questions with choices.", refusal, prefix })}
    ${select({ name: "mapping", label: "Becomes", required: true, value: of("mapping", field?.mapping ?? "none"), options: MAPPINGS.map((value) => ({ value, label: value === "none" ? "A line of the description" : `The issue's ${value}` })), prefix })}
    <div class="choice"><input type="checkbox" id="${prefix}required" name="required" value="yes"${on("required", field?.required ?? false) ? html` checked` : ""}><label for="${prefix}required">An answer is needed</label></div>
    ${ruleFields(prefix, values, form, field)}${moreOfField(prefix, values, field, editing.fields)}
    <button>${field ? "Save" : "Add the question"}</button></form>`;
}

type Editing = { values: (part: string) => Values; open: Part | null; choices: Choices; fields: CustomFieldDefView[] };

const settings = (form: FormView, base: string, editing: Editing): Html => html`<section><h2>Settings</h2>
  ${settingsForms(form, base, editing)}
  <div class="acts">${askFirst({ ask: "New address", action: `${base}/link`, consequence: "The present address stops working at once.", confirm: "Make a new address" })}
  ${askFirst({ ask: "Delete", action: `${base}/delete`, consequence: "Its page is gone at once. Issues that it made stay.", confirm: `Delete ${form.title}` })}</div></section>`;
