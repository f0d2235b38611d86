import { CATEGORIES, categoryNamed } from "../../kernel/categories.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import type { Project } from "../../kernel/rows.ts";
import { nameKey } from "../../kernel/text.ts";
import { columnsOf } from "./board.sql.ts";
import type { ListFilter } from "./list-conditions.sql.ts";
import { wrongValue } from "./wrong-value.ts";

type At = InWorkspace & { readonly project: Pick<Project, "id"> };

/**
 * Reads each value as a column's id or exact name, then as a category, then as a column's name in any case. A column may
 * be called like a category, and need not belong to it. In a view, such a word is a category.
 */
export async function statusFilter(ctx: At, values: string[], stored: boolean): Promise<ListFilter[] | null> {
  if (values.length === 0) return null;
  const board = await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id);
  const categories = new Set<string>();
  const columns = new Set<string>();
  for (const value of values) {
    const id = readId(value);
    const column = board.find((c) => c.id === id || (c.name === value && !stored));
    const category = column ? undefined : categoryNamed(value);
    const meant = column ?? (category ? undefined : board.find((c) => nameKey(c.name) === nameKey(value)));
    if (meant) columns.add(meant.id);
    else if (category) categories.add(category);
    else if (!id) {
      const allowed = [...CATEGORIES, ...board.map((c) => c.name)];
      wrongValue("status", value, "a category, status id or status name", allowed);
    }
  }
  // The index starts with the category, so a column is searched within its category.
  if (categories.size === 0) {
    const within = board.filter((c) => columns.has(c.id)).map((c) => c.category);
    return [
      { column: "status", any: [...new Set(within)], none: false },
      { column: "status_id", any: [...columns], none: false },
    ];
  }
  return [{ column: "status", any: [...categories], orColumns: [...columns], none: false }];
}
