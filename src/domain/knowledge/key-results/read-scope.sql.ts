import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";

/** Lists of a scope with their tables. */
const LISTS = {
  label_ids: "label x",
  milestone_ids: "milestone x",
  sprint_ids: "sprint x",
  release_ids: "release x",
  parent_ids: "issue x",
} as const;
export type ListOfIds = keyof typeof LISTS;
export const LISTS_OF_IDS = Object.keys(LISTS) as ListOfIds[];

const DELETABLE: readonly ListOfIds[] = ["milestone_ids", "sprint_ids", "release_ids"];

const found = (list: ListOfIds, parameter: number) => `
  select '${list}' as list, x.id from ${LISTS[list]} join project p on p.id = x.project_id
  where x.workspace_id = $1 and x.id = any($${parameter}::uuid[]) and not p.scoped and (${visible(2)})
    ${DELETABLE.includes(list) ? "and x.deleted_at is null" : ""}`;

/** The ids in these lists whose objects belong to projects that everybody in the workspace sees. */
export async function findListed(
  { db, workspace, principal }: InWorkspace,
  ids: Readonly<Record<ListOfIds, readonly string[]>>,
): Promise<Map<ListOfIds, Set<string>>> {
  const rows = await db.query<{ list: ListOfIds; id: string }>(
    { name: "scope_lists", text: LISTS_OF_IDS.map((list, n) => found(list, 6 + n)).join(" union all ") },
    [workspace.id, ...visibility(principal), ...LISTS_OF_IDS.map((list) => ids[list])],
  );
  const lists = new Map(LISTS_OF_IDS.map((list) => [list, new Set<string>()]));
  for (const { list, id } of rows) lists.get(list)!.add(id);
  return lists;
}

/** The ids of projects that everybody in the workspace sees, by id, key or slug in lower case. */
export async function findProjects(
  { db, workspace, principal }: InWorkspace,
  refs: readonly string[],
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; key: string; slug: string }>(
    {
      name: "scope_projects",
      text: `
        select p.id, lower(p.key) as key, p.slug from project p
        where p.workspace_id = $1 and not p.scoped and (${visible(2)})
          and (p.id = any($6::uuid[]) or p.key = any($7::text[]) or p.slug = any($8::text[]))`,
    },
    [
      workspace.id,
      ...visibility(principal),
      ids,
      refs.map((ref) => ref.toUpperCase()),
      refs.map((ref) => ref.toLowerCase()),
    ],
  );
  // A reference means an id first, then a key, then a slug.
  return new Map([
    ...rows.map(({ id, slug }) => [slug, id] as const),
    ...rows.map(({ id, key }) => [key, id] as const),
    ...rows.map(({ id }) => [id, id] as const),
  ]);
}
