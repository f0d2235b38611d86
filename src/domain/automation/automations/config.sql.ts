import { readId } from "../../kernel/ids.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { nameKey } from "../../kernel/text.ts";

/** Objects that parameters of triggers name, in one project or, without one, in all projects of the workspace. */
type Within = { workspaceId: string; projectId: string | null };

const idsIn = (refs: readonly string[]) => refs.map(readId).filter((id) => id !== null);

const existing = async (db: Db, name: string, text: string, values: unknown[]): Promise<Set<string>> =>
  new Set((await db.query<{ ref: string }>({ name, text }, values)).map(({ ref }) => ref));

/** The ids and names, as `nameKey` returns them, among `refs` that belong to columns of boards. */
export const columnsAmong = (db: Db, { workspaceId, projectId }: Within, refs: readonly string[]) =>
  existing(
    db,
    "columns_among",
    `select id::text as ref from board_status
     where workspace_id = $1 and ($2::uuid is null or project_id = $2) and deleted_at is null and id = any($3::uuid[])
     union
     select name_key(name) from board_status
     where workspace_id = $1 and ($2::uuid is null or project_id = $2) and deleted_at is null
       and name_key(name) = any($4::text[])`,
    [workspaceId, projectId, idsIn(refs), refs.map(nameKey)],
  );

/** The ids of labels among `refs`. */
export const labelsAmong = (db: Db, { workspaceId, projectId }: Within, refs: readonly string[]) =>
  existing(
    db,
    "labels_among",
    `select id as ref from label
     where workspace_id = $1 and ($2::uuid is null or project_id = $2) and id = any($3::uuid[])`,
    [workspaceId, projectId, idsIn(refs)],
  );

/** The ids of custom fields among `refs`. */
export const fieldsAmong = (db: Db, { workspaceId, projectId }: Within, refs: readonly string[]) =>
  existing(
    db,
    "custom_fields_among",
    `select id as ref from custom_field
     where workspace_id = $1 and ($2::uuid is null or project_id = $2) and deleted_at is null and id = any($3::uuid[])`,
    [workspaceId, projectId, idsIn(refs)],
  );

/** The ids of forms among `refs`. */
export const formsAmong = (db: Db, { workspaceId, projectId }: Within, refs: readonly string[]) =>
  existing(
    db,
    "forms_among",
    `select id as ref from form
     where workspace_id = $1 and ($2::uuid is null or project_id = $2) and deleted_at is null and id = any($3::uuid[])`,
    [workspaceId, projectId, idsIn(refs)],
  );

/** The ids of workflows among `refs`. Workflows for all projects count too. */
export const workflowsAmong = (db: Db, { workspaceId, projectId }: Within, refs: readonly string[]) =>
  existing(
    db,
    "workflows_among",
    `select id as ref from workflow
     where workspace_id = $1 and ($2::uuid is null or project_id is null or project_id = $2) and deleted_at is null
       and id = any($3::uuid[])`,
    [workspaceId, projectId, idsIn(refs)],
  );

/** The time zone of a workspace. */
export async function timezoneOf(db: Db, workspaceId: string): Promise<string> {
  const text = `select timezone from workspace where id = $1`;
  const [row] = await db.query<{ timezone: string }>({ name: "timezone_of_workspace", text }, [workspaceId]);
  return row!.timezone;
}
