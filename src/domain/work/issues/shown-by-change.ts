import type { IssueRow, LabelRow } from "../../access/identity/issue-row.ts";
import type { Changes, FullIssue, Shown } from "./change.sql.ts";
import type { Names } from "./history.ts";
import type { Known } from "./read-for-change.ts";

/** What the reply and the event of a change show besides its columns, as far as it was read before the change. */

/** New assignees and reporters watch the issue. */
export const newcomersOf = (before: IssueRow, { assignee_ids = [], reporter_id }: Changes): string[] => [
  ...assignee_ids.filter((id) => !before.assignee_ids.includes(id)),
  ...(reporter_id === undefined ? [] : [reporter_id]),
];

export function shownBy(before: FullIssue, changes: Changes, known: Known): Shown {
  const parts = [columnOf(changes, known), peopleOf(before, changes, known), labelsOf(before, changes, known)];
  return {
    columns: parts.flatMap((part) => part?.columns ?? []),
    row: Object.assign({}, ...parts.map((part) => part?.row)),
  };
}

function columnOf({ status_id }: Changes, { columns }: Known): Shown | null {
  const column = columns.find(({ id }) => id === status_id);
  return column ? { columns: ["status_id"], row: { status_name: column.name } } : null;
}

function peopleOf(before: FullIssue, changes: Changes, { found, named, watching }: Known): Shown | null {
  const newcomers = [...new Set(newcomersOf(before, changes))];
  if (newcomers.some((id) => !named.has(id))) return null;
  const watcher_count = before.watcher_count + newcomers.filter((id) => !watching.has(id)).length;
  const { assignee_ids = before.assignee_ids } = changes;
  const { assignee_name, assignee_kind } = before;
  const [first] = assignee_ids;
  const person =
    first === before.assignee_ids[0]
      ? { name: assignee_name, kind: assignee_kind }
      : first === undefined
        ? { name: null, kind: null }
        : found.people.get(first);
  if (!person) return null;
  const row = { watcher_count, assignee_name: person.name, assignee_kind: person.kind };
  return { columns: ["assignee_ids", "reporter_id"], row };
}

function labelsOf(before: FullIssue, { label_ids }: Changes, { found }: Known): Shown | null {
  if (!label_ids) return null;
  const rows = new Map([...found.labels.values()].map((row) => [row.id, row]));
  for (const row of before.labels ?? []) rows.set(row.id, row);
  const labels = label_ids.map((id) => rows.get(id));
  return labels.includes(undefined) ? null : { columns: ["label_ids"], row: { labels: labels as LabelRow[] } };
}

/** The names of people that were read. */
export function namesIn(before: IssueRow, { found }: Known): Names {
  const names: Names = new Map([...found.people.values()].map(({ id, name }) => [id, name]));
  const [first] = before.assignee_ids;
  return first === undefined ? names : names.set(first, before.assignee_name);
}
