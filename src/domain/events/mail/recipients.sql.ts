import type { Db } from "../../kernel/ports/ports.ts";
import type { Workspace } from "../../kernel/rows.ts";

/** A workspace without a caller, for example in a job. */
export async function workspaceOf(db: Db, workspaceId: string): Promise<Workspace> {
  const [row] = await db.query<Workspace>({ text: "select id, slug, name, plan from workspace where id = $1" }, [
    workspaceId,
  ]);
  return row!;
}

/** E-mail addresses of the owners, and of one more person while they are a member. */
export async function ownersAnd(db: Db, workspaceId: string, userId: string): Promise<string[]> {
  const rows = await db.query<{ email: string }>(
    {
      text: `
        select u.email from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.status = 'active' and u.kind = 'person' and u.email is not null
          and (m.role = 'owner' or m.user_id = $2)
        order by u.id`,
    },
    [workspaceId, userId],
  );
  return rows.map(({ email }) => email);
}

/** E-mail addresses of the owners and admins. */
export async function adminsOf(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ email: string }>(
    {
      text: `
        select u.email from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.status = 'active' and u.kind = 'person' and u.email is not null
          and m.role in ('owner', 'admin')
        order by u.id`,
    },
    [workspaceId],
  );
  return rows.map(({ email }) => email);
}
