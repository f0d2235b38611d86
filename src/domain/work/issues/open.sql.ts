import { CATEGORIES, isClosed } from "../../kernel/categories.ts";

/** Categories of open issues, for `in (…)`. */
export const OPEN = CATEGORIES.filter((category) => !isClosed(category))
  .map((category) => `'${category}'`)
  .join(", ");

/**
 * SQL: the column of `issue i` is open. The column says so at once when it is closed or deleted, its issues perhaps only
 * when a worker has come to them.
 */
export const HAS_OPEN_COLUMN = `exists (
  select from board_status s where s.id = i.status_id and s.deleted_at is null and s.category in (${OPEN}))`;
