import { ISSUE_TYPES, PRIORITIES } from "../../../domain/access/identity/issue-row.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { SavedViewView } from "../../../domain/work/saved-views/view.ts";
import type { Option } from "../kit/fields.ts";
import { issueLine, type Shown } from "../kit/issues.ts";
import { words } from "../kit/words.ts";
import type { Choices } from "./choices.ts";

/** The issues of a page of the list, in groups if its view says so. */

type Group = NonNullable<SavedViewView["group_by"]>;

const LABELS: Record<Group, string> = {
  status: "Columns",
  assignee: "Who has it",
  priority: "Priority",
  label: "Labels",
  sprint: "Sprints",
  type: "Types",
  epic: "Epics",
};

export const GROUPS: readonly Option[] = Object.entries(LABELS).map(([value, label]) => ({ value, label }));

type Named = readonly { id: string; name: string }[];
const named = (all: Named, id: string | null, none: string): string =>
  id === null ? none : (all.find((one) => one.id === id)?.name ?? "Another");

/** The group that an issue is in. One with several labels is in that of the first. */
const GROUP_OF: Record<Group, (issue: IssueView, all: Choices) => string> = {
  status: ({ status_name, status }) => status_name ?? words(status),
  assignee: ({ assignee_id, assignee_name }) => (assignee_id === null ? "Nobody" : (assignee_name ?? "Someone")),
  priority: ({ priority }) => words(priority),
  label: ({ labels }) => labels[0]?.name ?? "No label",
  sprint: ({ sprint_id }, { sprints }) => named(sprints, sprint_id, "No sprint"),
  type: ({ type }) => words(type),
  epic: ({ epic_key }) => epic_key ?? "No epic",
};

/** The order of the groups, as far as there is one. Others stand as the list has them. */
const ORDER: Record<Group, (all: Choices) => readonly string[]> = {
  status: ({ statuses }) => statuses.map(({ name }) => name),
  assignee: () => [],
  priority: () => PRIORITIES.map(words).reverse(),
  label: ({ labels }) => labels.map(({ name }) => name),
  sprint: ({ sprints }) => sprints.map(({ name }) => name),
  type: () => ISSUE_TYPES.map(words),
  epic: () => [],
};

export function groupedLines(issues: readonly IssueView[], by: Group | null, all: Choices, shown: Shown): Html {
  const lines = (some: readonly IssueView[]) =>
    html`<ul class="lines">${some.map((issue) => issueLine(issue, shown))}</ul>`;
  if (by === null) return lines(issues);
  const order = ORDER[by](all);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const groups = [...Map.groupBy(issues, (issue) => GROUP_OF[by](issue, all))];
  const sorted = groups.toSorted(([one], [other]) => place(one) - place(other));
  return html`${sorted.map(
    ([name, some]) =>
      html`<section class="group"><h2 dir="auto">${name} <span class="quiet">${some.length}</span></h2>${lines(some)}</section>`,
  )}`;
}
