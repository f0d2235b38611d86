import { byName } from "../../kernel/paging.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Role } from "../../kernel/roles.ts";

/** What a person is in their workspaces. They are of several tenants. */
export type OwnWorkspace = {
  id: string;
  slug: string;
  name: string;
  role: Role;
  status: "active" | "suspended";
  /** Nobody else can change the members. */
  last_owner: boolean;
  /** Nobody else is in it, besides agents. */
  alone: boolean;
};

export function listOwnWorkspaces(db: Db, userId: string): Promise<OwnWorkspace[]> {
  const text = `
    select w.id, w.slug, w.name, m.role, m.status,
           m.role = 'owner' and not exists (
             select from member o where o.workspace_id = m.workspace_id and o.user_id <> m.user_id
               and o.role = 'owner' and o.status = 'active') as last_owner,
           not exists (
             select from member o join app_user u on u.id = o.user_id and u.kind = 'person'
             where o.workspace_id = m.workspace_id and o.user_id <> m.user_id) as alone
    from member m join workspace w on w.id = m.workspace_id where m.user_id = $1 order by ${byName("w.name")}, w.id`;
  return db.query<OwnWorkspace>({ text }, [userId]);
}
