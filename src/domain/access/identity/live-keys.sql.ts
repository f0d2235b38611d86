import type { Db } from "../../kernel/ports/ports.ts";

/** `version` is the access version of the key's workspace, which counts changes of rights. */
export type LiveKey = { id: string; version: number };

const LIVE_KEYS = {
  name: "live_keys",
  text: `
    select k.id, a.version
    from unnest($1::uuid[], $2::uuid[]) as w(workspace_id, id)
    join api_key k on k.id = w.id and k.workspace_id = w.workspace_id
    join access_version a on a.workspace_id = k.workspace_id
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
};

/** Those of the keys that are neither revoked nor expired, by id. */
export async function readLiveKeys(
  db: Db,
  workspaceIds: readonly string[],
  keyIds: readonly string[],
): Promise<Map<string, LiveKey>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db.query<LiveKey>(LIVE_KEYS, [workspaceIds, keyIds]);
  return new Map(rows.map((row) => [row.id, row]));
}
