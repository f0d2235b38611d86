import { isClosed } from "../../../kernel/categories.ts";
import { writeItems } from "../items.sql.ts";
import type { ComparedKind } from "../kinds.ts";

/** A column that assigns an issue to a milestone, sprint or release. */
export type PlanningColumn = "milestone_id" | "sprint_id" | "release_id";

/** All issues of a milestone, sprint or release, also archived ones, move to another one or to none. */
export const planned = (column: PlanningColumn): ComparedKind => ({
  toCome: `i.${column} = m.target_id`,
  fieldOf: () => column,
  changesOf: (issue, { target_id, to_id }) => (issue[column] === target_id ? { [column]: to_id } : null),
  write: (ctx, change, items) => writeItems(ctx, change, items, `${column} = m.to_id`, `plan_issues_${column}`),
  named: (_, { target_id, to_id }) => [target_id, ...(to_id ? [to_id] : [])],
});

const all = planned("sprint_id");
const IS_OPEN = "i.archived_at is null and i.status not in ('done', 'failed', 'cancelled')";

/** All issues of a deleted sprint. Its open ones may have left it before, and be on their way to the next one. */
export const wholeSprint: ComparedKind = {
  ...all,
  toCome: `i.sprint_id = m.target_id and not (${IS_OPEN} and exists (
    select from mass_change o where o.kind = 'open_of_sprint' and o.target_id = m.target_id))`,
};

/**
 * The open issues of a completed sprint move on. An issue that is opened again while others still move follows them, as no
 * open issue stays in a completed sprint.
 */
export const openOfSprint: ComparedKind = {
  ...all,
  toCome: `i.sprint_id = m.target_id and ${IS_OPEN}`,
  changesOf: (issue, change) =>
    issue.archived_at === null && !isClosed(issue.status) ? all.changesOf(issue, change) : null,
};
