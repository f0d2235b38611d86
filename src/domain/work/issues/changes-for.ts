import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { type FieldValueInput, nextValues } from "../fields/of-issue.ts";
import { type Logged, logged } from "../time/logged.ts";
import { checkTotal } from "../time/own-minutes.ts";
import type { ColumnWithEnd } from "./board.sql.ts";
import type { Changes, FullIssue } from "./change.sql.ts";
import { checkMove, columnFor } from "./columns.ts";
import { checkDates, personOf, unique } from "./draft.ts";
import { hasIssuesInEpic } from "./hierarchy.sql.ts";
import { checkFamily, checkParent, epicPassedOn } from "./hierarchy.ts";
import { type IssuePatchInput, MAX_LABELS } from "./inputs.ts";
import { plainChanges } from "./plain-changes.ts";
import { checkPlanning, checkSprint } from "./plans.ts";
import { hasPosition, type PositionInput, rankFor } from "./ranks.ts";
import { concernsFamily, type Known } from "./read-for-change.ts";
import type { Found } from "./references.sql.ts";
import { stamps } from "./stamps.ts";

/** The change that a call requests. */
export type Change = Omit<IssuePatchInput, "rank" | "before" | "after"> &
  PositionInput & {
    /** The value of one custom field, sent alone. */
    field_value?: FieldValueInput;
    /** Whether `status` and `status_id` have to name the same column if both are sent. */
    must_agree?: boolean;
    remaining_minutes?: number | null | undefined;
    /** What an entry of the time log adds to the time spent. */
    log?: Logged | undefined;
  };

/**
 * Returns the columns that a body changes, with their new values. Columns that keep their value are left out.
 * @throws Refusal
 */
export async function changesFor(
  ctx: InIssue & Writing,
  issue: FullIssue,
  wanted: Change,
  { inputs, fields, found, columns }: Known,
): Promise<Changes> {
  const next: Changes = { ...plainChanges(wanted, issue), ...(await moveChanges(ctx, issue, wanted, found, columns)) };
  await familyChanges(ctx, issue, wanted, found, next);

  const assignees = assigneesOf(wanted, found);
  if (assignees) next.assignee_ids = assignees;
  const labels = nextLabels(issue, wanted, found);
  if (labels) next.label_ids = labels;
  checkPlanning(wanted, found);
  // A client may send back the sprint that it has read.
  if (wanted.sprint_id !== issue.sprint_id) checkSprint(wanted.sprint_id, next.status ?? issue.status, found);
  for (const field of ["milestone_id", "sprint_id", "release_id"] as const) {
    if (wanted[field] !== undefined) next[field] = wanted[field];
  }
  if (wanted.reporter !== undefined) next.reporter_id = reporterOf(ctx, issue, wanted.reporter, found);
  const values = nextValues(issue.custom_fields, inputs, wanted.type ?? issue.type, fields);
  if (values) next.custom_fields = values;
  if (wanted.log) {
    const times = logged(issue, wanted.log);
    if (wanted.log.atLeast === undefined) await checkTotal(ctx, issue, times.spent_minutes, wanted.log);
    Object.assign(next, { ...times, ...pickRemaining(wanted) });
  }
  if (wanted.spent_minutes !== undefined) await checkTotal(ctx, issue, wanted.spent_minutes);

  return differing(issue, next);
}

/**
 * Those of the new values that differ from the present ones.
 * @throws Refusal validation_failed if the issue would contradict itself
 */
export function differing(issue: IssueRow, next: Changes): Changes {
  checkDates({ ...issue, ...next });
  const { external_id, external_source } = { ...issue, ...next };
  if ((external_id === null) !== (external_source === null)) {
    refuseField(
      external_id === null ? "/external_id" : "/external_source",
      "required",
      "must be sent together with the other external field",
    );
  }
  return changesTo(issue, next);
}

/** Returns column, category, rank, and the times that a move sets. */
async function moveChanges(
  ctx: InIssue & Writing,
  issue: IssueRow,
  wanted: Change,
  found: Found,
  columns: ColumnWithEnd[],
): Promise<Changes> {
  const column = await columnFor(ctx, async () => columns, wanted, issue);
  const moves = column !== null && column.id !== issue.status_id;
  if (!moves && !hasPosition(wanted)) return {};
  if (moves) await checkMove(ctx, issue, column);
  const rank = await rankFor(ctx, wanted, found, column ?? { id: issue.status_id! }, issue);
  return moves
    ? { rank, status_id: column.id, status: column.category, ...stamps(ctx.now, issue, column.category) }
    : { rank };
}

