import { lockBoardsBlockedFrom } from "../../links/blockers.sql.ts";
import { archiveColumnOf, moveSome, type Setting } from "../../projects/status-issues.ts";
import type { OwnKind } from "../kinds.ts";

/** Changes of columns: their issues get another category, or are archived. */

const IN_COLUMN = "i.status_id = m.target_id and i.archived_at is null";

/** The column has another category. It may change again while issues have the first change to come. */
export const category: OwnKind = {
  toCome: `${IN_COLUMN} and (i.category_change is null or i.category_change < m.id)`,
  fieldOf: () => "status",
  lockBoards: lockBoardsBlockedFrom,
  make: (ctx, { id, data, created_at }, ids) =>
    moveSome(ctx, ids, { ...(data as Setting), change: id, at: created_at }),
};

/** The column was deleted. */
export const column: OwnKind = {
  toCome: IN_COLUMN,
  fieldOf: () => "status",
  lockBoards: lockBoardsBlockedFrom,
  make: (ctx, { data, created_at }, ids) =>
    archiveColumnOf(ctx, ids, { status: data as Setting["from"], at: created_at }),
};
