import type { Ctx } from "../../kernel/context.ts";
import type { Project } from "../../kernel/rows.ts";
import { kindOf, type UserKind } from "./kind.sql.ts";
import { NAMELESS } from "./mention-names.sql.ts";
import { opening, visibleTo } from "./visible.sql.ts";

export type Reader = { id: string; kind: UserKind; name: string };

/**
 * Returns the people among these ids who see an object, and so can be mentioned in it: active members who see its project
 * or, without one, all but guests.
 * @param onlyReader the only person who sees a private object
 */
export function readersAmong(
  { db, workspace }: Pick<Ctx, "db"> & { workspace: { id: string } },
  project: Pick<Project, "id" | "scoped"> | null,
  ids: readonly string[],
  onlyReader: string | null = null,
): Promise<Reader[]> {
  return db.query<Reader>(
    {
      name: "readers_among",
      text: `
        select u.id, ${kindOf("u")} as kind, coalesce(u.name, '${NAMELESS}') as name from app_user u
        join member m on m.user_id = u.id and m.workspace_id = $1 and m.status = 'active'
        where u.id = any($2::uuid[]) and ($3::uuid is null or u.id = $3) and ${visibleTo(4)}`,
    },
    [workspace.id, ids, onlyReader, ...(project ? opening(project) : [null, false])],
  );
}
