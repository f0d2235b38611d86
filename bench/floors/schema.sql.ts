import pg from "pg";
import { hashSecret } from "../../src/domain/kernel/secrets.ts";

/**
 * The database of the lean floors: what the calls need and nothing more. An issue has six indexes, two of them GIN, its
 * number comes from the row of its project, and an outbox row is written with each change.
 */

export const LEAN_KEY = "lean_0123456789abcdef0123456789abcdef";
export const LEAN_PROJECTS = 10;

const TABLES = `
  create extension if not exists pg_trgm;
  create table workspace (id int primary key, slug text not null unique, name text not null);
  create table person (id int primary key, name text not null, email text not null unique);
  create table access_key (
    id int primary key, workspace_id int not null references workspace, person_id int not null references person,
    hash bytea not null unique, scopes text[] not null, revoked_at timestamptz);
  create table project (
    id int primary key, workspace_id int not null references workspace, key text not null, name text not null,
    last_number int not null, unique (workspace_id, key));
  create table status (
    id int primary key, project_id int not null references project, name text not null, category text not null,
    position int not null);
  create table label (id int primary key, project_id int not null references project, name text not null, color text not null);
  create table issue (
    id bigint generated always as identity primary key, project_id int not null references project, number int not null,
    title text not null, description text not null, type text not null, priority text not null,
    status_id int not null references status, assignee_id int references person, reporter_id int not null references person,
    sprint_id int, milestone_id int, parent_id bigint, estimate int, due_on date, version int not null default 1,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(), archived_at timestamptz,
    unique (project_id, number));
  create table issue_label (
    issue_id bigint not null references issue on delete cascade, label_id int not null references label,
    primary key (issue_id, label_id));
  create table outbox (
    id bigint generated always as identity primary key, workspace_id int not null, type text not null,
    data jsonb not null, created_at timestamptz not null default now())`;

const INDEXES = `
  create index issue_newest on issue (project_id, id desc) where archived_at is null;
  create index issue_of_person on issue (project_id, assignee_id, status_id, id desc) where archived_at is null;
  create index issue_parts_of_words on issue using gin (title gin_trgm_ops);
  create index issue_words on issue using gin (to_tsvector('simple', title))`;

const ROWS = `
  insert into workspace values (1, 'bench', 'Bench');
  insert into person select n, 'Person ' || n, 'p' || n || '@bench.test' from generate_series(1, 50) n;
  insert into project select n, 1, case n when 1 then 'WEB' else 'P' || n end, 'Project ' || n, 0
    from generate_series(1, ${LEAN_PROJECTS}) n;
  insert into status select p * 10 + n, p, name, category, n::int
    from generate_series(1, ${LEAN_PROJECTS}) p,
      unnest('{To Do,Doing,Review,Done}'::text[], '{todo,in_progress,in_review,done}'::text[]) with ordinality s(name, category, n);
  insert into label select n, 1, 'label ' || n, '#64748b' from generate_series(1, 20) n`;

const ISSUES = `
  insert into issue (project_id, number, title, description, type, priority, status_id, assignee_id, reporter_id,
                     sprint_id, estimate, due_on, created_at)
  select 1, n, 'Issue number ' || n || ' about the login page', repeat('Some words that describe what is wrong here. ', 10),
         'task', 'medium', 11, 1 + n % 50, 1 + n / 3 % 50, 1 + n % 9, n % 8, current_date, now() - n * interval '1 minute'
  from generate_series(1, $1::int) n`;

/** Fills an empty database. */
export async function fillLean(url: string, issues: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(TABLES);
    await client.query(ROWS);
    await client.query("insert into access_key values (1, 1, 1, $1, $2, null)", [
      hashSecret(LEAN_KEY),
      ["issues:read", "issues:write"],
    ]);
    await client.query(ISSUES, [issues]);
    await client.query("insert into issue_label select id, 1 + (number + n) % 20 from issue, generate_series(1, 3) n");
    await client.query("update project set last_number = $1 where id = 1", [issues]);
    await client.query(INDEXES);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}
