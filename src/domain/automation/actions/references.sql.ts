import { visibility, visible } from "../../access/identity/visible.sql.ts";
import { readId } from "../../kernel/ids.ts";
import { nameKey } from "../../kernel/text.ts";
import type { Checking } from "./define.ts";

/** Looks up objects of projects that actions name, when the actions are saved. */

/** Objects with a name that is unique in their project. */
const TABLES = {
  status: ["board_status", "o.deleted_at is null"],
  label: ["label", "true"],
  sprint: ["sprint", "o.deleted_at is null"],
  milestone: ["milestone", "o.deleted_at is null"],
  release: ["release", "o.deleted_at is null"],
  custom_field: ["custom_field", "o.deleted_at is null"],
} as const;
export type Named = keyof typeof TABLES;

/** Whether a live project that the caller sees, and that the actions are for, has an object with this id or name. */
export async function exists(ctx: Checking, kind: Named, ref: string): Promise<boolean> {
  const [table, live] = TABLES[kind];
  const text = `
    select 1 from ${table} o join project p on p.id = o.project_id
    where o.workspace_id = $1 and ($2::uuid is null or p.id = $2) and p.archived_at is null and ${live}
      and ${visible(3)} and (o.id = $7::uuid or name_key(o.name) = $8) limit 1`;
  return has(ctx, `action_names_${kind}`, text, [readId(ref), nameKey(ref)]);
}

/** Whether one of these projects has a column of the category. */
export async function hasCategory(ctx: Checking, category: string): Promise<boolean> {
  const text = `
    select 1 from board_status o join project p on p.id = o.project_id
    where o.workspace_id = $1 and ($2::uuid is null or p.id = $2) and p.archived_at is null and o.deleted_at is null
      and ${visible(3)} and o.category = $7 limit 1`;
  return has(ctx, "action_names_category", text, [category]);
}

async function has(ctx: Checking, name: string, text: string, values: unknown[]): Promise<boolean> {
  const at = [ctx.workspace.id, ctx.projectId, ...visibility(ctx.principal)];
  const rows = await ctx.db.query({ name, text }, [...at, ...values]);
  return rows.length > 0;
}

/** Whether a workflow may be started on issues of these projects: it is for all projects, or for this one. */
export async function hasWorkflow({ db, workspace, projectId }: Checking, id: string | null): Promise<boolean> {
  const text = `
    select 1 from workflow where workspace_id = $1 and id = $2 and deleted_at is null
      and (project_id is null or $3::uuid is null or project_id = $3)`;
  const rows = await db.query({ name: "action_names_workflow", text }, [workspace.id, id, projectId]);
  return rows.length > 0;
}
