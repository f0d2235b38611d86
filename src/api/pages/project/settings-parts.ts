import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { PROJECT_ROLES, WIP_MODES } from "../../../domain/kernel/rows.ts";
import { choices, hidden, select, textArea, textField, tick } from "../kit/fields.ts";
import { whoSee } from "../kit/people.ts";
import { act, adding, facts, fold } from "../kit/pieces.ts";
import { ago, dayInWords } from "../kit/times.ts";
import { valuesOf } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { dayField } from "./planned.ts";
import type { Settings } from "./settings.ts";
import { UNITS } from "./units.ts";

/** The parts of a project's settings. Each object is changed where it stands. */

export type Part = (settings: Settings, call: WorkspaceCall, refusal?: Refusal) => Html;

export const part = (title: string, body: Html): Html =>
  html`<section class="settings"><h2>${title}</h2>${body}</section>`;
/** What those read who may not change it, and everybody in an archived project. */
export const readPart: Part = (settings, call) => {
  const { project, people, statuses, labels, fields, members, description } = settings;
  const nameOf = (id: string | null) => (id === null ? null : (people.get(id)?.name ?? "Someone"));
  const day = (at: string | null) => (at === null ? null : dayInWords(at));
  const all = (things: readonly { name: string }[]) => things.map(({ name }) => name).join(", ") || null;
  return part(
    "Project",
    html`${description}${facts([
      ["Led by", nameOf(project.lead_user_id)],
      ["New issues go to", nameOf(project.default_assignee_id)],
      ["Begins", day(project.start_on ?? project.start_at)],
      ["Should be done by", day(project.target_on ?? project.target_at)],
      ["Estimates", words(project.estimation_unit)],
      ["Seen by", project.scoped ? "Only its members" : "All members of the workspace"],
      ["Limits of columns", words(project.wip_mode)],
      ["Columns", all(statuses)],
      ["Labels", all(labels)],
      ["Fields of its own", all(fields)],
      [
        "Members",
        members.map(({ name, role }) => `${name ?? "Someone"} (${words(role).toLowerCase()})`).join(", ") || null,
      ],
    ])}${madeLine(settings, call)}`,
  );
};

const madeLine = ({ project, people }: Settings, { here }: WorkspaceCall): Html =>
  html`<p class="quiet">Made ${ago(project.created_at, here.now)} by ${people.get(project.created_by ?? "")?.name ?? "someone"}.</p>`;

const optionsOf = (all: readonly string[]) => all.map((value) => ({ value, label: words(value) }));
const refusedAt = (call: WorkspaceCall, end: string, refusal?: Refusal): Refusal | undefined =>
  call.request.method === "POST" && call.request.path.endsWith(end) ? refusal : undefined;

/** Browsers show a colour in any case. One that the person leaves as it was is not stored. */
const NO_COLOR = "#0f766e";

export const generalPart: Part = (settings, call, all) => {
  const { project, people, members, path } = settings;
  const refusal = refusedAt(call, "/settings/save", all);
  const values = valuesOf(call.form, refusal);
  const leads = [...whoSee(people, project, members).values()].map(({ id, name }) => ({
    value: id,
    label: name ?? "Someone",
  }));
  return part(
    "Project",
    html`<form class="narrow" method="post" action="${path}/save">${revisionField(project)}
      ${textField({ name: "name", label: "Name", required: true, max: 100, value: values.of("name", project.name), refusal })}
      ${textArea({ name: "description_md", label: "Description", rows: 4, value: values.of("description_md", project.description_md), refusal })}
      <div class="pairs">${textField({ name: "icon", label: "Symbol", max: 32, value: values.of("icon", project.icon), refusal })}
      ${select({ name: "lead_user_id", label: "Led by", options: leads, none: "Nobody", value: values.of("lead_user_id", project.lead_user_id), refusal })}
      ${select({ name: "default_assignee_id", label: "New issues go to", options: leads, none: "Nobody", value: values.of("default_assignee_id", project.default_assignee_id), refusal })}
      ${select({ name: "estimation_unit", label: "Estimates", required: true, options: UNITS, value: values.of("estimation_unit", project.estimation_unit), refusal })}
      ${dayField({ name: "start_at", label: "Begins", refusal }, project.start_on ?? project.start_at, values)}
      ${dayField({ name: "target_at", label: "Should be done by", refusal }, project.target_on ?? project.target_at, values)}
      <div>${textField({ name: "color", label: "Colour", type: "color", value: values.of("color", project.color ?? NO_COLOR), refusal })}${hidden("color_was", project.color ?? NO_COLOR)}
      ${project.color === null ? "" : tick({ name: "no_color", label: "Remove the colour", checked: values.on("no_color", false) })}</div></div>
      ${tick({ name: "scoped", label: "Only its members see it", checked: values.on("scoped", project.scoped) })}
      <button>Save</button></form>${madeLine(settings, call)}`,
  );
};

export const rulesPart: Part = ({ project, statuses, path }) => {
  const rules = project.transition_rules;
  const targets = (id: string) =>
    statuses.filter((one) => one.id !== id).map((one) => ({ value: one.id, label: one.name }));
  const may = (id: string) => (rules?.[id] ?? targets(id).map(({ value }) => value)).filter((one) => one !== id);
  return part(
    "Rules of the board",
    html`<form class="narrow" method="post" action="${path}/rules">${revisionField(project)}
      ${select({ name: "wip_mode", label: "Limits of columns", required: true, options: optionsOf(WIP_MODES), value: project.wip_mode, hint: "Warn says so; enforce refuses the move." })}
      ${tick({ name: "enforce_blockers", label: "Blocked issues cannot be moved on", checked: project.enforce_blockers })}
      ${tick({ name: "auto_start", label: "An issue moves on when an agent starts to work on it", checked: project.auto_start })}
      ${tick({ name: "restricted", label: "Only some moves are allowed", checked: rules !== null })}
      ${fold("Which moves", html`${statuses.map(({ id, name }) => html`${hidden("column", id)}${choices({ name: `to-${id}`, label: `From ${name} to`, options: targets(id), values: may(id) })}`)}`)}
      <button class="second">Save the rules</button></form>`,
  );
};

export const membersPart: Part = ({ members, people, path }) => {
  const options = [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? "Someone" }));
  return part(
    "Members",
    html`${members.length === 0 ? html`<p class="quiet">Nobody is named here.</p>` : html`<ul class="lines">${members.map(({ user_id, name, role, added_at }) => html`<li class="object-line"><span>${name ?? "Someone"} <span class="quiet">${words(role)}, since ${dayInWords(added_at)}</span></span>${act(`${path}/members/remove`, "Remove", { fields: hidden("user_id", user_id), name: `Remove ${name ?? "this member"}` })}</li>`)}</ul>`}
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
