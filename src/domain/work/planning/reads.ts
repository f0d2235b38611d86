import type { InProject } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { type InPlan, listPlanned, type Rows, readPlanned, type Table } from "./planning.sql.ts";

/** Whether the caller wants to see how many issues there are, which is what costs most. No fields named: all. */
export const wantsField = (name: string, fields: readonly string[]): boolean =>
  fields.length === 0 || fields.includes(name);

/**
 * Returns the list and read functions of milestones, sprints or releases. They differ in their views only. `fields` are
 * those that are sent: without `progress`, nothing is counted.
 */
export function readsOf<T extends Table, View>(table: T, viewOf: (row: Rows[T]) => View) {
  return {
    /** Returns a page of a project's, by rank. */
    async listPage(ctx: InProject, paging: Paging, fields: readonly string[] = []) {
      const counts = wantsField("progress", fields);
      const rows = await listPlanned(ctx, table, { after: paging.after, limit: paging.limit + 1, counts });
      const page = pageOf(rows, paging, (row) => [row.rank, row.id]);
      return { rows: page.rows.map((row) => viewOf(row)), next_cursor: page.next_cursor };
    },

    /** Returns the one with this id; null if it does not exist or is deleted. */
    async read(ctx: InPlan, text: string, _parent?: undefined, fields: readonly string[] = []): Promise<View | null> {
      const id = readId(text);
      const row = id && (await readPlanned(ctx, table, id, wantsField("progress", fields)));
      return row ? viewOf(row) : null;
    },
  };
}
