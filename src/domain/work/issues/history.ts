import type { EventDefinition } from "../../events/define-event.ts";
import { type About, recordDifference } from "../../events/record.ts";
import type { InProject, Recording, Writing } from "../../kernel/context.ts";
import { type Difference, differenceOf, isSame } from "../../kernel/difference.ts";
import { mentionContext } from "../../kernel/mentions.ts";
import type { ActivityLine } from "../../kernel/recorded.ts";
import type { FullIssue } from "./change.sql.ts";
import { issueAssigned, issuePriorityChanged, issueStatusChanged, issueUnassigned, issueUpdated } from "./events.ts";
import { namesOf } from "./history.sql.ts";
import { changedValues, valueLines } from "./history-of-values.ts";
import { type IssueContext, type IssueView, labelsOf, viewOf } from "./view.ts";

/** Events and lines of history for a change of an issue. Both are computed from the views before and after. */

/**
 * Records the difference between two states of an issue and returns the new view.
 * @param ids the ids that its custom-field values name
 * @param context what notifications need to know of the change
 * @param known names that the caller knows, by id
 */
export async function recordIssueChange(
  ctx: InProject & Writing,
  before: FullIssue,
  after: FullIssue,
  ids: string[] = [],
  context: Record<string, unknown> = {},
  known: Names = new Map(),
): Promise<IssueView> {
  const views = compare(ctx, before, after);
  const named = [...namedBy(views.old, views.seen, views.changed), ...ids].filter((id) => !known.has(id));
  const names = new Map([...known, ...(await namesOf(ctx.db, ctx.workspace.id, named))]);
  return recordCompared(ctx, before, after, views, names, context);
}

/** The same, for callers that already know the names of added and removed objects. */
export function recordComparedIssue(
  ctx: IssueContext & Recording,
  before: FullIssue,
  after: FullIssue,
  names: Names,
  context: Record<string, unknown> = {},
): IssueView {
  return recordCompared(ctx, before, after, compare(ctx, before, after), names, context);
}

/** The views before and after, and their difference. */
function compare(ctx: IssueContext, before: FullIssue, after: FullIssue) {
  const view = issueViewOf(ctx, after);
  const [old, seen] = [seenOf(before, issueViewOf(ctx, before)), seenOf(after, view)];
  return { view, old, seen, ...differenceIn(old, seen) };
}

function recordCompared(
  ctx: IssueContext & Recording,
  before: FullIssue,
  after: FullIssue,
  { view, old, seen, previous, changed }: ReturnType<typeof compare>,
  names: Names,
  context: Record<string, unknown>,
): IssueView {
  const place = { ...ctx, project: { id: after.project_id } };
  const record = (event: EventDefinition<string, typeof IssueView, "project">, about: Omit<About, "issue_id"> = {}) =>
    recordDifference(place, event, view, { previous, changed }, { issue_id: after.id, ...about });

  // Specific events come first, then issue.updated, so that a webhook for issue.updated alone misses nothing.
  if (changed.includes("status") || changed.includes("status_id")) record(issueStatusChanged);
  if (changed.includes("priority")) record(issuePriorityChanged);
  const added = after.assignee_ids.filter((id) => !before.assignee_ids.includes(id));
  if (added.length > 0) record(issueAssigned, { context: { added } });
  const removed = before.assignee_ids.filter((id) => !after.assignee_ids.includes(id));
  if (removed.length > 0) record(issueUnassigned, { context: { removed } });
  const all = { ...context, ...mentionContext(before.description_md, after.description_md).context };
  const about = Object.keys(all).length > 0 ? { context: all } : {};
  record(issueUpdated, { activity: linesOf(old, seen, changed, names), ...about });
  return view;
}

const issueViewOf = (ctx: IssueContext, issue: FullIssue): IssueView => viewOf(ctx, issue, labelsOf(issue));

/** The compared fields: those of the view, and the one that only the view of time tracking shows. */
type Seen = IssueView & Pick<FullIssue, "remaining_minutes">;
const seenOf = ({ remaining_minutes }: FullIssue, view: IssueView): Seen => ({ ...view, remaining_minutes });

type Field = keyof Seen;

/** Fields that are derived from others or from the change itself. */
const DERIVED: readonly Field[] = [
  "version",
  "updated_at",
  "status_name",
  "assignee_name",
  "assignee_kind",
  "parent_key",
  "epic_key",
  "children",
  "counts",
];

/** Labels are compared by id, because a label's name can change at any time and has its own event. */
function differenceIn(old: Seen, view: Seen): Difference & { changed: Field[] } {
  const { labels } = old;
  const sameLabels = isSame(labels.map(idOf), view.labels.map(idOf));
  const { previous, changed } = differenceOf(sameLabels ? { ...old, labels: view.labels } : old, view, DERIVED);
  return { previous, changed: changed as Field[] };
}

