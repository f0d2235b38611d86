import { ISSUE_TYPES, PRIORITIES } from "../../../domain/access/identity/issue-row.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import { choices, type Option, select, textField } from "../kit/fields.ts";
import { minutesInWords } from "../kit/times.ts";
import { long, minutesOf, numberOf, orNull, TIME_HINT } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import type { Form } from "../site/forms.ts";
import { dayHere } from "../site/zone.ts";
import { mentionArea } from "./mention-area.ts";
import { MARKDOWN } from "./mentions.ts";

/** What people can change of an issue, each with a form of its own. Its name is that of its fact. */

export type Editable = {
  label: string;
  /** What the form shows, to find out whether somebody else has changed it meanwhile. */
  of: (issue: IssueView) => unknown;
  /** As lines of history name it. */
  fields: readonly string[];
  /** What can be chosen, if something can (options.ts). */
  choices?: Choosing;
  inputs: (form: Inputs) => Html;
  body: (form: Form, issue: IssueView) => object;
};

export type Choosing = "statuses" | "people" | "labels" | "sprints" | "milestones" | "releases" | "projects";

export type Inputs = {
  issue: IssueView;
  options: readonly Option[];
  /** What was typed; in a new form what is stored. */
  value: (name: string, stored: string | number | null) => string;
  values: (name: string, stored: readonly string[]) => readonly string[];
};

const PREFIX = "edit-";
const line = (
  name: string,
  label: string,
  value: string,
  more: { hint?: string; type?: string; required?: boolean; max?: number } = {},
) => textField({ name, label, value, prefix: PREFIX, ...more });
const changedFrom = (stored: string, typed: string) => ({ stored, ...(typed === stored ? {} : { typed }) });

const oneOf = (name: string, label: string, value: string, options: readonly Option[], none?: string) =>
  select({
    name,
    label,
    value,
    options,
    required: none === undefined,
    prefix: PREFIX,
    ...(none === undefined ? {} : { none }),
  });

/** One of the project's sprints, milestones or releases. */
const plan = (name: "sprint_id" | "milestone_id" | "release_id", label: string, choosing: Choosing): Editable => ({
  label,
  of: (issue) => issue[name],
  fields: [name],
  choices: choosing,
  inputs: ({ issue, options, value }) => oneOf(name, label, value(name, issue[name]), options, "None"),
  body: (form) => ({ [name]: orNull(form.text(name)) }),
});

/** Another issue, by its key. */
const other = (name: "parent" | "epic", label: string): Editable => ({
  label,
  of: (issue) => issue[`${name}_id`],
  fields: [`${name}_id`],
  inputs: ({ issue, value }) =>
    line(name, label, value(name, issue[`${name}_key`]), {
      hint: `The key of an issue, such as ${issue.project_key}-1. Empty for none.`,
    }),
  body: (form) => ({ [name]: orNull(form.text(name)) }),
});

const day = (name: "start_at" | "due_at", label: string): Editable => ({
  label,
  of: (issue) => issue[name],
  fields: [name],
  inputs: ({ issue, value }) => line(name, label, value(name, dayShown(dateOf(issue, name))), { type: "date" }),
  body: (form, issue) => ({ [name]: dayOf(form.text(name), dateOf(issue, name)) }),
});

const dateOf = (issue: IssueView, name: "start_at" | "due_at"): string | null =>
  issue[name === "start_at" ? "start_on" : "due_on"] ?? issue[name];

const dayShown = (date: string | null): string => (date === null ? "" : dayHere(date));

/** A day that the person left as it was keeps its time of day. */
const dayOf = (typed: string, stored: string | null): string | null =>
  typed !== "" && dayShown(stored) === typed ? stored : orNull(typed);

const number = (name: "story_points" | "completion_pct", label: string, hint: string): Editable => ({
  label,
  of: (issue) => issue[name],
  fields: [name],
  inputs: ({ issue, value }) => line(name, label, value(name, issue[name]), { type: "number", hint }),
  body: (form) => ({ [name]: numberOf(form.text(name)) }),
});

const named = (all: readonly string[]): Option[] => all.map((value) => ({ value, label: words(value) }));

