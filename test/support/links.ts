import { expect } from "vitest";
import type { World } from "./world.ts";

/** Issues whose counts of links or open blockers are wrong, and issues that block themselves. */
export async function expectSoundLinks({ sql, workspace }: World): Promise<void> {
  const wrong = await sql(
    `select i.key, i.link_count, i.open_blocker_count from issue i
     where i.workspace_id = $1 and (
       i.link_count <> (select count(*) from issue_link l where i.id in (l.source_id, l.target_id))
       or i.open_blocker_count <> (
         select count(*) from issue_link l join issue b on b.id = l.source_id
         where l.target_id = i.id and l.kind = 'blocks' and b.archived_at is null
           and b.status not in ('done', 'failed', 'cancelled')
           and (l.source_project_id = l.target_project_id
                or exists (select from project p where p.id = l.source_project_id and p.archived_at is null))))`,
    [workspace.id],
  );
  expect(wrong).toEqual([]);
  const circles = await sql(
    `with recursive ahead as (
       select source_id as start, target_id as id from issue_link where workspace_id = $1 and kind = 'blocks'
       union
       select a.start, l.target_id from ahead a join issue_link l on l.source_id = a.id and l.kind = 'blocks')
     select start from ahead where start = id`,
    [workspace.id],
  );
  expect(circles).toEqual([]);
  const [deadlocks] = await sql(`select deadlocks from pg_stat_database where datname = current_database()`);
  expect(deadlocks).toEqual({ deadlocks: 0 });
}
