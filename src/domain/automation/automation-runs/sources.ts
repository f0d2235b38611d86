import { CATEGORIES, CATEGORY_SYNONYMS } from "../../kernel/categories.ts";
import { own } from "../../kernel/own.ts";
import { nameKey } from "../../kernel/text.ts";
import { causeOfDueDate, DEFAULT_HOURS, isDueSoon } from "./due-date.ts";
import type { Happened } from "./happened.ts";
import { IS_LIVE } from "./rules.sql.ts";

/** What starts automations: the table of triggers, their events, and how their parameters choose among these. */

/** The parameters of all triggers. Each trigger has some of them; lists that are empty choose nothing out. */
export type TriggerConfig = {
  from?: string[];
  to?: string[];
  user_id?: string | null;
  by?: "any" | "user" | "agent";
  fields?: string[];
  label_ids?: string[];
  hours_before?: number;
  form_id?: string | null;
  states?: string[];
  statuses?: string[];
  workflow_id?: string | null;
  cron?: string;
  timezone?: string;
  filters?: Record<string, unknown>;
};

type Source = {
  /** The events, each with SQL: whether event `e` can start an automation. Null: always. */
  on: Readonly<Record<string, string | null>>;
  /** Whether an event is one that the parameters choose. */
  chooses: (config: TriggerConfig, event: Happened) => boolean;
  /** The id that stands for the cause, if several events may have the same. Default: the event's id. */
  cause?: (event: Happened) => string;
  /** The clock starts it. Many may be due at the same moment, so the limit of runs in a minute does not apply. */
  timed?: true;
};

const always = () => true;
const HAS_DUE_DATE = "e.data ->> 'due_at' is not null";
const hasChanged = (field: string) => `'${field}' = any(e.changed)`;

export const SOURCES: Readonly<Record<string, Source>> = {
  "issue.created": { on: { "issue.created": null }, chooses: always },
  "issue.status_changed": {
    on: { "issue.status_changed": null },
    chooses: ({ from, to }, { previous, data }) =>
      names(from, statusNames({ ...data, ...previous })) && names(to, statusNames(data)),
  },
  "issue.priority_changed": {
    on: { "issue.priority_changed": null },
    chooses: ({ from, to }, { previous, data }) =>
      names(from, [previous.priority ?? data.priority]) && names(to, [data.priority]),
  },
  "issue.assigned": {
    on: { "issue.assigned": null },
    chooses: ({ user_id }, { context }) => !user_id || (context.added ?? []).includes(user_id),
  },
  "issue.unassigned": {
    on: { "issue.unassigned": null },
    chooses: ({ user_id }, { context }) => !user_id || (context.removed ?? []).includes(user_id),
  },
  "comment.added": {
    on: { "comment.created": null },
    chooses: ({ by }, { data }) => !by || by === "any" || by === data.author_kind,
  },
  "issue.updated": {
    on: { "issue.updated": null },
    chooses: ({ fields = [] }, event) => fields.length === 0 || fields.some((field) => isChanged(field, event)),
  },
  "issue.archived": { on: { "issue.archived": null }, chooses: always },
  "issue.labelled": {
    on: { "issue.updated": hasChanged("labels") },
    chooses: ({ label_ids = [] }, event) => {
      const added = addedLabels(event);
      return label_ids.length === 0 ? added.length > 0 : added.some((id) => label_ids.includes(id));
    },
  },
  "issue.unblocked": {
    on: { "issue.updated": `${hasChanged("is_blocked")} and e.data @> '{"is_blocked": false}'` },
    chooses: (_, { changed, data }) => changed.includes("is_blocked") && data.is_blocked === false,
  },
  // The clock starts these: watch.ts and schedules.ts.
  "issue.overdue": { on: {}, chooses: always, timed: true },
  "issue.due_soon": {
    on: {
      "issue.created": HAS_DUE_DATE,
      "issue.restored": HAS_DUE_DATE,
      "issue.updated": `(${hasChanged("due_at")} or ${hasChanged("resolved_at")}) and ${HAS_DUE_DATE}`,
    },
    chooses: ({ hours_before = DEFAULT_HOURS }, event) => isDueSoon(event, hours_before),
    cause: ({ data }) => causeOfDueDate("issue.due_soon", String(data.id), String(data.due_at)),
    timed: true,
  },
  schedule: { on: {}, chooses: always, timed: true },
  "sprint.started": { on: { "sprint.started": null }, chooses: always },
  "sprint.completed": { on: { "sprint.completed": null }, chooses: always },
  "release.released": { on: { "release.released": null }, chooses: always },
  "milestone.completed": { on: { "milestone.completed": null }, chooses: always },
  "form.submitted": {
    on: { "form.submitted": null },
    chooses: ({ form_id }, { data }) => !form_id || form_id === data.form_id,
  },
  "agent_session.state_changed": {
    on: { "agent_session.state_changed": null },
    chooses: ({ states }, { data }) => names(states, [data.state]),
  },
  "workflow_run.finished": {
    on: { "workflow_run.completed": null, "workflow_run.failed": null, "workflow_run.cancelled": null },
    chooses: ({ workflow_id, statuses }, { data, type }) =>
      (!workflow_id || workflow_id === data.workflow_id) && names(statuses, [type.slice("workflow_run.".length)]),
  },
};

