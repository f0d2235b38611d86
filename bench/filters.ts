import { openPostgres } from "../src/adapters/postgres.ts";
import { decodeQuery } from "../src/api/engine/decode.ts";
import { IssueListQuery, listPage } from "../src/domain/work/issues/list.ts";
import { fillHistory, ISSUES, projectOf, scansOf } from "./history.ts";
import { medianMs, ROUNDS } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Every filter of the issue list with a hundred thousand issues in one project: median time over HTTP of the first
 * and the fourth page, and the plan's scans. A page has 50 issues.
 */

const LATER = 4;
/** Maximum time of a page. */
const MAX_MS = 20;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const database = openPostgres({ url: bench.env.DATABASE_URL!, pool: 2, name: "filters" }, silent);
  try {
    await fillHistory(bench);
    await fillFields(bench);
    const web = await bench.start("src/web.ts");
    const url = `http://127.0.0.1:${web.port}/v1/workspaces/bench/projects/WEB/issues`;
    const headers = { authorization: `Bearer ${bench.key}` };
    const get = async (query: Record<string, string>) => {
      const reply = await fetch(`${url}?${new URLSearchParams(query)}`, { headers });
      if (reply.status !== 200) throw new Error(`${JSON.stringify(query)}: ${reply.status} ${await reply.text()}`);
      return (await reply.json()) as { data: unknown[]; pagination: { next_cursor: string | null } };
    };
    console.log(`filters: ${ISSUES} issues in one project; pages of 50 issues, median of ${ROUNDS} runs`);
    console.log(`${"filter".padEnd(44)} first page ms  a later one  rows   scans`);
    const slow: string[] = [];
    for (const [name, query] of Object.entries(await cases(bench))) {
      const first = await medianMs(() => get(query));
      const cursor = await cursorOf(get, query);
      const later = cursor === null ? null : await medianMs(() => get({ ...query, cursor }));
      if (Math.max(first, later ?? 0) >= MAX_MS) slow.push(name);
      const rows = (await get(query)).data.length;
      const { ctx, sent } = projectOf(bench, database);
      const paging = { limit: 50, after: null, cursor: () => "" };
      await listPage(ctx, {
        ...decodeQuery(IssueListQuery, query, { lenient: false, warnings: [], also: [] }),
        paging,
      });
      const scans = (await Promise.all(sent.map((one) => scansOf(database, one)))).flat();
      const ofIssues = [...new Set(scans.filter((scan) => / issue/.test(scan)))];
      const columns = [first.toFixed(1).padStart(13), (later?.toFixed(1) ?? "").padStart(12), String(rows).padStart(5)];
      console.log(`${name.padEnd(44)} ${columns.join(" ")}   ${ofIssues.join(", ")}`);
    }
    console.log(slow.length === 0 ? `All below ${MAX_MS} ms.` : `Not below ${MAX_MS} ms: ${slow.join("; ")}.`);
  } finally {
    await database.close();
    await bench.stop();
  }
}

type Get = (query: Record<string, string>) => Promise<{ data: unknown[]; pagination: { next_cursor: string | null } }>;

/** The cursor of the later page, or of the last full one. */
async function cursorOf(get: Get, query: Record<string, string>): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 1; page < LATER; page++) {
    const { pagination } = await get(cursor === null ? query : { ...query, cursor });
    if (pagination.next_cursor === null) break;
    cursor = pagination.next_cursor;
  }
  return cursor;
}

const iso = (instant: unknown) => new Date(instant as string).toISOString();

const FIELDS = [
  ["Customer", "text", "to_jsonb('Customer ' || number)"],
  ["Budget", "number", "to_jsonb(number)"],
  ["Severity", "select", "to_jsonb(case when number % 5000 = 0 then 'Fatal' else 'Low' end)"],
  ["Browsers", "multi_select", `case when number % 5000 = 1 then '["Opera"]'::jsonb else '["Chrome", "Safari"]' end`],
  ["Agreed on", "date", "to_jsonb((date '2020-01-01' + number % 5000)::text)"],
  ["Paid", "checkbox", "to_jsonb(number % 3 = 0)"],
] as const;

/** Gives every issue a value of six custom fields. */
async function fillFields({ sql, ids: { projectId } }: Bench): Promise<void> {
  for (const [n, [name, kind, value]] of FIELDS.entries()) {
    await sql(
      `with field as (
         insert into custom_field (id, workspace_id, project_id, name, kind, options, rank, created_by, created_at, updated_at)
         select gen_random_uuid(), p.workspace_id, p.id, $2, $3,
                case $2 when 'Severity' then '{Low,Fatal}' when 'Browsers' then '{Chrome,Safari,Opera}' else '{}' end::text[],
                $4, (select id from app_user limit 1), now(), now()
         from project p where p.id = $1 returning id, workspace_id)
       insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_at)
       select f.id, i.id, f.workspace_id, ${value}, now() from field f, issue i where i.project_id = $1`,
      [projectId, name, kind, `a${n}`],
    );
  }
  await sql(
    `update issue i set custom_fields = v.fields from (
       select issue_id, jsonb_object_agg(field_id, value) as fields from custom_field_value group by 1) v
     where i.id = v.issue_id and i.project_id = $1`,
    [projectId],
  );
  await sql("vacuum analyze issue", []);
  await sql("vacuum analyze custom_field_value", []);
}

const ABSENT = "00000000-0000-7000-8000-000000000000";

