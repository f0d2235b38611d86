import { openPostgres } from "../src/adapters/postgres.ts";
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
      await listPage(ctx, { ...IssueListQuery.parse(query), paging });
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
  return {
    "no filter": {},
    "sort created_desc": { sort: "created_desc" },
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
