import type { InIssue } from "../../access/identity/issue-row.ts";
import { categoryNamed } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { columnsOf } from "../../work/issues/board.sql.ts";
import { boardOf, columnFor, type Target } from "../../work/issues/columns.ts";

/**
 * The column that an action names by category, id or name.
 * @throws Refusal invalid_reference, if the issue's board has none
 */
export async function columnNamed(ctx: InIssue, ref: string): Promise<Target> {
  const category = categoryNamed(ref);
  if (category !== null) return (await columnFor(ctx, boardOf(ctx), { status: category }, ctx.issue))!;
  const id = readId(ref);
  if (id !== null) return (await columnFor(ctx, boardOf(ctx), { status_id: id }, null))!;
  return (await named(ctx, ref)) ?? refuseReference("/status", ref, { message: "The board has no such column." });
}

async function named(ctx: InProject, name: string): Promise<Target | undefined> {
  const columns = await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id);
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}
