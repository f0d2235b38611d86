import type { Db } from "../../kernel/ports/ports.ts";

/** People belong to no workspace, so there is no workspace id here. */
export async function renameUser(db: Db, userId: string, name: string, now: string): Promise<void> {
  await db.query({ text: `update app_user set name = $2, updated_at = $3 where id = $1` }, [userId, name, now]);
}

export async function setTimezone(db: Db, userId: string, zone: string | null, now: string): Promise<void> {
  await db.query({ text: `update app_user set timezone = $2, updated_at = $3 where id = $1` }, [userId, zone, now]);
}
