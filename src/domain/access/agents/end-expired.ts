import { type Background, write } from "../../events/background.ts";
import { agentsWithoutKey } from "./lifecycle.sql.ts";
import { credentialsEnded } from "./lifecycle.ts";

/** More wait for the next turn. */
const BATCH = 500;

/** Revokes agents whose last key or grant has expired. Returns how many it looked at. */
export async function endExpiredAgents(base: Background, stopping: AbortSignal): Promise<number> {
  const rows = await agentsWithoutKey(base.db, BATCH);
  const workspaces = Map.groupBy(rows, ({ workspace_id }) => workspace_id);
  for (const [workspaceId, agents] of workspaces) {
    if (stopping.aborted) break;
    const ids = agents.map(({ user_id }) => user_id);
    await write(base, workspaceId, (ctx) => credentialsEnded(ctx, workspaceId, ids));
  }
  return rows.length;
}
