import type { InProject, Writing } from "../../kernel/context.ts";
import { type ListFilter, matching } from "./list-conditions.sql.ts";
import { COULD_START } from "./ready.sql.ts";
import type { Readiness } from "./ready.ts";

/**
 * Locks the first of these issues that no other transaction has locked, and returns its id. Postgres compares a row that
 * changed meanwhile with the conditions again; so all of them are about the row itself.
 */
export async function lockFirstFree(
  ctx: InProject & Writing,
  ids: readonly string[],
  filters: ListFilter[],
  ready: Readiness,
): Promise<string | null> {
  const values: unknown[] = [ctx.workspace.id, ids];
  const conditions = matching(filters, ready, (value) => `$${values.push(value)}`);
  const text = `
    select i.id, i.updated_at from only issue i
    where i.workspace_id = $1 and i.id = any($2::uuid[]) and ${COULD_START} and ${conditions}
    order by i.rank, i.id limit 1 for no key update of i skip locked`;
  const [row] = await ctx.tx.query<{ id: string; updated_at: string }>({ text }, values);
  if (!row) return null;
  ctx.waited(row.updated_at);
  return row.id;
}
