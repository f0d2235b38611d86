import { openPostgres } from "../src/adapters/postgres.ts";
import type { Statement } from "../src/domain/kernel/ports/ports.ts";
import { listIssues } from "../src/domain/work/issues/list.sql.ts";
import type { ListFilter } from "../src/domain/work/issues/list-conditions.sql.ts";
import { medianMs, ROUNDS } from "./load.ts";
import { setUp } from "./setup.ts";

/** The issue list with each filter at a million issues: median time of a page, and the plan's scans. */

const ISSUES = Number(process.env.PLAN_ISSUES ?? 1_000_000);
const PROJECTS = 10;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const database = openPostgres({ url: bench.env.DATABASE_URL!, pool: 2, name: "plans" }, silent);
  try {
    const ids = await fill(bench);
    console.log(
      `plans: ${ISSUES} issues, nine tenths of them in one project; pages of 51 rows, median of ${ROUNDS} runs`,
    );
    for (const [name, filters] of Object.entries(cases(ids))) {
      let statements: { text: string; values: readonly unknown[] }[] = [];
      const db = {
        query: <Row>(sent: Statement, values: readonly unknown[] = []) => {
          if (/from \(?(select \* from )?issue/.test(sent.text)) statements.push({ text: sent.text, values });
          return database.query<Row>(sent, values);
        },
      };
      let rows = 0;
      const options = { sort: "rank", archived: false, after: null, limit: 51 } as const;
      const ms = await medianMs(async () => {
        statements = [];
        rows = (await listIssues(db, ids.workspaceId, ids.projectId, filters, options)).length;
      });
      const plans = await Promise.all(
        statements.map(({ text, values }) =>
          database.query<Record<string, string>>({ text: `explain ${text}` }, values),
        ),
      );
      const scans = plans
        .flat()
        .flatMap(
          (line) =>
            /((?:Index|Bitmap|Seq)[\w ]*Scan)(?: Backward)?(?: using| on) (issue\w*)/
              .exec(line["QUERY PLAN"]!)
              ?.slice(1, 3)
              .join(" ") ?? [],
        );
      console.log(
        `${name.padEnd(34)} ${ms.toFixed(1).padStart(7)} ms  ${String(rows).padStart(2)} rows  ${[...new Set(scans)].join(", ")}`,
      );
    }
  } finally {
    await database.close();
    await bench.stop();
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function fill({ sql, ids }: Awaited<ReturnType<typeof setUp>>) {
  const { workspaceId, userId, projectId } = ids;
  await sql(
    `insert into app_user (id, kind, name, created_at, updated_at) select gen_random_uuid(), 'person', 'U' || n, now(), now() from generate_series(1, 200) n`,
  );
  await sql(
    `insert into project (id, workspace_id, key, slug, name, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, 'P' || n, 'p' || n, 'Other ' || n, $2, now(), now() from generate_series(1, ${PROJECTS - 1}) n`,
    [workspaceId, userId],
  );
  await sql(
    `insert into board_status (id, workspace_id, project_id, name, color, category, rank, created_at, updated_at)
     select gen_random_uuid(), $1, $2, c, '#64748b', c, 'b' || (10 + n), now(), now()
     from unnest(array['backlog','in_progress','in_review','done','cancelled']) with ordinality as t(c, n)`,
    [workspaceId, projectId],
  );
  await sql(
    `insert into sprint (id, workspace_id, project_id, name, status, rank, created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'S' || n, case when n = 1 then 'active' else 'planned' end, 'a' || n, now(), now() from generate_series(1, 9) n`,
    [workspaceId, projectId],
  );
  await sql(
    `insert into milestone (id, workspace_id, project_id, name, rank, created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'M' || n, 'a' || n, now(), now() from generate_series(1, 9) n`,
    [workspaceId, projectId],
  );
  const batch = 50_000;
  for (let from = 0; from < ISSUES; from += batch) {
    await sql(
      `with u as (select array_agg(id order by id) as ids from app_user), p as (select array_agg(id order by key) as ids from project where key <> 'WEB'),
            l as (select array_agg(id order by id) as ids from label), s as (select array_agg(id order by rank) as ids from sprint),
            m as (select array_agg(id order by rank) as ids from milestone),
            b as (select array_agg(id order by rank) as ids, array_agg(category order by rank) as categories from board_status)
       insert into issue (id, workspace_id, project_id, number, key, type, title, description_md, status, status_id, priority, rank,
                          assignee_ids, reporter_id, label_ids, sprint_id, milestone_id, parent_id, created_by, created_at, updated_at)
       select gen_random_uuid(), $1, case when n % 10 > 0 then $2 else p.ids[1 + n % 9] end, n, 'WEB-' || n,
              (array['task','task','task','task','bug','story'])[1 + n % 6],
              'Issue ' || n || ' about ' || (array['login','search','billing','export'])[1 + n % 4] || case when n % 20011 = 0 then ' zebra' else '' end,
              repeat('Words that describe what is wrong. ', 3), b.categories[1 + n % 6], b.ids[1 + n % 6],
              (array['medium','medium','medium','high','low','critical'])[1 + (n / 7) % 6], rank_of(n),
              case when n % 3 = 0 then '{}'::uuid[] else array[u.ids[(1 + (n::bigint * 7919) % 200)::int]] end, u.ids[1 + (n / 3) % 200],
              case when n % 2 = 0 then array[l.ids[1 + (n / 2) % 20]] else '{}'::uuid[] end,
              case when n % 50 = 1 then s.ids[1 + (n / 50) % 9] end, case when n % 40 = 1 then m.ids[1 + (n / 40) % 9] end, null,
              $3, now(), now()
       from generate_series(${from + 1}, ${from + batch}) n, u, p, l, s, m, b`,
      [workspaceId, projectId, userId],
    );
  }
  await sql("vacuum analyze issue");
  const one = async (text: string) => (await sql(text, [projectId]))[0]!.id as string;
  return {
    workspaceId,
    projectId,
    person: (
      await sql("select assignee_ids[1] as id from issue where project_id = $1 and assignee_ids <> '{}' limit 1", [
        projectId,
      ])
    )[0]!.id as string,
    label: (
      await sql("select label_ids[1] as id from issue where project_id = $1 and label_ids <> '{}' limit 1", [projectId])
    )[0]!.id as string,
    column: await one("select id from board_status where project_id = $1 and category = 'done'"),
    sprint: await one("select id from sprint where project_id = $1 and status = 'active'"),
    milestone: await one("select id from milestone where project_id = $1 limit 1"),
  };
}

const ABSENT = "00000000-0000-7000-8000-000000000000";

const cases = (ids: Awaited<ReturnType<typeof fill>>): Record<string, ListFilter[]> => {
  const by = (column: ListFilter["column"], ...any: string[]): ListFilter => ({ column, any, none: false });
  return {
    "no filter": [],
    "status (category)": [by("status", "done")],
    "status (column)": [by("status", "done"), by("status_id", ids.column)],
    "status (two categories)": [by("status", "done", "in_review")],
    assignee: [by("assignee_ids", ids.person)],
    "assignee none": [{ column: "assignee_ids", any: [], none: true }],
    "assignee and status": [by("assignee_ids", ids.person), by("status", "done")],
    reporter: [by("reporter_id", ids.person)],
    label: [by("label_ids", ids.label)],
    priority: [by("priority", "critical")],
    "priority and type": [by("priority", "critical"), by("type", "story")],
    type: [by("type", "story")],
    sprint: [by("sprint_id", ids.sprint)],
    milestone: [by("milestone_id", ids.milestone)],
    "parent none": [{ column: "parent_id", any: [], none: true }],
    "q, rare word": [by("search", "zebra")],
    "q, common word": [by("search", "login")],
    "q, no such word": [by("search", "nosuchword")],
    "assignee, absent": [by("assignee_ids", ABSENT)],
    "label, absent": [by("label_ids", ABSENT)],
    "sprint none and type": [{ column: "sprint_id", any: [], none: true }, by("type", "story")],
    "q rare and assignee": [by("search", "zebra"), by("assignee_ids", ids.person)],
  };
};
