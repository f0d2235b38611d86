import type { Db } from "../../kernel/ports/ports.ts";

/** Time zones in which days are counted. */

/** The workspace's zone. */
export async function timezoneOf(db: Db, workspaceId: string): Promise<string> {
  const [row] = await db.query<{ timezone: string }>(
    { name: "timezone_of_workspace", text: "select timezone from workspace where id = $1" },
    [workspaceId],
  );
  return row?.timezone ?? "UTC";
}

/** The person's zone, or else the workspace's. */
export async function timezoneOfPerson(db: Db, workspaceId: string, userId: string): Promise<string> {
  const text = `
    select coalesce((select timezone from app_user where id = $2), w.timezone) as timezone from workspace w where w.id = $1`;
  const [row] = await db.query<{ timezone: string }>({ text }, [workspaceId, userId]);
  return row?.timezone ?? "UTC";
}
