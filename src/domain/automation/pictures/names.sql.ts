import type { InWorkspace } from "../../kernel/context.ts";

/** The names of people and agents of the workspace, by id. */
export async function namesOf(
  { db, workspace }: InWorkspace,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string | null }>(
    {
      name: "names_in_picture",
      text: `
        select u.id, u.name from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.user_id = any($2::uuid[])`,
    },
    [workspace.id, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name ?? "somebody without a name"]));
}
