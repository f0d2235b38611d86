import type { InWorkspace } from "../../kernel/context.ts";
import type { Project } from "../../kernel/rows.ts";
import { nameKey } from "../../kernel/text.ts";

/** Names that filters of issues may use for objects of the project. */

type At = InWorkspace & { readonly project: Pick<Project, "id"> };

const TABLES = { label: "label", sprint: "sprint", milestone: "milestone", release: "release" } as const;
export type NamedKind = keyof typeof TABLES;

const livesIn = (kind: NamedKind) =>
  `workspace_id = $1 and project_id = $2${kind === "label" ? "" : " and deleted_at is null"}`;

/** The ids of the objects with these names, by name, as `nameKey` returns it. Several sprints may have one name. */
export async function idsByName(
  { db, workspace, project }: At,
  kind: NamedKind,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  const text = `
    select name_key(name) as name, array_agg(id order by id) as ids from ${TABLES[kind]}
    where ${livesIn(kind)} and name_key(name) = any($3::text[]) group by 1`;
  const values = [workspace.id, project.id, names.map(nameKey)];
  const rows = await db.query<{ name: string; ids: string[] }>({ name: `ids_by_name_${kind}`, text }, values);
  return new Map(rows.map(({ name, ids }) => [name, ids]));
}

/** Names that an error lists at most. */
const MAX_NAMES = 100;

/** The names of the objects of a kind, the newest first. */
export async function namesIn({ db, workspace, project }: At, kind: NamedKind): Promise<string[]> {
  const text = `select name from ${TABLES[kind]} where ${livesIn(kind)} order by id desc limit ${MAX_NAMES}`;
  const rows = await db.query<{ name: string }>({ name: `names_in_${kind}`, text }, [workspace.id, project.id]);
  return rows.map(({ name }) => name);
}
