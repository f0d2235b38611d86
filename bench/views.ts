import { openPostgres } from "../src/adapters/postgres.ts";
import type { InWorkspace } from "../src/domain/kernel/context.ts";
import type { Statement } from "../src/domain/kernel/ports/ports.ts";
import { type IssueFilter, issuesOf } from "../src/domain/knowledge/views/issues.sql.ts";
import { ORDERS, type ViewSort } from "../src/domain/work/issues/orders.ts";
import { medianMs, ROUNDS } from "./load.ts";
import { setUp } from "./setup.ts";

/** Views over 50 projects of 20,000 issues: median time of a page for who sees all of them and for who sees one. */

const PROJECTS = Number(process.env.VIEW_PROJECTS ?? 50);
const ISSUES = Number(process.env.VIEW_ISSUES ?? 20_000);

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const database = openPostgres({ url: bench.env.DATABASE_URL!, pool: 2, name: "views" }, silent);
  try {
    const { projects, person } = await fill(bench);
    console.log(`views: ${projects.length} projects of ${ISSUES} issues; pages of 51 rows, median of ${ROUNDS} runs`);
    for (const [name, filter, sort = "updated_desc"] of cases(person)) {
      const [all, one] = [await measure(projects, filter, sort), await measure(projects.slice(7, 8), filter, sort)];
      console.log(
        `${name.padEnd(44)} ${all.ms} ms ${String(all.rows).padStart(2)} rows, one project: ${one.ms} ms ${String(one.rows).padStart(2)} rows  ${all.scans}`,
      );
    }
  } finally {
    await database.close();
    await bench.stop();
  }

  async function measure(ids: readonly string[], filter: Partial<IssueFilter>, sort: ViewSort) {
    let sent: { text: string; values: readonly unknown[] }[] = [];
    const db = {
      query: <Row>(statement: Statement, values: readonly unknown[] = []) => {
        sent.push({ text: statement.text, values });
        return database.query<Row>(statement, values);
      },
    };
    const ctx = { db, workspace: { id: bench.ids.workspaceId } } as unknown as InWorkspace;
    let rows = 0;
    const ms = await medianMs(async () => {
      sent = [];
      const options = { order: ORDERS[sort], after: null, limit: 51 };
      rows = (await issuesOf(ctx, ids, { ...NO_FILTER, ...filter }, options)).length;
    });
    const plans = await Promise.all(
      sent.map(({ text, values }) => database.query<Record<string, string>>({ text: `explain ${text}` }, values)),
    );
    const scans = plans
      .flat()
      .flatMap(
        (line) =>
          /(?:Index|Bitmap|Seq)[\w ]*Scan(?: Backward)?(?: using| on) (issue\w*)/.exec(line["QUERY PLAN"]!)?.[1] ?? [],
      );
    return { ms: ms.toFixed(1).padStart(7), rows, scans: [...new Set(scans)].join(", ") };
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const NO_FILTER: IssueFilter = { statuses: [], priorities: [], types: [], assigneeId: null };
const ABSENT = "00000000-0000-7000-8000-000000000000";

const cases = (person: string): [string, Partial<IssueFilter>, ViewSort?][] => [
  ["no filter, updated_desc", {}],
  ["no filter, created_desc", {}, "created_desc"],
  ["no filter, priority_desc", {}, "priority_desc"],
  ["no filter, due_asc", {}, "due_asc"],
  ["open statuses", { statuses: ["backlog", "todo", "in_progress", "in_review"] }],
  ["a status without issues", { statuses: ["failed"] }],
  ["a priority", { priorities: ["critical"] }],
  ["a type of one project", { types: ["bug"] }],
  ["a type of one project, due_asc", { types: ["bug"] }, "due_asc"],
  ["a rare type", { types: ["epic"] }],
  ["an assignee", { assigneeId: person }],
  ["an assignee and a status", { assigneeId: person, statuses: ["in_progress"] }],
  ["an assignee without issues", { assigneeId: ABSENT }],
  ["status, priority and type", { statuses: ["in_review"], priorities: ["critical"], types: ["story"] }],
  ["two frequent values that never meet", { statuses: ["done"], types: ["story"] }],
];

/** Bugs are in one project only, and no story is done. */
async function fill({ sql, ids }: Awaited<ReturnType<typeof setUp>>) {
  const { workspaceId, userId } = ids;
  const people = await sql(
    `insert into app_user (id, kind, name, created_at, updated_at)
     select gen_random_uuid(), 'person', 'U' || n, now(), now() from generate_series(1, 200) n returning id`,
  );
  await sql(
    `insert into member (workspace_id, user_id, role, joined_at)
     select $1, id, 'member', now() from app_user where name like 'U%' on conflict do nothing`,
    [workspaceId],
  );
  const made = await sql(
    `insert into project (id, workspace_id, key, slug, name, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, 'P' || n, 'p' || n, 'Project ' || n, $2, now(), now()
     from generate_series(1, ${PROJECTS}) n returning id`,
    [workspaceId, userId],
  );
  const projects = made.map(({ id }) => id as string);
  for (const [at, projectId] of projects.entries()) {
    await sql(
      `insert into issue (id, workspace_id, project_id, number, key, type, title, description_md, status, priority, rank,
                          assignee_ids, reporter_id, due_at, created_by, created_at, updated_at)
       select gen_random_uuid(), $1, $2, n, 'P' || $4 || '-' || n,
              case when h % 997 = 0 then 'epic' when $4::int = 3 and h % 3 = 0 then 'bug'
                   when h % 4 = 1 and h % 6 <> 3 then 'story' else 'task' end,
              'Issue ' || n, repeat('Words that describe what is wrong. ', 3),
              (array['backlog','todo','in_progress','done','in_review','cancelled'])[1 + h % 6],
              (array['medium','medium','medium','high','low','critical'])[1 + h / 7 % 6], lpad(n::text, 6, '0'),
              case when h % 3 = 0 then '{}' else array[($5::uuid[])[1 + h / 5 % 200]] end, $3,
              case when h % 5 = 0 then timestamptz '2030-01-01' + (h % 90) * interval '1 day' end, $3,
              timestamptz '2024-01-01' + n * interval '1 hour', timestamptz '2026-01-01' + (h % 500000) * interval '1 minute'
       from generate_series(1, ${ISSUES}) n, lateral (select hashtext($4 || '-' || n) & 2147483647 as h) hash`,
      [workspaceId, projectId, userId, String(at), people.map(({ id }) => id)],
    );
  }
  await sql("vacuum analyze issue");
  return { projects, person: people[17]!.id as string };
}
