import type { InProject } from "../src/domain/kernel/context.ts";
import type { Database, Statement } from "../src/domain/kernel/ports/ports.ts";
import { addFields, fillValues, valuesOfFields } from "./history-fields.ts";
import type { Bench } from "./setup.ts";

/** A project of three years: a hundred thousand issues in sixty sprints, each with a realistic history. */

export const ISSUES = 100_000;
const SPRINTS = 60;
const DAYS = 1_095;
const SPRINT_DAYS = DAYS / SPRINTS;
/** Issues per insert. */
const BATCH = 20_000;

/**
 * Fills the project that `setUp({ issues: 0 })` created.
 * @param options.fields every issue has values of six custom fields
 * @param options.comments every second issue counts a comment, which is not made here
 */
export async function fillHistory(
  bench: Bench,
  { issues = ISSUES, fields = false, comments = false } = {},
): Promise<void> {
  const { sql, ids } = bench;
  const { workspaceId, projectId } = ids;
  if (fields) await addFields(bench);
  await sql(`update project set estimation_unit = 'points' where id = $1`, [projectId]);
  await sql(
    `insert into app_user (id, kind, email, name, created_at, updated_at)
     select gen_random_uuid(), 'person', 'u' || n || '@bench.test', 'U' || n, now(), now() from generate_series(1, 50) n`,
  );
  await sql(
    `insert into member (workspace_id, user_id, role, joined_at)
     select $1, id, 'member', now() from app_user where email like 'u%'`,
    [workspaceId],
  );
  await sql(
    `insert into board_status (id, workspace_id, project_id, name, color, category, rank, created_at, updated_at)
     select gen_random_uuid(), $1, $2, initcap(c), '#64748b', c, 'b' || (10 + n), now(), now()
     from unnest(array['backlog','in_progress','in_review','done','failed','cancelled']) with ordinality as t(c, n)`,
    [workspaceId, projectId],
  );
  await sql(
    `insert into sprint (id, workspace_id, project_id, name, status, rank, start_at, end_at, started_at, completed_at,
                         created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'Sprint ' || n, case when n = ${SPRINTS} then 'active' else 'completed' end,
       rank_of(n), t, t + s, t, case when n < ${SPRINTS} then t + s end, t, t
     from (select n, make_interval(hours => ${24 * SPRINT_DAYS}) as s,
                  now() - make_interval(hours => (${SPRINTS} - n) * ${24 * SPRINT_DAYS} + 240) as t
           from generate_series(1, ${SPRINTS}) n) w`,
    [workspaceId, projectId],
  );
  for (const table of ["milestone", "release"]) {
    await sql(
      `insert into ${table} (id, workspace_id, project_id, name, rank, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'No. ' || n, rank_of(n), now(), now() from generate_series(1, 20) n`,
      [workspaceId, projectId],
    );
  }
  for (let from = 0; from < issues; from += BATCH)
    await fillIssues(sql, ids, { from, to: Math.min(from + BATCH, issues), of: issues, comments });
  await relate(sql, projectId, issues);
  if (fields) await fillValues(bench);
  await fillActivity(sql);
  await fillSnapshots(sql);
  await sql("call tally_all_issues()");
  await sql("select count_sprint(id) from sprint");
  await sql(`update issue_counter set last_number = ${issues} where project_id = $1`, [projectId]);
  for (const table of [
    "issue",
    "custom_field_value",
    "activity",
    "sprint",
    "sprint_snapshot",
    "sprint_snapshot_issue",
    "app_user",
  ])
    await sql(`vacuum analyze ${table}`);
}

type Sql = Bench["sql"];

/** The numbers of the issues of an insert, and of how many. */
type Batch = { from: number; to: number; of: number; comments: boolean };

