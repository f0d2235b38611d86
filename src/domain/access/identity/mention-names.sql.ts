import type { InWorkspace } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { idsIn, type Named, type Names } from "../../kernel/markdown-names.ts";

/** Present names of people and agents, for mentions. */

/** What a mention shows of somebody who has chosen no name. */
export const NAMELESS = "someone";

type Row = Named & { id: string };

/** The names of the members of the workspace among these ids. Nothing is read for no ids. */
export async function namesOf(
  { db, workspace }: Pick<InWorkspace, "db"> & { workspace: { id: string } },
  ids: readonly string[],
): Promise<Names> {
  if (ids.length === 0) return new Map();
  const text = `
    select u.id, coalesce(u.name, '${NAMELESS}') as name, lower(a.handle) as handle
    from member m join app_user u on u.id = m.user_id left join agent a on a.user_id = u.id
    where m.workspace_id = $1 and m.user_id = any($2::uuid[])`;
  const rows = await db.query<Row>({ name: "names_of", text }, [workspace.id, ids]);
  return new Map(rows.map(({ id, ...named }) => [id, named]));
}

/** The names of the members whom these texts name by id. */
export const namesIn = (
  ctx: Pick<InWorkspace, "db"> & { workspace: { id: string } },
  texts: readonly string[],
): Promise<Names> => namesOf(ctx, [...new Set(texts.flatMap(idsIn).flatMap((id) => readId(id) ?? []))]);

/** SQL: the names of those whom a column of mentions names, by id; null without mentions. */
export const mentionNames = (mentions: string): string => `
  case when ${mentions} <> '[]' then (
    select jsonb_object_agg(u.id, jsonb_build_object('name', coalesce(u.name, '${NAMELESS}'), 'handle', lower(a.handle)))
    from jsonb_array_elements(${mentions}) named join app_user u on u.id = (named ->> 'id')::uuid
    left join agent a on a.user_id = u.id) end`;

/** What `mentionNames` returns. */
export type MentionNames = Record<string, Named> | null;
export const asNames = (names: MentionNames): Names => new Map(Object.entries(names ?? {}));