async function familyChanges(
  ctx: InIssue & Writing,
  issue: IssueRow,
  wanted: Change,
  found: Found,
  next: Changes,
): Promise<void> {
  const { parent: parentRef, epic: epicRef } = wanted;
  if (!concernsFamily(wanted)) return;
  const named = (field: "parent" | "epic", ref: string) =>
    found.issues.get(referenceKey(ref)) ?? refuseReference(`/${field}`, ref);
  const kept = issue.parent_id === null ? null : found.issues.get(issue.parent_id)!;
  const parent = parentRef === undefined ? kept : parentRef ? named("parent", parentRef) : null;
  const epic = epicRef ? named("epic", epicRef) : null;
  const moves = (parent?.id ?? null) !== issue.parent_id;
  const passedOn = epicPassedOn(parent);
  if (epicRef !== undefined) {
    // An issue that is given the epic of its parent follows it from now on.
    const own = (epic?.id ?? null) !== passedOn.epic_id;
    Object.assign(next, { epic_id: epic?.id ?? null, epic_number: epic?.number ?? null, epic_own: own });
  } else if (moves && !issue.epic_own) Object.assign(next, passedOn);

  const type = wanted.type ?? issue.type;
  if (type === "epic") next.epic_own = false;
  const after = { ...issue, ...next };
  // An issue may also name its present parent or epic again, even if that is archived now. Likewise a subtask that has had
  // no parent since before this was refused.
  const isOldSubtask = type === "subtask" && issue.type === "subtask" && issue.parent_id === null;
  const keepsEpic = after.epic_id !== null && after.epic_id === issue.epic_id;
  const followed = after.epic_id !== null && epicRef === undefined;
  checkFamily(type, (parent ? !moves : isOldSubtask) ? {} : parent, keepsEpic || followed ? { type: "epic" } : epic);
  if (issue.type === "epic" && type !== "epic" && (await hasIssuesInEpic(ctx.db, ctx.workspace.id, issue.id))) {
    refuseField("/type", "not_allowed", "other issues belong to this epic: give them another epic, or none, first");
  }
  if (parentRef !== undefined && parent) await checkParent(ctx.db, ctx.workspace.id, issue.id, parent);
  if (epic?.id === issue.id) refuseReference("/epic", epicRef, { message: "An issue cannot be its own epic." });
  if (parentRef !== undefined)
    Object.assign(next, { parent_id: parent?.id ?? null, parent_number: parent?.number ?? null });
}

function assigneesOf(wanted: Change, found: Found): string[] | null {
  if (wanted.assignee_ids === undefined && wanted.assignee === undefined) return null;
  const id = (path: string, ref: string) => personOf(path, ref, found).id;
  if (wanted.assignee_ids) return unique(wanted.assignee_ids.map((ref, n) => id(`/assignee_ids/${n}`, ref)));
  return wanted.assignee ? [id("/assignee", wanted.assignee)] : [];
}

function nextLabels(issue: IssueRow, wanted: Change, found: Found): string[] | null {
  const { labels, add_labels = [], remove_labels = [] } = wanted;
  if (labels === undefined && add_labels.length + remove_labels.length === 0) return null;
  if (labels !== undefined && add_labels.length + remove_labels.length > 0) {
    refuse("mutually_exclusive", {
      message: "Send labels, or add_labels and remove_labels.",
      fields: ["labels", "add_labels", "remove_labels"],
    });
  }
  const id = (path: string, ref: string) => (found.labels.get(referenceKey(ref)) ?? refuseReference(path, ref)).id;
  const removed = remove_labels.map((ref, n) => id(`/remove_labels/${n}`, ref));
  const kept = labels
    ? labels.map((ref, n) => id(`/labels/${n}`, ref))
    : issue.label_ids.filter((label) => !removed.includes(label));
  const next = unique([...kept, ...add_labels.map((ref, n) => id(`/add_labels/${n}`, ref))]);
  if (next.length > MAX_LABELS) {
    refuseField("/add_labels", "too_many_items", `must leave at most ${MAX_LABELS} labels on the issue`, {
      maximum: MAX_LABELS,
    });
  }
  return next;
}

function reporterOf(ctx: InIssue, issue: IssueRow, ref: string, found: Found): string {
  if (readId(ref) === issue.reporter_id) return issue.reporter_id;
  if (ctx.principal.role !== "owner" && ctx.principal.role !== "admin") {
    refuse("insufficient_role", { message: "Only admins may change the reporter.", required_role: "admin" });
  }
  return personOf("/reporter", ref, found).id;
}

const pickRemaining = ({ remaining_minutes }: Change) => (remaining_minutes === undefined ? {} : { remaining_minutes });
