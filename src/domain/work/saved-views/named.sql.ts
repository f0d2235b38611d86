import type { InProject } from "../../kernel/context.ts";
import { byName } from "../../kernel/paging.sql.ts";

/** Returns the names of columns, labels, custom fields, sprints and milestones of the project, by id. Deleted ones are left out. */
export async function namesOf(
  { db, workspace, project }: InProject,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const named = (table: string, live: string) =>
    `select id, name from ${table} where workspace_id = $1 and project_id = $2 and id = any($3::uuid[]) ${live}`;
  const rows = await db.query<{ id: string; name: string }>(
    {
      name: "saved_view_names",
      text: [
        named("label", ""),
        ...["board_status", "sprint", "milestone", "custom_field"].map((table) =>
          named(table, "and deleted_at is null"),
        ),
      ].join(" union all "),
    },
    [workspace.id, project.id, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Labels that an error names at most. */
const MAX_NAMES = 100;

/** Returns names of the project's labels, for an error. */
export async function labelNames({ db, workspace, project }: InProject): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    {
      name: "saved_view_label_names",
      text: `select name from label where workspace_id = $1 and project_id = $2 order by ${byName("name")} limit $3`,
    },
    [workspace.id, project.id, MAX_NAMES],
  );
  return rows.map(({ name }) => name);
}
