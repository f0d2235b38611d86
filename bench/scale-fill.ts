import { fillHistory } from "./history.ts";
import type { Bench, Seeded } from "./setup.ts";

/**
 * A project with a history, comments and events, filled as fast as Postgres can: without indexes, which are made
 * afterwards, and without foreign keys.
 */

/** Raise it when other rows are filled than before. */
export const FILL = 2;

const FILLED = ["issue", "activity", "comment", "custom_field_value", "sprint_snapshot_issue"];
/** Triggers that derive what belongs to a row. All others only check. */
const DERIVING = [
  ["issue", "issue_indexed"],
  ["issue", "issue_in_column"],
  ["issue", "issue_reminder"],
  ["comment", "comment_indexed"],
] as const;

type Sql = Bench["sql"];

export async function fillStore(sql: Sql, seeded: Seeded, issues: number): Promise<void> {
  await sql("set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB'");
  const indexes = await sql(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [FILLED],
  );
  for (const { name } of indexes) await sql(`drop index ${name}`);
  for (const [table, trigger] of DERIVING) await sql(`alter table ${table} enable always trigger ${trigger}`);
  await sql("set session_replication_role = replica");

  const bench = { ...seeded, sql } as Bench;
  await fillHistory(bench, { issues, fields: true, comments: true });
  await fillComments(sql);
  await fillEvents(sql);

  await sql("set session_replication_role = origin");
  for (const [table, trigger] of DERIVING) await sql(`alter table ${table} enable trigger ${trigger}`);
  for (const { definition } of indexes) await sql(definition as string);
  await count(sql);
  await sql("vacuum analyze");
}

/** One comment on every second issue. */
async function fillComments(sql: Sql): Promise<void> {
  await sql(
    `insert into comment (id, workspace_id, project_id, issue_id, author_id, body_md, body_html, created_at, updated_at)
     select uuidv7(created_at - now() + interval '1 hour'), workspace_id, project_id, id, reporter_id,
       'Comment on ' || (array['login','search','billing','export'])[1 + number % 4]
         || ': this is what was tried, and what came of it. word' || number % 5003,
       '', created_at + interval '1 hour', created_at + interval '1 hour'
     from issue where number % 2 = 0`,
  );
}

/** One event of each issue in the last twenty days. */
async function fillEvents(sql: Sql): Promise<void> {
  await sql(
    `insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, actor_name, cause, data, created_at)
     select uuidv7(at - now()), workspace_id, 'issue.updated', project_id, id, reporter_id, 'user', 'U', '{}',
       jsonb_build_object('id', id, 'number', number, 'key', key, 'title', title, 'description_md', description_md,
         'status', status, 'priority', priority, 'assignee_ids', assignee_ids, 'created_at', created_at), at
     from issue, lateral (select now() - number % 28800 * interval '1 minute' as at) t`,
  );
}

async function count(sql: Sql): Promise<void> {
  await sql(
    `update board_status s set issue_count = n from (
       select status_id, count(*) as n from issue where archived_at is null group by 1) i where i.status_id = s.id`,
  );
}
