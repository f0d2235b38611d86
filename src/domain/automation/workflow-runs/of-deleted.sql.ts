import type { Db } from "../../kernel/ports/ports.ts";

const OPEN = {
  name: "open_runs_of_deleted_workflow",
  text: `
    select r.id from event e join workflow_run r on r.workflow_id = (e.data ->> 'id')::uuid and r.status = 'running'
    where e.workspace_id = $1 and e.id = $2 and r.workspace_id = $1
    limit $3`,
};

/** Returns open runs of the workflow whose deletion an event tells. */
export async function openRunsOfDeleted(
  db: Db,
  workspaceId: string,
  eventId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(OPEN, [workspaceId, eventId, limit]);
  return rows.map(({ id }) => id);
}
