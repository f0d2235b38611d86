import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import type { CustomFieldDefView } from "../../../domain/work/fields/view.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { MARKDOWN, withMentions } from "../issue/mentions.ts";
import { assignable } from "../issue/read.ts";
import { choices, select, textArea, textField } from "../kit/fields.ts";
import { crumbs, fold } from "../kit/pieces.ts";
import { dayOf, long, minutesOf, numberOf, orAbsent, orNull, TIME_HINT, type Values, valuesOf } from "../kit/typed.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import {
  type Choices,
  columnsOf,
  labelsOf,
  milestonesOf,
  openOnes,
  peopleOf,
  readChoices,
  releasesOf,
  sprintsOf,
  TYPES,
  URGENCIES,
} from "./choices.ts";
import { customInput, customValues } from "./custom-inputs.ts";
import { address } from "./filters.ts";
import { named, PROJECT, pathOf, readProject } from "./head.ts";

/** A new issue with all of its fields. The address may fill in some, e.g. `?sprint_id=…`. */

const PATH = `${PROJECT}/new`;
const FILLED = ["type", "status_id", "sprint_id", "milestone_id", "release_id", "parent", "epic"] as const;

export function newIssuePage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    create: {
      operation: "issues.create",
      // What the form says about the project's own fields depends on what these are.
      input: async (call) => ({ params: named(call), body: await bodyOf(site, call) }),
      to: (call, { key }: IssueView) =>
        call.form.text("next") === "another"
          ? address(`${pathOf(call)}/new`, Object.fromEntries(FILLED.map((name) => [name, call.form.text(name)])))
          : `${pathOf(call)}/${key}`,
      said: ({ key, title }: IssueView) => `${key} “${title}” is created.`,
    },
  });
}

const readFields = async (site: Site, call: WorkspaceCall): Promise<CustomFieldDefView[]> =>
  (
    await site.list<CustomFieldDefView>(call, "custom-field-defs.list", {
      params: named(call),
      query: { limit: "100" },
    })
  ).data;

async function bodyOf(site: Site, call: WorkspaceCall) {
  const { form } = call;
  const fields = await readFields(site, call);
  const type = form.text("type") || "task";
  return {
    type,
    title: form.text("title"),
    description_md: orNull(await withMentions(site, call, long(form.text("description_md")))),
    status_id: orAbsent(form.text("status_id")),
    priority: orAbsent(form.text("priority")),
    assignee_ids: form.all("assignee_ids").filter(Boolean),
    labels: form.all("labels").filter(Boolean),
    sprint_id: orNull(form.text("sprint_id")),
    milestone_id: orNull(form.text("milestone_id")),
    release_id: orNull(form.text("release_id")),
    parent: orNull(form.text("parent")),
    epic: orNull(form.text("epic")),
    start_at: dayOf(form, "start_at"),
    due_at: dayOf(form, "due_at"),
    story_points: numberOf(form.text("story_points")),
    estimate_minutes: minutesOf(form.text("estimate_minutes")),
    custom_fields: customValues(fields, form, type),
  };
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [project, all, fields] = await Promise.all([
    readProject(site, call),
    readChoices(site, call),
    readFields(site, call),
  ]);
  const people = await assignable(site, call, project, all.people);
  const values = valuesOf(call.form, refusal);
  const base = pathOf(call);
  const column = call.query("status_id") || project.default_status_id;
  return {
    title: `New issue in ${project.name}`,
    status: refusal?.status ?? 200,
    body: html`${crumbs([`/w/${call.here.workspace.slug}/projects`, "Projects"], [base, project.name])}
      <h1>New issue</h1>${refusal ? problemBox(refusal) : ""}
      <form class="narrow" method="post" action="${base}/new/create">${onceField()}
        ${textField({ name: "title", label: "Title", value: values.of("title", ""), required: true, max: 255, autofocus: !refusal, refusal })}
        ${textArea({ name: "description_md", label: "Description", value: values.of("description_md", ""), rows: 7, hint: MARKDOWN, refusal })}
        <div class="pairs">
        ${select({ name: "type", label: "Type", required: true, value: values.of("type", call.query("type") || "task"), options: TYPES, refusal })}
        ${select({ name: "priority", label: "Priority", required: true, value: values.of("priority", "medium"), options: URGENCIES, refusal })}
        ${select({ name: "status_id", label: "Column", required: true, value: values.of("status_id", column), options: columnsOf(all), refusal })}
        ${textField({ name: "due_at", label: "Due", type: "date", value: values.of("due_at", ""), refusal })}
        </div>
        ${choices({ name: "assignee_ids", label: "Assignees", options: peopleOf({ people }), values: values.all("assignee_ids", []), refusal })}
        ${all.labels.length === 0 ? "" : choices({ name: "labels", label: "Labels", options: labelsOf(all), values: values.all("labels", []), refusal })}
        ${fields.map((field) => customInput(field, values, all, refusal))}
        ${fold("Plans and estimates", planned(call, { project, all, values, refusal }), { open: refusal !== undefined || FILLED.slice(2).some((name) => call.query(name) !== "") })}
        <div class="row"><button>Create the issue</button> <button class="second" name="next" value="another">Create, and one more</button> <a href="${base}">Cancel</a></div></form>`,
  };
}

type About = { project: ProjectView; all: Choices; values: Values; refusal: Refusal | undefined };

function planned({ query }: WorkspaceCall, { project, all, values, refusal }: About) {
  const lists = [
    ["sprint_id", "Sprint", sprintsOf({ ...all, sprints: openOnes(all.sprints) })],
    ["milestone_id", "Milestone", milestonesOf({ ...all, milestones: openOnes(all.milestones) })],
    ["release_id", "Release", releasesOf({ ...all, releases: openOnes(all.releases) })],
  ] as const;
  const { estimation_unit: unit } = project;
  return html`<div class="pairs">
    ${lists.map(([name, label, options]) => select({ name, label, value: values.of(name, query(name)), options, none: "None", refusal }))}
    ${unit === "points" ? textField({ name: "story_points", label: "Points", value: values.of("story_points", ""), refusal }) : ""}
    ${unit === "time" ? textField({ name: "estimate_minutes", label: "Estimate", value: values.of("estimate_minutes", ""), hint: TIME_HINT, refusal }) : ""}
    ${textField({ name: "start_at", label: "Begins", type: "date", value: values.of("start_at", ""), refusal })}
    ${textField({ name: "epic", label: "Epic", value: values.of("epic", query("epic")), hint: `Its key, such as ${project.key}-1.`, refusal })}
    ${textField({ name: "parent", label: "Parent", value: values.of("parent", query("parent")), hint: "The key of an issue of this project.", refusal })}</div>`;
}
