import { ISSUE_TYPES } from "../../../domain/access/identity/issue-row.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { PROJECT_ROLES, WIP_MODES } from "../../../domain/kernel/rows.ts";
import { FIELD_KINDS } from "../../../domain/work/fields/rows.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import type { LabelView } from "../../../domain/work/issues/view.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import { choices, hidden, select, textArea, textField, tick } from "../kit/fields.ts";
import { act, adding, badge, colored, fold } from "../kit/pieces.ts";
import { valuesOf } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { STATES, TYPES } from "./choices.ts";
import type { Settings } from "./settings.ts";
import { UNITS } from "./units.ts";

/** The parts of a project's settings. Each object is changed where it stands. */

type Part = (settings: Settings, call: WorkspaceCall, refusal?: Refusal) => Html;

const part = (title: string, body: Html): Html => html`<section class="settings"><h2>${title}</h2>${body}</section>`;
const optionsOf = (all: readonly string[]) => all.map((value) => ({ value, label: words(value) }));
const refusedAt = (call: WorkspaceCall, end: string, refusal?: Refusal): Refusal | undefined =>
  call.request.method === "POST" && call.request.path.endsWith(end) ? refusal : undefined;

export const generalPart: Part = ({ project, people, path }, call, all) => {
  const refusal = refusedAt(call, "/settings/save", all);
  const values = valuesOf(call.form, refusal);
  const leads = [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? "Someone" }));
  const hint = (name: "name" | "icon" | "description_md") => {
    const theirs = values.theirs(name, project[name]);
    return theirs === undefined ? {} : { hint: theirs };
  };
  return part(
    "Project",
    html`<form class="narrow" method="post" action="${path}/save">${revisionField(project)}
      ${textField({ name: "name", label: "Name", required: true, max: 100, value: values.of("name", project.name), refusal, ...hint("name") })}
      ${textArea({ name: "description_md", label: "Description", rows: 4, value: values.of("description_md", project.description_md), refusal, ...hint("description_md") })}
      <div class="pairs">${textField({ name: "icon", label: "Symbol", max: 32, value: values.of("icon", project.icon), refusal, ...hint("icon") })}
      ${select({ name: "lead_user_id", label: "Led by", options: leads, none: "Nobody", value: values.of("lead_user_id", project.lead_user_id), refusal })}
      ${select({ name: "estimation_unit", label: "Estimates", required: true, options: UNITS, value: values.of("estimation_unit", project.estimation_unit), refusal })}</div>
      ${tick({ name: "scoped", label: "Only its members see it", checked: values.on("scoped", project.scoped) })}
      <button>Save</button></form>`,
  );
};

/** Things with a name, each with the form that changes it. */
type Item = { id: string; name: string; label: Html; form: Html; consequence: string };
const items = (path: string, what: string, all: readonly Item[], form: Html): Html => html`
  ${all.length === 0 ? html`<p class="quiet">None yet.</p>` : html`<ul class="lines">${all.map((item) => html`<li class="object-line">${item.label}<div class="whole">${fold(html`Change<span class="out"> ${item.name}</span>`, html`<form class="narrow" method="post" action="${path}/${item.id}/save">${item.form}<button class="second">Save</button></form>${askFirst({ ask: "Delete", about: item.name, action: `${path}/${item.id}/delete`, consequence: item.consequence, confirm: `Delete “${item.name}”` })}`)}</div></li>`)}</ul>`}
  ${adding(`Add a ${what}`, html`<form class="narrow" method="post" action="${path}/create">${onceField()}${form}<button class="second">Add the ${what}</button></form>`)}`;

const colorField = (prefix: string, value: string): Html =>
  textField({ name: "color", label: "Colour", type: "color", required: true, value, prefix });

export const columnsPart: Part = ({ statuses, path }) => {
  const form = (status?: StatusView): Html => {
    const prefix = `${status?.id ?? "new-column"}-`;
    return html`${status ? revisionField(status) : ""}${textField({ name: "name", label: "Name", required: true, max: 80, value: status?.name ?? "", prefix })}
      <div class="pairs">${select({ name: "category", label: "Its issues are", required: true, options: STATES, value: status?.category ?? "todo", prefix })}
      ${textField({ name: "wip_limit", label: "At most so many issues", type: "number", value: status?.wip_limit ?? null, prefix })}
      ${colorField(prefix, status?.color ?? "#3b82f6")}</div>
      ${status?.is_default ? "" : tick({ name: "is_default", label: "New issues begin here", checked: false, prefix })}`;
  };
  const all = statuses.map((status) => ({
    id: status.id,
    name: status.name,
    label: html`<p class="marks">${colored(status.color, status.name)}<span class="quiet">${words(status.category)}, ${counted(status.issue_count, "issue")}</span>${status.wip_limit === null ? "" : html`<span class="quiet">limit ${status.wip_limit}</span>`}${status.is_default ? badge("New issues") : ""}</p>`,
    form: form(status),
    consequence: `Its ${counted(status.issue_count, "issue")} will be archived. They can be restored for 30 days.`,
  }));
  return part("Columns", items(`${path}/columns`, "column", all, form()));
};

