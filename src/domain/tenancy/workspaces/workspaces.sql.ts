import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Caller, Workspace } from "../../kernel/rows.ts";
import type { WorkspaceView } from "./view.ts";

export type WorkspaceRow = Omit<WorkspaceView, "role" | "url">;

const READ = {
  name: "workspace_read",
  text: `
    select w.id, w.slug, w.name, w.default_locale, w.created_at, w.plan, w.timezone, w.updated_at,
           (select count(*) from member m join app_user u on u.id = m.user_id and u.kind = 'person'
            where m.workspace_id = w.id)::int as member_count,
           (select count(*) from project p
            where p.workspace_id = w.id and p.archived_at is null and ${visible(2)})::int as project_count
    from workspace w where w.id = $1`,
};

/**
 * A workspace that is known to exist. Counted are the projects that its caller sees; an operator, who is no caller,
 * sees all.
 */
export async function readWorkspace(db: Db, workspaceId: string, caller: Caller | null): Promise<WorkspaceRow> {
  const values = [workspaceId, ...(caller ? visibility(caller) : [null, true, false, null])];
  const [row] = await db.query<WorkspaceRow>(READ, values);
  return row as WorkspaceRow;
}

/** A workspace where nobody called, such as in a job. */
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