const EDITABLES: Record<string, Editable> = {
  title: {
    label: "Title",
    of: ({ title }) => title,
    fields: ["title"],
    inputs: ({ issue, value }) => line("title", "Title", value("title", issue.title), { required: true, max: 255 }),
    body: (form) => ({ title: form.text("title") }),
  },
  description: {
    label: "Description",
    of: ({ description_md }) => description_md,
    fields: ["description_md"],
    inputs: ({ issue, value }) =>
      mentionArea(
        { name: "description_md", label: "Description", rows: 14, hint: MARKDOWN, prefix: PREFIX },
        changedFrom(issue.description_md ?? "", value("description_md", issue.description_md)),
      ),
    body: (form) => ({ description_md: orNull(long(form.text("description_md"))) }),
  },
  status: {
    label: "Column",
    of: ({ status_id, status }) => status_id ?? status,
    fields: ["status"],
    choices: "statuses",
    inputs: ({ issue, options, value }) => oneOf("status_id", "Column", value("status_id", issue.status_id), options),
    body: (form) => ({ status_id: form.text("status_id") }),
  },
  assignees: {
    label: "Assignees",
    of: ({ assignees }) => assignees,
    fields: ["assignees"],
    choices: "people",
    inputs: ({ issue, options, values }) =>
      choices({
        name: "assignee_ids",
        label: "Assignees",
        options,
        values: values("assignee_ids", issue.assignees),
        prefix: PREFIX,
      }),
    // In the order in which they were assigned: the first is the one whom lists name.
    body: (form, issue) => ({ assignee_ids: inOrder(form.all("assignee_ids"), issue.assignees) }),
  },
  priority: {
    label: "Priority",
    of: ({ priority }) => priority,
    fields: ["priority"],
    inputs: ({ issue, value }) =>
      oneOf("priority", "Priority", value("priority", issue.priority), named([...PRIORITIES].reverse())),
    body: (form) => ({ priority: form.text("priority") }),
  },
  type: {
    label: "Type",
    of: ({ type }) => type,
    fields: ["type"],
    inputs: ({ issue, value }) => oneOf("type", "Type", value("type", issue.type), named(ISSUE_TYPES)),
    body: (form) => ({ type: form.text("type") }),
  },
  labels: {
    label: "Labels",
    of: ({ labels }) => labels.map(({ id }) => id),
    fields: ["labels"],
    choices: "labels",
    inputs: ({ issue, options, values }) => {
      if (options.length === 0) return html`<p>The project has no labels yet.</p>`;
      const stored = issue.labels.map(({ id }) => id);
      return choices({ name: "labels", label: "Labels", options, values: values("labels", stored), prefix: PREFIX });
    },
    body: (form, { labels }) => ({
      labels: inOrder(
        form.all("labels"),
        labels.map(({ id }) => id),
      ),
    }),
  },
  sprint: plan("sprint_id", "Sprint", "sprints"),
  milestone: plan("milestone_id", "Milestone", "milestones"),
  release: plan("release_id", "Release", "releases"),
  epic: other("epic", "Epic"),
  parent: other("parent", "Parent"),
  start: day("start_at", "Begins"),
  due: day("due_at", "Due"),
  points: number("story_points", "Points", "A whole number. Empty for none."),
  estimate: {
    label: "Estimate",
    of: ({ estimate_minutes }) => estimate_minutes,
    fields: ["estimate_minutes"],
    inputs: ({ issue: { estimate_minutes: stored }, value }) =>
      line("estimate_minutes", "Estimate", value("estimate_minutes", stored === null ? null : minutesInWords(stored)), {
        hint: `${TIME_HINT} Empty for none.`,
      }),
    body: (form) => ({ estimate_minutes: minutesOf(form.text("estimate_minutes")) }),
  },
  completion: number("completion_pct", "Completion", "In percent. Empty for none."),
  reporter: {
    label: "Reporter",
    of: ({ reporter_id }) => reporter_id,
    fields: ["reporter_id"],
    choices: "people",
    inputs: ({ issue, options, value }) => oneOf("reporter", "Reporter", value("reporter", issue.reporter_id), options),
    body: (form) => ({ reporter: form.text("reporter") }),
  },
  external: {
    label: "External",
    of: ({ external_source, external_id }) => [external_source, external_id],
    fields: ["external_source", "external_id"],
    inputs: ({ issue, value }) =>
      html`${line("external_source", "Where it comes from", value("external_source", issue.external_source), { max: 50 })}
        ${line("external_id", "Its id there", value("external_id", issue.external_id), { max: 200 })}`,
    body: (form) => ({
      external_source: orNull(form.text("external_source")),
      external_id: orNull(form.text("external_id")),
    }),
  },
};

/** Those that are chosen: first those that were there, in their order. */
const inOrder = (chosen: readonly string[], before: readonly string[]): string[] => [
  ...before.filter((id) => chosen.includes(id)),
  ...chosen.filter((id) => !before.includes(id)),
];

export const editableOf = (name: string): Editable | undefined => own(EDITABLES, name);
