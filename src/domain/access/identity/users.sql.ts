import { newId } from "../../kernel/ids.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Role } from "../../kernel/roles.ts";

export type User = { id: string; email: string; name: string | null };

/**
 * Finds the person with this address, ignoring case, or creates one. People belong to no workspace, so there is no
 * workspace id here.
 */
export async function findOrMakeUser(
  db: Db,
  { email, name }: { email: string; name: string | null },
  now: string,
): Promise<User> {
  await db.query(
    {
      text: `
        insert into app_user (id, kind, email, name, created_at, updated_at) values ($1, 'person', $2, $3, $4, $4)
        on conflict (lower(email)) where email is not null do nothing`,
    },
    [newId(), email, name, now],
  );
  // A separate statement: another transaction may have committed the row while the insert waited for it.
  const [user] = await db.query<User>({ text: `select id, email, name from app_user where lower(email) = lower($1)` }, [
    email,
  ]);
  return user as User;
}

/** A user's current role in the workspace. Null if they are not an active member. */
export async function roleOf(db: Db, workspaceId: string, userId: string): Promise<Role | null> {
  const [row] = await db.query<{ role: Role }>(
    { text: `select role from member where workspace_id = $1 and user_id = $2 and status = 'active'` },
    [workspaceId, userId],
  );
  return row?.role ?? null;
}

/** Whether a person has this address, ignoring case. */
export async function hasUser(db: Db, email: string): Promise<boolean> {
  const text = `select 1 from app_user where lower(email) = lower($1)`;
  return (await db.query({ text }, [email])).length > 0;
}