/** Kinds of lines other than `updated`. Lists and moves between columns have lines of their own. */
const KINDS: Partial<Record<Field, string>> = {
  rank: "moved",
  parent_id: "parent_changed",
  epic_id: "parent_changed",
  sprint_id: "sprint_changed",
  milestone_id: "milestone_changed",
  release_id: "release_changed",
  spent_minutes: "time_logged",
};

/** They follow from others, or have lines of another event: those of a session come with the session's. */
const WITHOUT_LINE: readonly Field[] = [
  ...(["status", "status_id", "started_at", "resolved_at", "assignee_id", "is_blocked"] as const),
  "active_session_ids",
  // Lines about dates name the day if there is one.
  ...(["start_on", "due_on"] as const),
];

export type Names = Map<string, string | null>;

/** Fields whose values are ids of objects with a name. */
const NAMED: readonly Field[] = ["assignees", "reporter_id", "sprint_id", "milestone_id", "release_id"];

const namedBy = (old: Seen, view: Seen, changed: Field[]): string[] => [
  ...new Set([
    ...changed
      .filter((field) => NAMED.includes(field))
      .flatMap((field) => [...idsIn(old[field]), ...idsIn(view[field])]),
    ...changedValues(old, view),
  ]),
];

const idsIn = (value: unknown) => [value].flat().filter((id): id is string => typeof id === "string");

/** Returns one line per changed field. Changes of lists are split into added and removed members. */
function linesOf(old: Seen, view: Seen, changed: Field[], names: Names): ActivityLine[] {
  const lines: ActivityLine[] = [];
  const moved = changed.includes("status_id") || changed.includes("status");
  if (moved) {
    lines.push({
      kind: "status_changed",
      payload: {
        field: "status",
        from: old.status,
        to: view.status,
        from_id: old.status_id,
        to_id: view.status_id,
        from_name: old.status_name,
        to_name: view.status_name,
      },
    });
  }
  for (const field of changed) {
    if (WITHOUT_LINE.includes(field)) continue;
    // A move to another column always changes the rank, so the rank gets a line only if the column stays the same.
    if (field === "rank" && moved) continue;
    if (field === "assignees") {
      const people = (ids: string[]) => ids.map((id) => ({ id, name: names.get(id), shown: id }));
      lines.push(...listLines(field, people(old.assignees), people(view.assignees), ["assigned", "unassigned"]));
    } else if (field === "labels") {
      const labels = ({ labels }: Seen) => labels.map(({ id, name }) => ({ id, name, shown: name }));
      lines.push(...listLines(field, labels(old), labels(view), ["labelled", "unlabelled"]));
    } else if (field === "custom_fields") lines.push(...valueLines(old, view, names));
    else if (field === "active_workflow_run_id") {
      const kind = view[field] === null ? "workflow_ended" : "workflow_started";
      lines.push({ kind, payload: { field, from: old[field], to: view[field] } });
    }
    // A description is not repeated in the history, because its old and new text would double it with each edit.
    else if (field === "description_md") lines.push({ kind: "updated", payload: { field } });
    else {
      const payload = { field, from: old[field], to: view[field], ...namesIn(field, old, view, names) };
      lines.push({ kind: KINDS[field] ?? "updated", payload });
    }
  }
  return lines;
}

/** Returns the display names of the two values, if they are ids or constants. */
function namesIn(field: Field, old: Seen, view: Seen, names: Names) {
  const both = (name: (issue: Seen) => string | null) => ({ from_name: name(old), to_name: name(view) });
  if (field === "parent_id") return both((issue) => issue.parent_key);
  if (field === "epic_id") return both((issue) => issue.epic_key);
  if (field === "due_at") return both(({ due_on }) => due_on);
  if (field === "start_at") return both(({ start_on }) => start_on);
  if (field === "priority") return both(({ priority }) => priority[0]!.toUpperCase() + priority.slice(1));
  return NAMED.includes(field) ? both((issue) => names.get(String(issue[field])) ?? null) : {};
}

/** A label or an assignee. `shown` is how the line of history refers to it besides its name. */
type Member = { id: string; name: string | null | undefined; shown: string };

const idOf = ({ id }: { id: string }) => id;

function listLines(field: string, from: Member[], to: Member[], [came, went]: [string, string]): ActivityLine[] {
  const without = (some: Member[], others: Member[]) => some.filter(({ id }) => !others.map(idOf).includes(id));
  const [added, removed] = [without(to, from), without(from, to)];
  const lines: ActivityLine[] = [];
  if (added.length > 0) lines.push({ kind: came, payload: { field, ...listed("to", added) } });
  if (removed.length > 0) lines.push({ kind: went, payload: { field, ...listed("from", removed) } });
  if (lines.length > 0) return lines;
  return [{ kind: "updated", payload: { field, ...listed("from", from), ...listed("to", to) } }];
}

const listed = (side: "from" | "to", members: Member[]) => ({
  [side]: members.map(({ shown }) => shown),
  [`${side}_name`]: members.flatMap(({ name }) => name ?? []).join(", "),
});
