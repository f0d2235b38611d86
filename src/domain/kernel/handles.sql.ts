import type { Db } from "./ports/ports.ts";

/** The ids of the agents with these handles, by handle in lower case. */
export async function agentsNamed(
  db: Db,
  workspaceId: string,
  handles: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (handles.length === 0) return new Map();
  const text = `
    select lower(handle) as handle, user_id from agent where workspace_id = $1 and lower(handle) = any($2::text[])`;
  const rows = await db.query<{ handle: string; user_id: string }>({ name: "agents_named", text }, [
    workspaceId,
    handles,
  ]);
  return new Map(rows.map(({ handle, user_id }) => [handle, user_id]));
}
