import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ISSUE_TYPES, PRIORITIES } from "../../src/domain/access/identity/issue-row.ts";
import { CATEGORIES } from "../../src/domain/kernel/categories.ts";
import type { InWorkspace } from "../../src/domain/kernel/context.ts";
import { type IssueFilter, issuesOf } from "../../src/domain/knowledge/views/issues.sql.ts";
import { ORDERS, VIEW_SORTS, type ViewSort } from "../../src/domain/work/issues/orders.ts";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/** Views over fifty projects of very different sizes, one of them with thousands of issues. */

const PROJECTS = 50;
const everything = {
  projectIds: [] as string[],
  statuses: [] as string[],
  priorities: [] as string[],
  types: [] as string[],
  assigneeId: null as string | null,
  sort: "updated_desc" as ViewSort,
};
type Filter = typeof everything;

let here: World;
/** A member who sees one of the projects. */
let insider: Client;
let projects: { id: string; key: string }[];

beforeAll(async () => {
  here = await world();
  insider = await here.as({ role: "guest", projectRole: "member" });
  const { sql, workspace, owner, project } = here;
  await sql(
    `insert into project (id, workspace_id, key, slug, name, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, 'P' || n, 'p' || n, 'P' || n, $2, now(), now() from generate_series(1, ${PROJECTS - 1}) n`,
    [workspace.id, owner.userId],
  );
  projects = await sql<{ id: string; key: string }>(
    `select id, key from project where workspace_id = $1 order by key`,
    [workspace.id],
  );
  // Epics are rare, and bugs are in one project only. The times have many equal values.
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, priority, rank, assignee_ids,
                        reporter_id, due_at, archived_at, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, p.id, n, p.key || '-' || n,
            case when h % 499 = 0 then 'epic' when p.id = $2 and h % 3 = 0 then 'bug' else 'task' end, 'Issue ' || n,
            (array['backlog','todo','in_progress','done'])[1 + h % 4],
            (array['lowest','low','medium','medium','high','highest'])[1 + h / 7 % 6], lpad(n::text, 5, '0'),
            case when h % 61 = 0 then array[$3::uuid] else '{}' end, $3,
            case when h % 5 = 0 then timestamptz '2030-01-01' + (h % 90) * interval '1 day' end,
            case when h % 17 = 0 then now() end, $3, timestamptz '2026-01-01' + (h / 11 % 700) * interval '1 hour',
            timestamptz '2026-02-01' + (h / 13 % 900) * interval '1 hour'
     from (select id, key, row_number() over (order by key) as place from project where workspace_id = $1) p,
          lateral generate_series(1, case when id = $2 then 3000 when place % 7 = 0 then 0 else place * 8 end) n,
          lateral (select hashtext(p.key || n) & 2147483647 as h) hash`,
    [workspace.id, project.id, owner.userId],
  );
});

type Row = Record<"id" | "project_id" | "status" | "priority" | "type" | "created_at" | "updated_at", string> & {
  assignee_ids: string[];
  due_at: string | null;
};

const KEYS: Record<ViewSort, (row: Row) => string> = {
  updated_desc: (row) => row.updated_at,
  created_desc: (row) => row.created_at,
  priority_desc: (row) => String((PRIORITIES as readonly string[]).indexOf(row.priority)),
  due_asc: (row) => row.due_at ?? "9999",
};

/** The ids that a view has to show, computed from all issues of the workspace. */
async function expected(projectIds: string[], filter: Filter): Promise<string[]> {
  const rows = await here.sql<Row>(
    `select id, project_id, status, priority, type, created_at, updated_at, assignee_ids, due_at
     from issue where project_id = any($1::uuid[]) and archived_at is null`,
    [projectIds],
  );
  const among = (values: string[], value: string) => values.length === 0 || values.includes(value);
  const key = KEYS[filter.sort];
  const turn = filter.sort === "due_asc" ? 1 : -1;
  const place = (row: Row) => `${key(row)} ${row.id}`;
  return rows
    .filter(
      (row) =>
        among(filter.projectIds, row.project_id) &&
        among(filter.statuses, row.status) &&
        among(filter.priorities, row.priority) &&
        among(filter.types, row.type) &&
        (filter.assigneeId === null || row.assignee_ids.includes(filter.assigneeId)),
    )
    .sort((a, b) => turn * (place(a) < place(b) ? -1 : 1))
    .map(({ id }) => id);
}

const save = async (filter: Filter): Promise<string> => {
  const { data } = await here.owner.post("W/views", { name: "x", filter }).expect(201);
  return data.id;
};

async function walk(client: Client, viewId: string, pages: number, limit: number, between?: () => Promise<unknown>) {
  const ids: string[] = [];
  let cursor = "";
  for (let page = 0; page < pages; page++) {
    const { body } = await client.get(`W/views/${viewId}/issues?limit=${limit}${cursor}`).expect(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.pagination.next_cursor === null) break;
    cursor = `&cursor=${body.pagination.next_cursor}`;
    await between?.();
  }
  return ids;
}

const filters: [string, (ids: { owner: string; project: string }) => Partial<Filter>][] = [
  ["no filter", () => ({})],
  ["two projects", ({ project }) => ({ projectIds: [project, projects[9]!.id] })],
  ["half of all statuses", () => ({ statuses: ["todo", "done"] })],
  ["a status without issues", () => ({ statuses: ["failed"] })],
  ["priorities", () => ({ priorities: ["highest", "lowest"] })],
  ["a type of one project", () => ({ types: ["bug"] })],
  ["a rare type", () => ({ types: ["epic"] })],
  ["an assignee", ({ owner }) => ({ assigneeId: owner })],
  ["a rare combination", ({ owner }) => ({ types: ["task"], statuses: ["done"], assigneeId: owner })],
  ["every value", () => ({ statuses: [...CATEGORIES], types: [...ISSUE_TYPES], priorities: [...PRIORITIES] })],
];

test.each(filters)("%s: pages show exactly the matching issues in each order", async (_, of) => {
  const partial = of({ owner: here.owner.userId, project: here.project.id });
  for (const sort of VIEW_SORTS) {
    const filter = { ...everything, ...partial, sort };
    const id = await save(filter);
    const whole = await expected(
      projects.map(({ id }) => id),
      filter,
    );
    expect(await walk(here.owner, id, 4, 37)).toEqual(whole.slice(0, 4 * 37));
    const own = await expected([here.project.id], filter);
    const { sql } = here;
    await sql(`update workspace_view set created_by = $1 where id = $2`, [insider.userId, id]);
    expect(await walk(insider, id, 3, 100)).toEqual(own.slice(0, 300));
    await sql(`delete from workspace_view where id = $1`, [id]);
  }
});

test("a filter that changed between two pages makes the cursor invalid", async () => {
  const id = await save(everything);
  const path = `W/views/${id}/issues?limit=5`;
  const { body } = await here.owner.get(path).expect(200);
  const next = `${path}&cursor=${body.pagination.next_cursor}`;
  await here.owner.patch(`W/views/${id}`, { name: "Other" }).expect(200);
  await here.owner.get(next).expect(200);
  await here.owner.patch(`W/views/${id}`, { filter: { ...everything, types: ["bug"] } }).expect(200);
  await here.owner.get(next).expect(400, "cursor_mismatch");
});

test("issues that change during a walk are never shown twice, and all others exactly once", async () => {
  const ids = projects.map(({ id }) => id);
  for (const sort of ["updated_desc", "priority_desc"] as const) {
    const filter = { ...everything, types: ["epic", "bug"], sort };
    const before = await expected(ids, filter);
    const moved: string[] = [];
    // To the front of each order, as changes of people do.
    const move = async () => {
      const some = before.filter((id, n) => n % 9 === moved.length % 9 && !moved.includes(id)).slice(0, 20);
      moved.push(...some);
      await here.sql(`update issue set updated_at = now(), priority = 'critical' where id = any($1::uuid[])`, [some]);
    };
    const seen = await walk(here.owner, await save(filter), 1000, 31, move);
    expect(new Set(seen).size).toBe(seen.length);
    expect(moved.length).toBeGreaterThan(100);
    expect(before.filter((id) => !moved.includes(id) && !seen.includes(id))).toEqual([]);
  }
});

test("issues of archived projects and archived issues are left out", async () => {
  const hidden = await here.hidden("GONE");
  const { data: live } = await hidden.owner.post("P/issues", { title: "Live" }).expect(201);
  const { data: archived } = await hidden.owner.post("P/issues", { title: "Archived" }).expect(201);
  await hidden.owner.delete(`P/issues/${archived.key}`).expect(200);
  const id = await save({ ...everything, projectIds: [hidden.project.id] });
  const [shown] = (await here.owner.get(`W/views/${id}/issues`).expect(200)).data;
  expect(shown).toEqual((await hidden.owner.get(`P/issues/${live.key}`).expect(200)).data);
  await hidden.owner.delete("P").expect(200);
  expect((await here.owner.get(`W/views/${id}/issues`).expect(200)).data).toEqual([]);
});

test("each order is read by its index, and a reader of one project reads a fraction of what an owner reads", async () => {
  const client = new pg.Client({ connectionString: here.app.config.DATABASE_URL });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("analyze issue");
  // As though there were far more issues: reading all of a small table is cheap.
  await client.query("set enable_seqscan = off");
  await client.query("set enable_sort = off");
  const read = async (projectIds: string[], filter: Partial<Filter>, sort: ViewSort) => {
    let rows = 0;
    const scans = new Set<string>();
    const db = {
      async query<Row>({ text }: { text: string }, values: readonly unknown[] = []) {
        const { rows: plan } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
        for (const node of nodesOf(plan[0]["QUERY PLAN"][0].Plan)) {
          if (!/issue/.test(node["Index Name"] ?? node["Relation Name"] ?? "")) continue;
          if (node["Index Name"]) scans.add(node["Index Name"]);
          expect(node["Node Type"]).not.toBe("Seq Scan");
          rows += (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
        }
        return (await client.query(text, [...values])).rows as Row[];
      },
    };
    const ctx = { ...here, db } as unknown as InWorkspace;
    await issuesOf(ctx, projectIds, { ...everything, ...filter } as IssueFilter, {
      order: ORDERS[sort],
      after: null,
      limit: 51,
    });
    return { rows, scans: [...scans].sort() };
  };
  const all = projects.map(({ id }) => id);
  const indexes = {
    updated_desc: "issue_by_update",
    created_desc: "issue_report",
    priority_desc: "issue_by_urgency",
    due_asc: "issue_by_due",
  };
  for (const sort of VIEW_SORTS) {
    const one = await read([projects[30]!.id], {}, sort);
    const many = await read(all, {}, sort);
    expect(many.scans).toEqual([indexes[sort], "issue_pkey"].sort());
    expect(many.rows).toBeLessThan(51 * PROJECTS + 500);
    expect(one.rows).toBeLessThan(200);
    const rare = await read([projects[30]!.id], { statuses: ["failed"] }, sort);
    const everywhere = await read(all, { statuses: ["failed"] }, sort);
    expect(rare.rows).toBeLessThan(everywhere.rows / 10);
  }
});

// biome-ignore lint/suspicious/noExplicitAny: a node of a plan as Postgres describes it
type Node = Record<string, any>;
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
