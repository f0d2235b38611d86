import { kindOf, type UserKind } from "../../access/identity/kind.sql.ts";
import { opening, visibleTo } from "../../access/identity/visible.sql.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Role } from "../../kernel/roles.ts";

export type Somebody = { id: string; kind: UserKind };

/** The user `u` is a person, or an agent with a live key. */
const CAN_ACT = `
  (u.kind = 'person' or exists (
     select from api_key k where k.workspace_id = $1 and k.user_id = u.id and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > now())))`;

/** Those of the named people and agents who are active, and who see the project if there is one. */
export function activeAmong(
  { db, workspace }: InWorkspace,
  ids: readonly string[],
  project: ProjectAccess | null,
): Promise<Somebody[]> {
  return db.query<Somebody>(
    {
      name: "workflow_people",
      text: `
        select u.id, ${kindOf("u")} as kind from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.user_id = any($2::uuid[]) and m.status = 'active' and ${CAN_ACT}
          and ($3::uuid is null or ${visibleTo(3)})`,
    },
    [workspace.id, ids, ...(project ? opening(project) : [null, false])],
  );
}

/** How many active people have each role, counting those who see the project if there is one. */
export async function peopleByRole(
  { db, workspace }: InWorkspace,
  project: ProjectAccess | null,
): Promise<Map<Role, number>> {
  const rows = await db.query<{ role: Role; people: number }>(
    {
      name: "workflow_people_by_role",
      text: `
        select m.role, count(*) as people from member m join app_user u on u.id = m.user_id and u.kind = 'person'
        where m.workspace_id = $1 and m.status = 'active' and ($2::uuid is null or ${visibleTo(2)})
        group by m.role`,
    },
    [workspace.id, ...(project ? opening(project) : [null, false])],
  );
  return new Map(rows.map(({ role, people }) => [role, people]));
}