/** Names of triggers by the events that start them. */
export const SOURCES_BY_EVENT: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(Object.values(SOURCES).flatMap(({ on }) => Object.keys(on)))].map((event) => [
    event,
    Object.entries(SOURCES).flatMap(([trigger, { on }]) => (Object.hasOwn(on, event) ? [trigger] : [])),
  ]),
);

/** Whether one of the wanted words is among the names. Without wanted words, anything goes. */
function names(wanted: readonly string[] | undefined, actual: readonly unknown[]): boolean {
  if (!wanted || wanted.length === 0) return true;
  const folded = actual.filter((one) => typeof one === "string").map(nameKey);
  return wanted.some((word) => {
    const plain = nameKey(word);
    return folded.includes(plain) || folded.includes(own(CATEGORY_SYNONYMS, plain) ?? plain);
  });
}

/** A column is named by its category, id or name. One that is called like a category must not pass for it. */
function statusNames({ status, status_id, status_name }: Record<string, unknown>): unknown[] {
  const name = typeof status_name === "string" ? status_name : "";
  const isCategory = CATEGORIES.some((category) => category === name.toLowerCase().replaceAll(" ", "_"));
  return isCategory ? [status, status_id] : [status, status_id, name];
}

/** Names of fields in rules that the view of an issue spells differently. */
const FIELDS_OF_VIEW: Readonly<Record<string, readonly string[]>> = {
  assignee: ["assignees"],
  assignee_id: ["assignees"],
  description: ["description_md"],
  estimate: ["story_points", "estimate_minutes"],
  label: ["labels"],
  milestone: ["milestone_id"],
  parent: ["parent_id"],
  release: ["release_id"],
  reporter: ["reporter_id"],
  sprint: ["sprint_id"],
  status: ["status", "status_id"],
};
const CUSTOM = "custom_field:";

function isChanged(field: string, { changed, data, previous }: Happened): boolean {
  if (!field.startsWith(CUSTOM)) return (own(FIELDS_OF_VIEW, field) ?? [field]).some((name) => changed.includes(name));
  const [before, after] = [previous.custom_fields, data.custom_fields] as (Record<string, unknown> | undefined)[];
  const id = field.slice(CUSTOM.length);
  return before !== undefined && JSON.stringify(own(before, id)) !== JSON.stringify(own(after ?? {}, id));
}

function addedLabels({ data, previous }: Happened): string[] {
  const ids = (labels: unknown) => (Array.isArray(labels) ? labels.map(({ id }) => String(id)) : []);
  if (previous.labels === undefined) return [];
  const before = ids(previous.labels);
  return ids(data.labels).filter((id) => !before.includes(id));
}

/** The events that can start automations. */
export const STARTING: readonly string[] = [...SOURCES_BY_EVENT.keys()];

const pairs = [...SOURCES_BY_EVENT].flatMap(([event, triggers]) =>
  triggers.map((trigger) => ({ event, trigger, condition: own(own(SOURCES, trigger)!.on, event) ?? null })),
);
const triggersOf = [...SOURCES_BY_EVENT]
  .map(([event, triggers]) => `when '${event}' then '{${triggers.join(",")}}'::text[]`)
  .join(" ");
const conditions = pairs
  .flatMap(({ event, trigger, condition }) =>
    condition ? `when a.trigger = '${trigger}' and e.type = '${event}' then ${condition}` : [],
  )
  .join(" ");

/**
 * SQL for the relay: whether event `e` can start an automation of its workspace. It is the same for all events, because
 * Postgres plans the statement of the relay anew each time, and every further subquery takes it a few milliseconds.
 */
const STARTS_SOME = `exists (
  select from automation a
  where a.workspace_id = e.workspace_id and ${IS_LIVE} and a.trigger = any(case e.type ${triggersOf} end)
    and (a.project_id is null or a.project_id = e.project_id) and case ${conditions} else true end)`;

export const WORTH_A_LOOK: Readonly<Record<string, string>> = Object.fromEntries(
  STARTING.map((event) => [event, STARTS_SOME]),
);
