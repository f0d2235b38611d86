import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "../../src/domain/kernel/ports/ports.ts";
import { presentDb } from "../../src/domain/kernel/present.sql.ts";
import { listIssues } from "../../src/domain/work/issues/list.sql.ts";
import type { ListFilter } from "../../src/domain/work/issues/list-conditions.sql.ts";
import type { Sort } from "../../src/domain/work/issues/orders.ts";
import { type World, world } from "../support/world.ts";

/** Lists while very many issues are about to change: they read by index, and compute what is to come for a page only. */

const MANY = 12_000;
const LIMIT = 50;

type Node = { Plans?: Node[]; "Relation Name"?: string; "Actual Rows": number; "Actual Loops": number } & {
  "Rows Removed by Filter"?: number;
};

/** Rows of `issue` that a plan has read. */
const rowsRead = (node: Node): number =>
  (node["Relation Name"] === "issue"
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0) + (node.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);

/** Every issue of a project in one column, with one label and one milestone; one in a hundred has another of each. */
async function crowd(
  { sql, workspace, project, owner, columns }: World,
  [label, other]: string[],
  [milestone, next]: string[],
) {
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, label_ids, milestone_id, created_by, created_at, updated_at)
     select uuidv7(), $1, $2, 1000 + n, $4 || '-' || (1000 + n), 'task', 'Issue ' || n, 'todo', $3, 'medium',
            rank_of(1000 + n), $5, case when n % 100 = 0 then array[$6, $7]::uuid[] else array[$6]::uuid[] end,
            case when n % 100 = 0 then $9::uuid else $8::uuid end, $5, now(), now() - n * interval '1 minute'
     from generate_series(1, ${MANY}) n`,
    [workspace.id, project.id, columns["To Do"], project.key, owner.userId, label, other, milestone, next],
  );
  await sql("analyze issue");
}

test("a page of a list costs as much as before while very many issues are about to change", async () => {
  const here = await world();
  const { app, workspace, project, columns, sql, owner } = here;
  const made = async (path: string, name: string) => (await owner.post(`P/${path}`, { name }).expect(201)).data.id;
  const labels: string[] = [await made("labels", "bug"), await made("labels", "other")];
  const milestones: string[] = [await made("milestones", "M"), await made("milestones", "Next")];
  await crowd(here, labels, milestones);
  const client = new pg.Client({ connectionString: app.config.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());

  const filter = (column: ListFilter["column"], any: string[]): ListFilter => ({ column, any, none: false });
  const read = async (kinds: string[], filters: ListFilter[], sort: Sort = "rank") => {
    let rows = 0;
    const counting: Db = {
      async query({ text }, values = []) {
        const { rows: plans } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
        rows += rowsRead(plans[0]["QUERY PLAN"][0].Plan);
        return (await client.query(text, [...values])).rows;
      },
    };
    const options = { sort, archived: false, after: null, limit: LIMIT } as const;
    const page = await listIssues(presentDb(counting, kinds), workspace.id, project.id, filters, options);
    return { rows, found: page.length, page };
  };

  const CHANGES: Record<string, { target: string; data?: object }> = {
    label: { target: labels[0]! },
    milestone: { target: milestones[0]! },
    category: { target: columns["To Do"]!, data: { to: { category: "done" } } },
  };
  for (const [kind, { target, data = {} }] of Object.entries(CHANGES)) {
    await sql("delete from mass_change");
    await sql(
      `insert into mass_change (id, workspace_id, project_id, kind, target_id, data, author, created_at)
       values (uuidv7(), $1, $2, $3, $4, $5, '{}', now())`,
      [workspace.id, project.id, kind, target, JSON.stringify(data)],
    );
    if (kind === "category") await sql("update board_status set category = 'done' where id = $1", [target]);
    for (const sort of ["rank", "created_desc", "priority_desc", "due_asc"] as const) {
      const { rows, found } = await read([kind], [], sort);
      expect(found).toBe(LIMIT);
      expect(rows, `${kind}: sort=${sort}`).toBeLessThanOrEqual(2 * LIMIT);
    }
    // Of the first thousand issues ten match, so the list walks on, as far as four thousand. Then each hundredth issue is
    // found by what is stored: once as a match, and once for the page.
    const FEW = MANY / 100;
    const rare = await read([kind], [filter("label_ids", [labels[1]!])]);
    expect(rare.found).toBe(LIMIT);
    if (kind !== "category") expect(rare.rows, `${kind}: label`).toBeLessThanOrEqual(5_000 + FEW + 2 * LIMIT);
    // Postgres cannot know how many issues match what is to come, and may read all of the project's.
    const planned = await read([kind], [filter("milestone_id", [milestones[1]!])]);
    expect(planned.page.map(({ milestone_id }) => milestone_id)).toEqual(Array(LIMIT).fill(milestones[1]));
    const { rows, found } = await read([kind], [filter("status", ["todo"])]);
    expect(found).toBe(kind === "category" ? 0 : LIMIT);
    if (kind !== "category") expect(rows, `${kind}: status`).toBeLessThanOrEqual(2 * LIMIT);
  }
  const { page } = await read(["category"], [filter("status", ["done"])]);
  expect(new Set(page.map(({ status }) => status))).toEqual(new Set(["done"]));
  expect(page).toHaveLength(LIMIT);
  expect((await owner.get("P/issues?limit=50&status=todo").expect(200)).data).toEqual([]);
});