/** Of a hundred issues 84 are done, 3 failed, 6 cancelled, 7 open, and 2 archived. */
const fillIssues = (sql: Sql, { workspaceId, projectId, userId }: Bench["ids"], { from, to, of, comments }: Batch) =>
  sql(
    `with u as (select array_agg(id order by id) as ids from app_user where email like 'u%'),
          l as (select array_agg(id order by id) as ids from label),
          s as (select array_agg(id order by rank) as ids, array_agg(started_at order by rank) as starts from sprint),
          m as (select array_agg(id order by rank) as ids from milestone),
          r as (select array_agg(id order by rank) as ids from release),
          b as (select jsonb_object_agg(category, id) as ids from board_status),
          c as (select coalesce(array_agg(id order by rank), '{}') as ids from custom_field),
          i as (
            select n, (n::bigint * 7919 % 100)::int as p, 1 + ((n - 1)::bigint * ${SPRINTS} / ${of})::int as sprint,
              case when (n::bigint * 7919 % 100) < 84 then 'done' when (n::bigint * 7919 % 100) < 87 then 'failed'
                   when (n::bigint * 7919 % 100) < 93 then 'cancelled'
                   else (array['backlog','todo','in_progress','in_review'])[1 + n % 4] end as status
            from generate_series(${from + 1}, ${to}) n),
          t as (select i.*, s.starts[sprint] - make_interval(hours => 100 + n % 240) as made,
                       s.starts[sprint] + make_interval(hours => n % 100) as begun,
                       least(s.starts[sprint] + make_interval(hours => 100 + n % 300), now()) as ended
                from i, s)
     insert into issue (id, workspace_id, project_id, number, key, type, title, description_md, status, status_id,
       priority, rank, assignee_ids, reporter_id, label_ids, sprint_id, milestone_id, release_id, estimate_minutes,
       story_points, spent_minutes, due_at, started_at, resolved_at, archived_at, custom_fields, comment_count,
       created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n,
       (array['task','task','task','bug','story','bug','subtask','epic'])[1 + n % 7 + (n % 500 = 0)::int],
       'Issue ' || n || ' about ' || (array['login','search','billing','export'])[1 + n % 4]
         || case when n % 20011 = 0 then ' zebra' else '' end,
       repeat('Words that describe what is wrong. ', 3), status, (b.ids ->> status)::uuid,
       (array['medium','medium','medium','high','low','critical'])[1 + (n / 7) % 6], rank_of(n),
       case when n % 5 = 0 then '{}' when n % 9 = 0 then u.ids[1 + n % 50 : 2 + n % 50]
            else array[u.ids[1 + (n::bigint * 7919 % 50)::int]] end,
       u.ids[1 + (n / 3) % 50], case when n % 2 = 0 then array[l.ids[1 + (n / 2) % 20]] else '{}' end,
       case when n % 10 > 0 and (sprint = ${SPRINTS} or status in ('done', 'failed', 'cancelled')) then s.ids[sprint] end, case when n % 4 > 0 then m.ids[1 + n / 7 % 20] end,
       case when n % 3 > 0 then r.ids[1 + n / 5 % 20] end, (n % 9) * 60, n % 8, (n % 7) * 30,
       case when n % 6 = 0 then ended end, case when status not in ('backlog', 'todo') then begun end,
       case when p < 93 then ended end, case when p in (5, 95) then ended end, ${valuesOfFields},
       ${comments ? "(n % 2 = 0)::int" : "0"}, $3, made, ended
     from t, u, l, s, m, r, b, c`,
    [workspaceId, projectId, userId],
  );

/** Subtasks get a parent, and every third story and bug an epic, if there are enough issues. */
async function relate(sql: Sql, projectId: string, issues: number) {
  await sql(`update board_status set name = 'To Do' where project_id = $1 and category = 'todo'`, [projectId]);
  await sql(
    `update issue i set parent_id = p.id, parent_number = p.number from issue p
     where i.type = 'subtask' and p.project_id = $1 and p.number = (i.number / 40) * 40 + 1`,
    [projectId],
  );
  await sql(
    `update issue i set epic_id = e.id, epic_number = e.number from issue e
     where i.type in ('story', 'bug') and i.number % 3 = 0 and e.project_id = $1
       and e.number = (i.number / $2::int + 1) * $2::int and e.type = 'epic'`,
    [projectId, Math.min(2_000, issues)],
  );
}

