import type { IssueRow, LabelRow } from "../../access/identity/issue-row.ts";
import { isClosed, isStarted } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { Refusal, refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { newId, referenceKey } from "../../kernel/ids.ts";
import { endsBefore, withDays } from "../../kernel/whole-days.ts";
import { fieldValuesOf, type KnownFields, type NewValue, valuesOfNew, warnOfMissing } from "../fields/of-issue.ts";
import { checkMove, columnFor, defaultColumn, type ReadBoard, type Target, wipModeOf } from "./columns.ts";
import { checkFamily, epicPassedOn, MAX_DEPTH } from "./hierarchy.ts";
import type { IssueCreateInput } from "./inputs.ts";
import { checkPlanning, checkSprint } from "./plans.ts";
import { type Position, requestedPosition } from "./ranks.ts";
import type { Found, ParentRow } from "./references.sql.ts";

/** A new issue that is checked and complete except for its number. */
export type Draft = {
  row: IssueRow;
  labels: LabelRow[];
  values: NewValue[];
  watchers: string[];
  depth: number;
  /** Null for the end of the project, where its number puts it. */
  position: Position | null;
  parentIsNew: boolean;
};

/** What the items of a call are checked against. */
export type Known = {
  found: Found;
  fields: KnownFields;
  board: ReadBoard;
  /** Earlier items of the call, in order. */
  earlier: (Draft | Refusal)[];
  /** External ids in use, as `source\nid`, with the id of the issue; null for an earlier item. */
  taken: Map<string, string | null>;
};

/** Checks one input and the objects that it names. */
export async function draftOf(ctx: InProject, sent: IssueCreateInput, known: Known): Promise<Draft | Refusal> {
  const warned = ctx.warnings.length;
  try {
    return await checkedDraft(ctx, withDays(ISSUE_DATES, sent, null), known);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.warnings.length = warned;
    return error;
  }
}

async function checkedDraft(ctx: InProject, input: IssueCreateInput, known: Known): Promise<Draft> {
  const { found, earlier, taken } = known;
  const column = await columnOf(ctx, input, known);
  const parent = relative("parent", input.parent, found, earlier);
  const named = relative("epic", input.epic, found, earlier);
  checkFamily(input.type, parent, named);
  const passedOn = epicPassedOn(parent);
  const epic = input.epic === undefined ? passedOn : { epic_id: named?.id ?? null, epic_number: named?.number ?? null };
  if (parent && parent.depth + 1 > MAX_DEPTH) refuse("depth_limit_reached", { path: "/parent", max_depth: MAX_DEPTH });
  const assignees = assigneesOf(ctx, input, found);
  const labels = unique(
    (input.labels ?? []).map((ref, n) => found.labels.get(referenceKey(ref)) ?? refuseReference(`/labels/${n}`, ref)),
  );
  const reporter = input.reporter === undefined ? ctx.principal.user_id : reporterOf(ctx, input.reporter, found);
  checkPlanning(input, found);
  checkSprint(input.sprint_id, column.category, found);
  checkDates(input);
  const values = valuesOfNew(fieldValuesOf(input.custom_fields), input.type, known.fields);
  const watchers = (input.watcher_ids ?? []).map((ref, n) => personOf(`/watcher_ids/${n}`, ref, found).id);

  const position = requestedPosition(input, found, null);
  // Last, because it reserves the external id for this item.
  checkExternal(input, taken);
  const first = assignees[0];
  const row: IssueRow = {
    id: newId(),
    project_id: ctx.project.id,
    number: 0,
    key: "",
    type: input.type,
    title: input.title,
    description_md: input.description_md ?? null,
    status: column.category,
    status_id: column.id,
    status_name: column.name,
    priority: input.priority,
    rank: "",
    assignee_ids: assignees.map((person) => person.id),
    assignee_name: first?.name ?? null,
    assignee_kind: first?.kind ?? null,
    reporter_id: reporter,
    parent_id: parent?.id ?? null,
    parent_number: parent?.number || null,
    epic_id: epic.epic_id,
    epic_number: epic.epic_number || null,
    epic_own: epic.epic_id !== passedOn.epic_id,
    milestone_id: input.milestone_id ?? null,
    sprint_id: input.sprint_id ?? null,
    release_id: input.release_id ?? null,
    label_ids: labels.map((label) => label.id),
    estimate_minutes: input.estimate_minutes ?? null,
    story_points: input.story_points ?? null,
    spent_minutes: input.spent_minutes ?? null,
    remaining_minutes: null,
    agent_minutes: 0,
    completion_pct: input.completion_pct ?? null,
    start_at: input.start_at ?? null,
    start_on: input.start_on ?? null,
    due_at: input.due_at ?? null,
    due_on: input.due_on ?? null,
    started_at: isStarted(column.category) ? ctx.now : null,
    resolved_at: isClosed(column.category) ? ctx.now : null,
    archived_at: null,
    archived_reason: null,
    custom_fields: Object.fromEntries(values.map(({ field_id, value }) => [field_id, value])),
    active_session_ids: [],
    active_workflow_run_id: null,
    child_count: 0,
    child_done_count: 0,
    child_cancelled_count: 0,
    comment_count: 0,
    attachment_count: 0,
    link_count: 0,
    watcher_count: 0,
    open_blocker_count: 0,
    external_source: input.external_source ?? null,
    external_id: input.external_id ?? null,
    version: 1,
    created_by: ctx.principal.user_id,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  const watching = [...new Set([reporter, ...row.assignee_ids, ...watchers])];
  row.watcher_count = watching.length;
  countInFamily(earlier, row);
  warnOfMissing(ctx, row, known.fields.rows, { path: "/custom_fields" });
  return {
    row,
    labels,
    values,
    watchers: watching,
    depth: (parent?.depth ?? 0) + 1,
    position,
    parentIsNew: parent?.isNew ?? false,
  };
}

async function columnOf(ctx: InProject, input: IssueCreateInput, { board, earlier }: Known): Promise<Target> {
  const named = await columnFor(ctx, board, input, null);
  if (named === null && wipModeOf(ctx) === "off") return defaultColumn(ctx, board);
  const column = named ?? (await columnFor(ctx, board, { status_id: (await defaultColumn(ctx, board)).id }, null))!;
  const others = earlier.filter((draft) => !(draft instanceof Refusal) && draft.row.status_id === column.id).length;
  await checkMove(ctx, { id: "", status_id: null, open_blocker_count: 0 }, column, others);
  return column;
}

type Relative = ParentRow & { isNew?: boolean };

function relative(
  field: "parent" | "epic",
  ref: string | null | undefined,
  found: Found,
  earlier: (Draft | Refusal)[],
): Relative | null {
  if (ref === null || ref === undefined) return null;
  const item = /^#(\d{1,2})$/.exec(ref);
  if (!item) return found.issues.get(referenceKey(ref)) ?? refuseReference(`/${field}`, ref);
  const named = earlier[Number(item[1])];
  if (!named || named instanceof Refusal) {
    return refuseReference(`/${field}`, ref, {
      message: `Item ${item[1]} does not come before this one, or was refused.`,
    });
  }
  const { row } = named;
  return { ...row, number: 0, depth: named.depth, archived_at: null, family_revision: 0, isNew: true };
}

/** Counts an issue in the earlier items of the call that are its parent or epic. */
function countInFamily(earlier: (Draft | Refusal)[], row: IssueRow) {
  for (const draft of earlier) {
    if (draft instanceof Refusal) continue;
    const above = draft.row;
    if (above.id !== (above.type === "epic" ? row.epic_id : row.parent_id)) continue;
    above.child_count++;
    if (row.status === "done") above.child_done_count++;
    if (row.status === "cancelled") above.child_cancelled_count++;
  }
}

function assigneesOf(ctx: InProject, input: IssueCreateInput, found: Found) {
  const { assignee_ids, assignee } = input;
  if (assignee_ids) return unique(assignee_ids.map((ref, n) => personOf(`/assignee_ids/${n}`, ref, found)));
  if (assignee) return [personOf("/assignee", assignee, found)];
  const fallback = assignee === undefined && ctx.project.default_assignee_id;
  // A default assignee who left the workspace or cannot see the project is ignored: the caller did not choose them.
  const person = fallback && found.people.get(fallback);
  return person ? [person] : [];
}

/** @throws Refusal invalid_reference */
export const personOf = (path: string, ref: string, found: Found) =>
  found.people.get(referenceKey(ref)) ?? refuseReference(path, ref);

function reporterOf(ctx: InProject, ref: string, found: Found): string {
  const person = personOf("/reporter", ref, found);
  if (person.id !== ctx.principal.user_id && ctx.principal.role !== "owner" && ctx.principal.role !== "admin") {
    refuse("insufficient_role", { message: "Only admins may name another reporter.", required_role: "admin" });
  }
  return person.id;
}

export const ISSUE_DATES = ["start_at", "due_at"] as const;

type Dates = Partial<Pick<IssueRow, "start_at" | "start_on" | "due_at" | "due_on">>;

/** @throws Refusal validation_failed */
export function checkDates({ start_at = null, start_on = null, due_at = null, due_on = null }: Dates): void {
  if (endsBefore({ at: due_at, on: due_on }, { at: start_at, on: start_on })) {
    refuseField("/due_at", "too_small", "must not be before start_at");
  }
}

function checkExternal({ external_source, external_id }: IssueCreateInput, taken: Known["taken"]): void {
  if ((external_source ?? null) === null && (external_id ?? null) === null) return;
  if (!external_source || !external_id) {
    refuseField(
      external_source ? "/external_id" : "/external_source",
      "required",
      "must be sent together with the other external field",
    );
  }
  const key = `${external_source}\n${external_id}`;
  const existing = taken.get(key);
  if (existing !== undefined) refuseTaken(existing);
  // A second item of the call with the same pair is a duplicate, too.
  taken.set(key, null);
}

/** Refuses an external id that another issue has. An earlier item of the same call has no id to return yet. */
export function refuseTaken(existingId: string | null): never {
  const existing = existingId === null ? {} : { existing_id: existingId };
  refuse("already_exists", { message: "An issue with this external id exists.", ...existing, path: "/external_id" });
}

export const unique = <T>(values: T[]): T[] => [...new Set(values)];