export const rulesPart: Part = ({ project, statuses, path }) => {
  const rules = project.transition_rules;
  const targets = (id: string) =>
    statuses.filter((one) => one.id !== id).map((one) => ({ value: one.id, label: one.name }));
  const may = (id: string) =>
    rules ? (rules[id] ?? targets(id).map(({ value }) => value)) : targets(id).map(({ value }) => value);
  return part(
    "Rules of the board",
    html`<form class="narrow" method="post" action="${path}/rules">${revisionField(project)}
      ${select({ name: "wip_mode", label: "Limits of columns", required: true, options: optionsOf(WIP_MODES), value: project.wip_mode, hint: "Warn says so; enforce refuses the move." })}
      ${tick({ name: "enforce_blockers", label: "Blocked issues cannot be moved on", checked: project.enforce_blockers })}
      ${tick({ name: "restricted", label: "Only some moves are allowed", checked: rules !== null })}
      ${fold("Which moves", html`${statuses.map(({ id, name }) => html`${hidden("column", id)}${choices({ name: `to-${id}`, label: `From ${name} to`, options: targets(id), values: may(id) })}`)}`)}
      <button class="second">Save the rules</button></form>`,
  );
};

export const labelsPart: Part = ({ labels, path }) => {
  const form = (label?: LabelView): Html => {
    const prefix = `${label?.id ?? "new-label"}-`;
    return html`${label ? revisionField(label) : ""}<div class="pairs">${textField({ name: "name", label: "Name", required: true, max: 50, value: label?.name ?? "", prefix })}${colorField(prefix, label?.color ?? "#3b82f6")}</div>
      ${textField({ name: "description", label: "About it", max: 200, value: label?.description ?? "", prefix })}`;
  };
  const all = labels.map((label) => ({
    id: label.id,
    name: label.name,
    label: html`<p class="marks">${colored(label.color, label.name)}<span class="quiet">${counted(label.issue_count, "issue")}</span></p>`,
    form: form(label),
    consequence: `${counted(label.issue_count, "issue")} will lose it.`,
  }));
  return part("Labels", items(`${path}/labels`, "label", all, form()));
};

export const fieldsPart: Part = ({ fields, path }) => {
  const form = (field?: CustomFieldDefView): Html => {
    const prefix = `${field?.id ?? "new-field"}-`;
    const hasOptions = !field || field.options.length > 0;
    return html`${field ? revisionField(field) : ""}${textField({ name: "name", label: "Name", required: true, max: 60, value: field?.name ?? "", prefix })}
      ${field ? "" : select({ name: "kind", label: "Kind", required: true, options: optionsOf(FIELD_KINDS), value: "text", prefix })}
      ${hasOptions ? textArea({ name: "options", label: "Choices", rows: 4, value: field?.options.join("\n") ?? "", hint: "One a line, for fields to select from.", prefix }) : ""}
      ${textField({ name: "description", label: "About it", max: 300, value: field?.description ?? "", prefix })}
      ${choices({ name: "applies_to", label: "Only for (none: for all)", options: TYPES, values: field?.applies_to ?? [], prefix })}
      ${tick({ name: "required", label: "Needed", checked: field?.required ?? false, prefix })}`;
  };
  const all = fields.map((field) => ({
    id: field.id,
    name: field.name,
    label: html`<p class="marks"><span>${field.name}</span><span class="quiet">${words(field.kind)}${field.applies_to.length > 0 && field.applies_to.length < ISSUE_TYPES.length ? `, for ${field.applies_to.map(words).join(", ")}` : ""}</span></p>`,
    form: form(field),
    consequence: `${counted(field.value_count, "issue")} will lose its value.`,
  }));
  return part("Fields of your own", items(`${path}/fields`, "field", all, form()));
};

export const membersPart: Part = ({ members, people, path }) => {
  const options = [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? "Someone" }));
  return part(
    "Members",
    html`${members.length === 0 ? html`<p class="quiet">Nobody is named here.</p>` : html`<ul class="lines">${members.map(({ user_id, name, role }) => html`<li class="object-line"><span>${name ?? "Someone"} <span class="quiet">${words(role)}</span></span>${act(`${path}/members/remove`, "Remove", { fields: hidden("user_id", user_id), name: `Remove ${name ?? "this member"}` })}</li>`)}</ul>`}
      ${adding("Add a member, or change their role", html`<form class="narrow" method="post" action="${path}/members/add"><div class="pairs">${select({ name: "user_id", label: "Who", required: true, options })}${select({ name: "role", label: "As", required: true, options: optionsOf(PROJECT_ROLES), value: "member" })}</div><button class="second">Save</button></form>`)}`,
  );
};

export const archivePart = ({ project, path }: Settings): Html =>
  part(
    "Archive",
    project.archived_at === null
      ? askFirst({
          ask: "Archive this project",
          action: `${path}/archive`,
          consequence:
            "It becomes read-only, and its issues leave search. Agents that work on it stop. It can be restored for 30 days.",
          confirm: `Archive “${project.name}”`,
        })
      : act(`${path}/restore`, "Restore this project", { second: false }),
  );
