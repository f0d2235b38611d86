import type { Db } from "../../kernel/ports/ports.ts";

// Each issue is visited once, however many paths lead to it.
const AHEAD = {
  name: "link_ahead",
  text: `
    with recursive ahead as (
      select $2::uuid as id
      union
      select l.target_id from ahead
      join issue_link l on l.workspace_id = $1 and l.source_id = ahead.id and l.kind = 'blocks')
    select 1 from ahead where id = $3 limit 1`,
};

/** Whether one issue blocks another, directly or through others. */
export const blocksTransitively = async (db: Db, workspaceId: string, from: string, to: string): Promise<boolean> =>
  (await db.query(AHEAD, [workspaceId, from, to])).length > 0;

/** Returns the ids on a path of blocking links from one issue to another, including both ends. */
export async function pathBetween(db: Db, workspaceId: string, from: string, to: string): Promise<string[]> {
  const rows = await db.query<{ id: string; via: string | null }>(
    {
      text: `
        with recursive walk as (
          select $2::uuid as id, null::uuid as via
          union
          select l.target_id, l.source_id from walk
          join issue_link l on l.workspace_id = $1 and l.source_id = walk.id and l.kind = 'blocks')
        select id, via from walk`,
    },
    [workspaceId, from],
  );
  // Nearer issues come first, so the path is short. No cycle exists yet, so following the links back always ends at the
  // start.
  const via = new Map<string, string | null>();
  for (const row of rows) if (!via.has(row.id)) via.set(row.id, row.via);
  const way: string[] = [];
  for (let at: string | null = to; at !== null; at = via.get(at) ?? null) way.unshift(at);
  return way;
}
