import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { readId } from "../../kernel/ids.ts";
import { type FieldValueInput, fieldValuesOf, type KnownFields, lockRequestedFields } from "../fields/of-issue.ts";
import { lockBoardsBlockedBy } from "../links/blockers.sql.ts";
import { watchersAmong } from "../watchers/watchers.sql.ts";
import { type ColumnWithEnd, columnsWithEnds } from "./board.sql.ts";
import { type FullIssue, lockAndRead } from "./change.sql.ts";
import type { Change } from "./changes-for.ts";
import { refuseArchivedIssue } from "./lock-live.ts";
import { type Found, find } from "./references.sql.ts";

/** What a change needs to know besides its issue. */
export type Known = {
  inputs: FieldValueInput[];
  fields: KnownFields;
  found: Found;
  /** The board's columns, if the call names one. */
  columns: ColumnWithEnd[];
  /** The people named by id or `me`, and those of them who watch the issue. */
  named: ReadonlySet<string>;
  watching: ReadonlySet<string>;
};

/**
 * Takes the locks that a change needs, and reads the issue and all that the change names. All this is sent together, so
 * the locks are kept for one trip less for each statement; Postgres runs a statement only when the ones before it have
 * their locks.
 * @param needsBoards whether the boards are still to be locked
 * @throws Refusal archived
 */
export async function lockAndReadFor(
  ctx: InIssue & Writing,
  wanted: Change,
  needsBoards: boolean,
): Promise<{ before: FullIssue; known: Known }> {
  const inputs = [...fieldValuesOf(wanted.custom_fields), ...(wanted.field_value ? [wanted.field_value] : [])];
  const [, fields, { issue: before, changing }, ...read] = await Promise.all([
    needsBoards ? lockBoardsBlockedBy(ctx) : null,
    lockRequestedFields(ctx, inputs),
    lockAndRead(ctx, ctx.issue.id),
    ...readNamed(ctx, ctx.issue, wanted),
  ]);
  refuseArchivedIssue(before);
  const isAsBefore = !changing && isSame(refsOf(before, wanted), refsOf(ctx.issue, wanted));
  const [found, columns, watching] = isAsBefore ? read : await Promise.all(readNamed(ctx, before, wanted));
  return { before, known: { inputs, fields, found, columns, named: new Set(idsOf(ctx, wanted)), watching } };
}

const readNamed = (ctx: InIssue & Writing, issue: IssueRow, wanted: Change) =>
  [
    find(
      ctx.db,
      { workspaceId: ctx.workspace.id, project: ctx.project, principal: ctx.principal },
      refsOf(issue, wanted),
    ),
    wanted.status === undefined && wanted.status_id === undefined ? [] : columnsWithEnds(ctx, wanted, ctx.issue.id),
    watchersAmong(ctx, idsOf(ctx, wanted)),
  ] as const;

/** The ids of the named people, as far as the body itself has them. */
function idsOf({ principal }: InIssue, { assignee, assignee_ids = [], reporter }: Change): string[] {
  const refs = [assignee, ...assignee_ids, reporter];
  return refs.flatMap((ref) => (ref ? ((ref.toLowerCase() === "me" ? principal.user_id : readId(ref)) ?? []) : []));
}

export const concernsFamily = ({ parent, epic, type }: Change): boolean =>
  parent !== undefined || epic !== undefined || type !== undefined;

function refsOf(issue: IssueRow, wanted: Change) {
  const some = (...refs: (string | null | undefined)[]) => refs.filter((ref): ref is string => typeof ref === "string");
  const people = some(wanted.assignee, ...(wanted.assignee_ids ?? []), wanted.reporter);
  return {
    people,
    // A client can send back the assignees it has read, even if some of them cannot see the project.
    hidden: people.length > 0 ? issue.assignee_ids : [],
    labels: some(...(wanted.labels ?? []), ...(wanted.add_labels ?? []), ...(wanted.remove_labels ?? [])),
    issues: some(
      wanted.parent,
      wanted.epic,
      wanted.before,
      wanted.after,
      ...(concernsFamily(wanted) ? [issue.parent_id] : []),
    ),
    milestones: some(wanted.milestone_id),
    sprints: some(wanted.sprint_id),
    releases: some(wanted.release_id),
  };
}
