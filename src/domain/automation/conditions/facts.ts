import { CATEGORIES, CATEGORY_SYNONYMS } from "../../kernel/categories.ts";
import { isSame } from "../../kernel/difference.ts";
import { own } from "../../kernel/own.ts";
import type { IssueView } from "../../work/issues/view.ts";
import { customFieldOf, type FieldName } from "./fields.ts";

/**
 * What conditions know of an issue and of the event. Each field has the texts under which it may be named, such as the
 * id and the name of a label. A field without any is empty.
 */
export type Facts = {
  named: Readonly<Partial<Record<FieldName, readonly string[]>>>;
  /** Custom fields by id. */
  custom: Readonly<Record<string, unknown>>;
  /** Whether the event changed a field. */
  changed(field: string): boolean;
};

/** The event that starts an automation. */
export type FactsOfEvent = {
  actor_kind: string;
  actor_id: string | null;
  /** Values of changed fields before the event. */
  previous: Partial<IssueView>;
};

/** What conditions know of an issue as it is shown, and of the event, if there is one. */
export function factsOf(issue: IssueView, event: FactsOfEvent | null): Facts {
  const previous = event?.previous ?? {};
  const status = namesOfStatus(issue);
  const moved = previous.status !== undefined || previous.status_id !== undefined;
  return {
    named: {
      project: [issue.project_id, issue.project_key],
      type: [issue.type],
      priority: [issue.priority],
      status,
      assignee: issue.assignees,
      label: issue.labels.flatMap(({ id, name }) => [id, name]),
      title: [issue.title],
      reporter: [issue.reporter_id],
      sprint: present(issue.sprint_id),
      milestone: present(issue.milestone_id),
      release: present(issue.release_id),
      parent: present(issue.parent_id, issue.parent_key),
      due_at: present(issue.due_at),
      // A project estimates in points or in minutes.
      estimate: present(issue.story_points ?? issue.estimate_minutes),
      description: present(issue.description_md || null),
      actor_kind: present(event?.actor_kind),
      actor_id: present(event?.actor_id),
      from_status: moved ? namesOfStatus({ ...issue, ...previous }) : [],
      to_status: moved ? status : [],
    },
    custom: issue.custom_fields,
    changed: (field) => isChanged(field, issue, previous),
  };
}

const present = (...values: (string | number | null | undefined)[]): string[] =>
  values.flatMap((value) => (value === null || value === undefined ? [] : [String(value)]));

type Status = Pick<IssueView, "status" | "status_id" | "status_name">;

/** A column is named by its category, id or name. A column called "Done" must not pass for the category `done`. */
function namesOfStatus({ status, status_id, status_name }: Status): string[] {
  return [status, ...present(status_id), ...present(status_name).filter((name) => !isCategory(name.toLowerCase()))];
}

const isCategory = (name: string): boolean =>
  CATEGORIES.some((category) => category === name.replaceAll(" ", "_")) || Object.hasOwn(CATEGORY_SYNONYMS, name);

/** The fields of an issue's view that a condition's field stands for, where the names differ. */
const FIELDS_OF_VIEW: Partial<Record<FieldName, readonly (keyof IssueView)[]>> = {
  project: ["project_id"],
  status: ["status", "status_id"],
  assignee: ["assignees"],
  label: ["labels"],
  reporter: ["reporter_id"],
  sprint: ["sprint_id"],
  milestone: ["milestone_id"],
  release: ["release_id"],
  parent: ["parent_id"],
  estimate: ["story_points", "estimate_minutes"],
  description: ["description_md"],
};

function isChanged(field: string, issue: IssueView, previous: Partial<IssueView>): boolean {
  const custom = customFieldOf(field);
  if (custom) {
    const before = previous.custom_fields;
    return before !== undefined && !isSame(own(before, custom), own(issue.custom_fields, custom));
  }
  const names: readonly string[] = own(FIELDS_OF_VIEW, field) ?? [field];
  return names.some((name) => Object.hasOwn(previous, name));
}
