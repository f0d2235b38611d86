import type { Db } from "../domain/kernel/ports/ports.ts";

export type Person = { id: string; email: string; name: string | null };

/** The first owner of a workspace. */
export async function ownerOf(db: Db, workspaceId: string): Promise<Person | null> {
  const [owner] = await db.query<Person>(
    {
      text: `select u.id, u.email, u.name from member m join app_user u on u.id = m.user_id
             where m.workspace_id = $1 and m.role = 'owner' and m.status = 'active' order by m.joined_at, u.id limit 1`,
    },
    [workspaceId],
  );
  return owner ?? null;
}
