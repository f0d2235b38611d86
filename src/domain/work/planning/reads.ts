import type { InProject } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { type InPlan, listPlanned, type Rows, readPlanned, type Table } from "./planning.sql.ts";

/** Returns the list and read functions of milestones, sprints or releases. They differ in their views only. */
export function readsOf<T extends Table, View>(table: T, viewOf: (row: Rows[T]) => View) {
  return {
    /** Returns a page of a project's, by rank. */
    async listPage(ctx: InProject, paging: Paging) {
      const rows = await listPlanned(ctx, table, paging.after, paging.limit + 1);
      const page = pageOf(rows, paging, (row) => [row.rank, row.id]);
      return { rows: page.rows.map((row) => viewOf(row)), next_cursor: page.next_cursor };
    },

    /** Returns the one with this id; null if it does not exist or is deleted. */
    async read(ctx: InPlan, text: string): Promise<View | null> {
      const id = readId(text);
      const row = id && (await readPlanned(ctx, table, id));
      return row ? viewOf(row) : null;
    },
  };
}
