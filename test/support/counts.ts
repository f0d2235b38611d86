import { expect } from "vitest";
import type { World } from "./world.ts";

/** Compares every stored or computed count with the rows that it counts. */

type Row = Record<string, unknown>;

export async function expectSoundCounts(here: World): Promise<void> {
  const { sql, workspace } = here;
  expect(await sql(WRONG_ISSUES, [workspace.id])).toEqual([]);
  expect(await sql(WRONG_COLUMNS, [workspace.id])).toEqual([]);
  expect(await sql(WRONG_FIELDS, [workspace.id])).toEqual([]);
  expect(await sql(WRONG_COMMENTS, [workspace.id])).toEqual([]);
  await expectSoundViews(here);
  const [deadlocks] = await sql(`select deadlocks from pg_stat_database where datname = current_database()`);
  expect(deadlocks).toEqual({ deadlocks: 0 });
}

// An epic counts the issues that belong to it, at any depth.
const BELONGS = `c.archived_at is null and i.id = case when i.type = 'epic' then c.epic_id else c.parent_id end`;

const WRONG_ISSUES = `
  select * from (
    select i.key,
      array[i.child_count, i.child_done_count, i.child_cancelled_count, i.comment_count, i.attachment_count, i.link_count, i.watcher_count,
            i.open_blocker_count, coalesce(i.spent_minutes, 0)]::bigint[] as kept,
      array[
        (select count(*) from issue c where ${BELONGS}),
        (select count(*) from issue c where ${BELONGS} and c.status = 'done'),
        (select count(*) from issue c where ${BELONGS} and c.status = 'cancelled'),
        (select count(*) from comment c where c.issue_id = i.id and c.deleted_at is null),
        (select count(*) from attachment a where a.issue_id = i.id and a.object_key is not null),
        (select count(*) from issue_link l where i.id in (l.source_id, l.target_id)),
        (select count(*) from watcher w where w.issue_id = i.id),
        (select count(*) from issue_link l join issue b on b.id = l.source_id
         where l.target_id = i.id and l.kind = 'blocks' and b.archived_at is null
           and b.status not in ('done', 'failed', 'cancelled')
           and (l.source_project_id = l.target_project_id
                or exists (select from project p where p.id = l.source_project_id and p.archived_at is null))),
        (select coalesce(sum(minutes), 0) from time_entry t where t.issue_id = i.id)]::bigint[] as counted,
      i.custom_fields = (select coalesce(jsonb_object_agg(v.field_id, v.value), '{}') from custom_field_value v
                         where v.issue_id = i.id) as values_agree
    from issue i where i.workspace_id = $1) found
  where kept <> counted or not values_agree`;

const WRONG_COLUMNS = `
  select s.name, s.issue_count from board_status s
  where s.workspace_id = $1 and (
    s.issue_count <> (select count(*) from issue i where i.status_id = s.id and i.archived_at is null)
    -- An issue's category is its column's.
    or exists (select from issue i where i.status_id = s.id and i.archived_at is null
               and (i.status <> s.category or s.deleted_at is not null)))`;

const WRONG_FIELDS = `
  select f.name, f.value_count from custom_field f
  where f.workspace_id = $1
    and f.value_count <> (select count(*) from custom_field_value v where v.field_id = f.id)`;

const WRONG_COMMENTS = `
  select c.id, c.reply_count from comment c
  where c.workspace_id = $1
    and c.reply_count <> (select count(*) from comment r where r.parent_id = c.id and r.deleted_at is null)`;

/** Compares counts that are computed when read with the issues that lists contain. */
async function expectSoundViews({ owner }: World): Promise<void> {
  const read = async (path: string): Promise<Row[]> => (await owner.get(path).expect(200)).data;
  const issues = await read("P/issues?limit=100");
  const of = (matches: (issue: Row) => boolean) => issues.filter(matches);

  const { data: project } = await owner.get("P").expect(200);
  for (const [category, count] of Object.entries(project.issue_counts)) {
    expect(count, category).toBe(of(({ status }) => status === category).length);
  }
  for (const { id, issue_count } of await read("P/labels?limit=100")) {
    expect(issue_count).toBe(of(({ labels }) => (labels as Row[]).some((label) => label.id === id)).length);
  }
  for (const kind of ["milestone", "sprint", "release"]) {
    for (const { id, progress } of await read(`P/${kind}s?limit=100`)) {
      const planned = of((issue) => issue[`${kind}_id`] === id);
      const count = (status: string) => planned.filter((issue) => issue.status === status).length;
      const [done, failed, cancelled] = [count("done"), count("failed"), count("cancelled")];
      expect(progress).toMatchObject({ total: planned.length, done, failed, cancelled });
    }
  }
}