/** Created, planned, estimated, started, ended, and some of them archived: about six entries per issue. */
const fillActivity = (sql: Sql) =>
  sql(
    `insert into activity (id, workspace_id, project_id, issue_id, kind, actor_kind, payload, sprint_id, status,
                           story_points, estimate_minutes, created_at)
     select uuidv7(at - now() + make_interval(secs => ord * 0.001)), i.workspace_id, i.project_id, i.id, kind, 'user',
       '{"field": "x", "from": null, "to": null, "cause": {}}', case when planned then i.sprint_id end, state,
       case when estimated then i.story_points end, i.estimate_minutes, at
     from issue i, lateral (values
       (1, 'created', false, false, 'todo', i.created_at),
       (2, 'updated', false, true, 'todo', i.created_at + interval '1 hour'),
       (3, 'sprint_changed', true, true, 'todo', i.created_at + interval '60 hours'),
       (4, 'status_changed', true, true, 'in_progress', i.started_at),
       (5, 'status_changed', true, true, i.status, i.resolved_at),
       (6, 'time_logged', true, true, i.status, i.resolved_at),
       (7, 'archived', true, true, i.status, i.archived_at)) as line(ord, kind, planned, estimated, state, at)
     where at is not null`,
  );

async function fillSnapshots(sql: Sql) {
  await sql(
    `insert into sprint_snapshot (id, workspace_id, project_id, sprint_id, kind, taken_at)
     select gen_random_uuid(), workspace_id, project_id, id, 'commitment', started_at from sprint
     union all
     select gen_random_uuid(), workspace_id, project_id, id, 'completion', completed_at from sprint
     where status = 'completed'`,
  );
  // Of thirty issues one was added later, and one was removed.
  await sql(
    `insert into sprint_snapshot_issue (snapshot_id, issue_id, workspace_id, status, story_points, estimate_minutes)
     select p.id, i.id, i.workspace_id, case when p.kind = 'commitment' then 'todo' else i.status end, i.story_points,
            i.estimate_minutes
     from sprint_snapshot p join issue i on i.sprint_id = p.sprint_id
     where i.archived_at is null and i.number % 30 <> case when p.kind = 'commitment' then 7 else 11 end`,
  );
  await sql(
    `update sprint s set committed_issues = c.issues, committed_points = c.points, committed_minutes = c.minutes
     from (select p.sprint_id, count(*) as issues, sum(story_points) as points, sum(estimate_minutes) as minutes
           from sprint_snapshot p join sprint_snapshot_issue i on i.snapshot_id = p.id
           where p.kind = 'commitment' group by p.sprint_id) c
     where s.id = c.sprint_id`,
  );
  for (const { id } of await sql(`select id from sprint_snapshot where kind = 'completion'`))
    await sql("call sum_up_completion($1)", [id]);
}

export type Sent = { text: string; values: readonly unknown[] };

/** The project in the form that domain functions get. `sent` collects the statements that they run. */
export function projectOf({ ids }: Bench, database: Database): { ctx: InProject; sent: Sent[] } {
  const sent: Sent[] = [];
  const db = {
    query: <Row>(statement: Statement, values: readonly unknown[] = []) => {
      sent.push({ text: statement.text, values });
      return database.query<Row>(statement, values);
    },
  };
  const ctx = {
    db,
    now: new Date().toISOString(),
    warnings: [],
    settings: { baseUrl: "http://bench.test" },
    workspace: { id: ids.workspaceId, slug: "bench" },
    project: { id: ids.projectId, key: "WEB", slug: "web" },
    principal: { user_id: ids.userId },
  };
  return { ctx: ctx as unknown as InProject, sent };
}

/** The table scans in a statement's plan, without scans of computed rows. */
export async function scansOf(database: Database, { text, values }: Sent): Promise<string[]> {
  const plan = await database.query<Record<string, string>>({ text: `explain ${text}` }, values);
  const scans = plan.flatMap((line) => {
    const found = /((?:Parallel )?(?:Bitmap Index|Index Only|Index|Seq) Scan).* (?:using|on) (\w+)/.exec(
      line["QUERY PLAN"]!.replace(/ using (\w+) on .*/, " using $1"),
    );
    return found ? [`${found[1]} ${found[2]}`] : [];
  });
  return [...new Set(scans)];
}
