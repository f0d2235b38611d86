import { categoryNamed } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { nameKey } from "../../kernel/text.ts";
import { columnsOf } from "../../work/issues/board.sql.ts";
import type { WantedColumn } from "../../work/issues/columns.ts";

/**
 * The column that an action names by category, id or name, as a change of an issue asks for it. Which column of a category
 * it is, the change finds out under the lock of the issue, because that depends on the column where the issue is.
 * @throws Refusal invalid_reference, if the board has no column of this name
 */
export async function columnNamed(ctx: InProject, ref: string): Promise<WantedColumn> {
  const category = categoryNamed(ref);
  if (category !== null) return { status: category };
  const id = readId(ref);
  if (id !== null) return { status_id: id };
  const columns = await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id);
  const named = columns.find((column) => nameKey(column.name) === nameKey(ref));
  return { status_id: (named ?? refuseReference("/status", ref, { message: "The board has no such column." })).id };
}