async function cases({ sql, ids: { projectId } }: Bench): Promise<Record<string, Record<string, string>>> {
  const one = async (text: string) => (await sql(text, [projectId]))[0]!.x as string;
  const person = await one("select assignee_ids[1] as x from issue where project_id = $1 and number = 7");
  const email = `u7@bench.test`;
  const column = await one("select id as x from board_status where project_id = $1 and category = 'done'");
  const sprint = await one("select id as x from sprint where project_id = $1 order by rank offset 30 limit 1");
  const milestone = await one("select id as x from milestone where project_id = $1 order by rank limit 1");
  const release = await one("select id as x from release where project_id = $1 order by rank limit 1");
  const rare = { sprint: "active" };
  const due = await one("select min(due_at) + interval '9 days' as x from issue where project_id = $1").then(iso);
  const recent = await one("select max(updated_at) - interval '1 hour' as x from issue where project_id = $1").then(
    iso,
  );
  return {
    "no filter": {},
    "sort created_desc": { sort: "created_desc" },
    "sort updated_desc": { sort: "updated_desc" },
    "sort priority_desc": { sort: "priority_desc" },
    "sort due_asc": { sort: "due_asc" },
    "archived, updated_desc": { archived: "true", sort: "updated_desc" },
    "assignee, updated_desc": { assignee: person, sort: "updated_desc" },
    "status, priority_desc": { status: "todo", sort: "priority_desc" },
    "due_before, due_asc": { due_before: due, sort: "due_asc" },
    "due_before, nothing is": { due_before: "1999-01-01" },
    "updated_since, updated_desc": { updated_since: recent, sort: "updated_desc" },
    updated_since: { updated_since: recent },
    "field, a text": { "customFields.Customer": "customer 4711" },
    "field, a text of nobody": { "customFields.Customer": "nobody" },
    "field, a number": { "customFields.Budget": "4711" },
    "field, a rare range": { "customFields.Budget": "99990.." },
    "field, half of all": { "customFields.Budget": "50000.." },
    "field, half of all, updated_desc": { "customFields.Budget": "50000..", sort: "updated_desc" },
    "field, a frequent option": { "customFields.Severity": "Low" },
    "field, a rare option": { "customFields.Severity": "Fatal" },
    "field, a rare one of many": { "customFields.Browsers": "Opera" },
    "field, days": { "customFields.Agreed on": "2031-01-01..2031-01-07" },
    "field, two": { "customFields.Severity": "Fatal", "customFields.Budget": "..50000" },
    "field and assignee": { "customFields.Severity": "Low", assignee: person },
    "field, a checkbox": { "customFields.Paid": "true" },
    "field, none (all have it)": { "customFields.Budget": "none" },
    archived: { archived: "true" },
    "archived and type": { archived: "true", type: "bug" },
    "archived, q a common word": { archived: "true", q: "login" },
    "status, a category": { status: "done" },
    "status, a rare category": { status: "in_review" },
    "status, a column's id": { status: column },
    "status, a column's name": { status: "To Do" },
    "status, two categories": { status: "todo,in_review" },
    "status, a category and a column": { status: "failed,To Do" },
    "status, created_desc": { status: "in_review", sort: "created_desc" },
    "assignee, id": { assignee: person },
    "assignee, e-mail": { assignee: email },
    "assignee me (has none)": { assignee: "me" },
    "assignee none": { assignee: "none" },
    "assignee, created_desc": { assignee: person, sort: "created_desc" },
    "assignee and open": { assignee: person, status: "backlog,todo,in_progress,in_review" },
    reporter: { reporter: person },
    "reporter, created_desc": { reporter: person, sort: "created_desc" },
    "reporter and status": { reporter: person, status: "failed" },
    label: { label: "label 3" },
    "label, two": { label: "label 3,label 4" },
    "label and assignee": { label: "label 3", assignee: person },
    "label and priority, created_desc": { label: "label 3", priority: "critical", sort: "created_desc" },
    priority: { priority: "critical" },
    "priority, two": { priority: "critical,low" },
    type: { type: "bug" },
    "type epic": { type: "epic" },
    "type epic, created_desc": { type: "epic", sort: "created_desc" },
    "priority and type": { priority: "critical", type: "story" },
    "priority, type and status": { priority: "critical", type: "story", status: "in_review" },
    "sprint, id": { sprint },
    "sprint, created_desc": { sprint, sort: "created_desc" },
    "sprint, unknown": { sprint: ABSENT },
    "sprint active": rare,
    "sprint active, created_desc": { ...rare, sort: "created_desc" },
    "sprint active and status": { ...rare, status: "todo" },
    "sprint none": { sprint: "none" },
    "sprint none and open": { sprint: "none", status: "todo" },
    milestone: { milestone },
    "milestone none": { milestone: "none" },
    "milestone and sprint": { milestone, sprint },
    release: { release },
    "release none": { release: "none" },
    "parent, key": { parent: "WEB-41" },
    "parent none": { parent: "none" },
    "epic, key": { epic: "WEB-2000" },
    "epic none": { epic: "none" },
    "epic none and type epic": { epic: "none", type: "epic" },
    "q, a common word": { q: "login" },
    "q, a common word, created_desc": { q: "login", sort: "created_desc" },
    "q, a rare word": { q: "zebra" },
    "q, no such word": { q: "nosuchword" },
    "q, a key": { q: "WEB-4711" },
    "q common and assignee": { q: "login", assignee: person },
    "q, two common words": { q: "login search" },
    "q, words that all have": { q: "describe wrong" },
  };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
