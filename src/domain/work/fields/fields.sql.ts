import type { InProject, InWorkspace } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { nameKey } from "../../kernel/text.ts";
import type { Ranked } from "../positions.ts";
import type { FieldRow } from "./rows.ts";

/** Definitions of custom fields. Order of locks: workspace, board, project, fields by id, issues. */

type OfProject = InWorkspace & { readonly project: Pick<InProject["project"], "id"> };

const columns = `
  f.id, f.name, f.kind, f.options, f.applies_to, f.required, f.rank, f.description, f.default_value, f.min, f.max,
  f.precision, f.value_count, f.revision, f.created_at, f.updated_at`;
const live = `f.workspace_id = $1 and f.project_id = $2 and f.deleted_at is null`;

/** Returns a page of a project's fields, by rank. */
export function listFields({ db, workspace, project }: InProject, after: Cursor | null, limit: number) {
  return db.query<FieldRow>(
    {
      name: after ? "list_fields_after" : "list_fields",
      text: `
        select ${columns} from custom_field f
        where ${live} ${after ? `and (f.rank, f.id) > ($4::text collate "C", $5::uuid)` : ""}
        order by f.rank, f.id limit $3`,
    },
    [workspace.id, project.id, limit, ...(after ?? [])],
  );
}

const named = `(f.id = any($3::uuid[]) or name_key(f.name) = any($4::text[]))`;
const refsOf = (refs: string[]) => [refs.map(readId).filter((id) => id !== null), refs.map(nameKey)];

/** Returns the fields with these ids and names, and the fields that are required or have a default. */
export const readFields = ({ db, workspace, project }: InProject, refs: string[]): Promise<FieldRow[]> =>
  db.query<FieldRow>(
    {
      name: "fields_for_new_issues",
      text: `
        select ${columns} from custom_field f
        where ${live} and (${named} or f.required or f.default_value is not null) order by f.rank, f.id`,
    },
    [workspace.id, project.id, ...refsOf(refs)],
  );

/** Returns the fields with these ids and names. */
export const findFields = ({ db, workspace, project }: OfProject, refs: string[]): Promise<FieldRow[]> =>
  db.query<FieldRow>(
    { name: "find_fields", text: `select ${columns} from custom_field f where ${live} and ${named} order by f.id` },
    [workspace.id, project.id, ...refsOf(refs)],
  );

/** Names that an error shows. */
const MAX_NAMES = 100;

/** Returns the names of the project's fields, in order. */
export async function fieldNames({ db, workspace, project }: OfProject): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    { text: `select f.name from custom_field f where ${live} order by f.rank, f.id limit $3` },
    [workspace.id, project.id, MAX_NAMES],
  );
  return rows.map(({ name }) => name);
}

/** Locks the fields with these ids and names until the transaction ends, and returns them. */
export const lockFields = ({ db, workspace, project }: InProject, refs: string[]): Promise<FieldRow[]> =>
  db.query<FieldRow>(
    {
      name: "hold_fields",
      text: `select ${columns} from custom_field f where ${live} and ${named} order by f.id for no key update`,
    },
    [workspace.id, project.id, ...refsOf(refs)],
  );

/** Returns the number of fields of the project. */
export async function countFields({ db, workspace, project }: InProject): Promise<number> {
  const [row] = await db.query<{ fields: number }>(
    { text: `select count(*) as fields from custom_field f where ${live}` },
    [workspace.id, project.id],
  );
  return row?.fields ?? 0;
}

/** Returns the id of the field with this name, ignoring case. */
export async function fieldNamed({ db, workspace, project }: InProject, name: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    { text: `select f.id from custom_field f where ${live} and name_key(f.name) = $3` },
    [workspace.id, project.id, nameKey(name)],
  );
  return row?.id ?? null;
}

/** The columns that a body can set. */
export type Definition = Pick<
  FieldRow,
  | ("name" | "kind" | "options" | "applies_to" | "required" | "rank")
  | ("description" | "default_value" | "min" | "max" | "precision")
>;

const DEFINITION = `name, kind, options, applies_to, required, rank, description, default_value, min, max, "precision"`;

const valuesOf = (field: Definition) => [
  field.name,
  field.kind,
  field.options,
  field.applies_to,
  field.required,
  field.rank,
  field.description,
  field.default_value === null ? null : JSON.stringify(field.default_value),
  field.min,
  field.max,
  field.precision,
];

export async function insertField(ctx: InProject, id: string, field: Definition): Promise<void> {
  await ctx.db.query(
    {
      text: `
        insert into custom_field (id, workspace_id, project_id, created_by, created_at, updated_at, ${DEFINITION})
        values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    },
    [id, ctx.workspace.id, ctx.project.id, ctx.principal.user_id, ctx.now, ...valuesOf(field)],
  );
}

export async function updateField({ db, workspace, now }: InProject, id: string, field: Definition): Promise<void> {
  await db.query(
    {
      text: `
        update custom_field set (${DEFINITION}) = ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14),
                                revision = revision + 1, updated_at = $3
        where workspace_id = $1 and id = $2`,
    },
    [workspace.id, id, now, ...valuesOf(field)],
  );
}

export async function softDeleteField({ db, workspace, now }: InProject, id: string): Promise<void> {
  await db.query(
    {
      text: `update custom_field set deleted_at = $3, value_count = 0, revision = revision + 1, updated_at = $3
             where workspace_id = $1 and id = $2`,
    },
    [workspace.id, id, now],
  );
}

/** Stores new ranks of fields. */
export async function setRanks({ db, workspace, now }: InProject, ranks: Ranked[]): Promise<void> {
  await db.query(
    {
      text: `
        update custom_field f set rank = r.rank, updated_at = $4
        from unnest($2::uuid[], $3::text[]) as r(id, rank)
        where f.workspace_id = $1 and f.id = r.id`,
    },
    [workspace.id, ranks.map(({ id }) => id), ranks.map(({ rank }) => rank), now],
  );
}
