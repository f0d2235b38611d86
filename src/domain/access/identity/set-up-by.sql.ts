import type { Db } from "../../kernel/ports/ports.ts";

/** SQL: the key `k` is neither revoked nor expired. */
export const IS_LIVE_KEY = `k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/** The projects of a live key of the workspace. Null if the key has ended. */
export async function readKeyReach(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ project_ids: string[] | null } | null> {
  const text = `select k.project_ids from api_key k where k.workspace_id = $1 and k.id = $2 and ${IS_LIVE_KEY}`;
  const [row] = await db.query<{ project_ids: string[] | null }>({ name: "key_reach", text }, [workspaceId, id]);
  return row ?? null;
}
