import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Statement } from "../../src/domain/kernel/ports/ports.ts";
import { search } from "../support/search.ts";
import { world } from "../support/world.ts";

test("a search reads each table by its index of words, once for each part of time", async () => {
  const { owner, app, sql, workspace } = await world();
  await sql(
    `insert into project (id, workspace_id, key, slug, name, scoped, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, 'N' || n, 'n' || n, 'N ' || n, true, $2, now(), now() from generate_series(1, 50) n`,
    [workspace.id, owner.userId],
  );
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, priority, rank, reporter_id,
                        created_by, created_at, updated_at)
     select gen_random_uuid(), $1, id, n, key || '-' || n, 'task', 'words ' || n, 'todo', 'medium', rank_of(n), $2, $2,
            now(), now()
     from project, generate_series(1, 200) n where workspace_id = $1`,
    [workspace.id, owner.userId],
  );
  await sql(
    `insert into doc (id, workspace_id, project_id, branch, title, visibility, owner_id, word_count, created_by,
                      updated_by, created_at, updated_at)
     select gen_random_uuid(), $1, id, gen_random_uuid(), 'words ' || n, 'workspace', $2, 1, $2, $2, now(), now()
     from project, generate_series(1, 100) n where workspace_id = $1`,
    [workspace.id, owner.userId],
  );
  await sql("analyze issue, doc, project");
  const plan = await planOf(app, () => search(owner, "two words"));
  for (const table of ["issue", "doc"]) {
    const scans = plan.matchAll(new RegExp(`"Index Name":"${table}_search"[^{}]*?"Index Cond":"([^"]*)"`, "g"));
    // Not together with a project, which would be once for each of them.
    const conditions = [...scans].map(([, condition]) => condition!.replace(/\$\d+/, "$n"));
    expect(conditions, table).toEqual(Array(3).fill("(search @@ $n)"));
  }
});

test("the newest rows of a project are read in order, and the index is asked without the common words", async () => {
  const { owner, app, sql, workspace, project } = await world();
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'words ' || n, s.category, s.id, 'medium', rank_of(n), $3, $3,
            now(), now()
     from generate_series(1, 2000) n, (select * from board_status where project_id = $2 and category = 'todo' limit 1) s`,
    [workspace.id, project.id, owner.userId],
  );
  await sql("analyze issue");
  const plan = await planOf(app, () => search(owner, "two words"));
  expect(plan).toContain('"Index Name":"issue_by_update"');
  const conditions = [...plan.matchAll(/"Index Name":"issue_search"[^{}]*?"Index Cond":"([^"]*)"/g)];
  expect(conditions.map(([, condition]) => condition!.replace(/\d+/, "n"))).toEqual(
    Array(2).fill("(search @@ (InitPlan n).col1)"),
  );
});

test("in a workspace of ten thousand people, one is found by the index of words", async () => {
  const { owner, app, sql, workspace } = await world();
  await sql(
    `with people as (
       insert into app_user (id, kind, email, name, created_at, updated_at)
       select gen_random_uuid(), 'person', $2 || n || '@crowd.test', 'Person ' || n, now(), now()
       from generate_series(1, 10000) n returning id)
     insert into member (workspace_id, user_id, role, joined_at) select $1, id, 'viewer', now() from people`,
    [workspace.id, workspace.slug],
  );
  await sql("analyze member, app_user");
  for (const q of ['"person 7777"', `${workspace.slug}7777@crowd.test`]) {
    const plan = await planOf(app, async () => {
      expect(await search(owner, q, "types=person")).toMatchObject([{ title: "Person 7777" }]);
    });
    expect(plan).toContain('"Index Name":"member_search"');
  }
});

/** The plan of the statement of a search, for all values. */
async function planOf(
  app: Awaited<ReturnType<typeof world>>["app"],
  searches: () => Promise<unknown>,
): Promise<string> {
  const { database } = app.resources;
  const { query } = database;
  const sent: string[] = [];
  database.query = (statement: Statement, values) => {
    if (statement.name?.startsWith("search_") && statement.name !== "search_prepare") sent.push(statement.text);
    return query(statement, values);
  };
  onTestFinished(() => {
    database.query = query;
  });
  await searches();
  expect(sent).toHaveLength(1);

  const client = new pg.Client({ connectionString: app.config.DATABASE_URL });
  onTestFinished(() => client.end());
  await client.connect();
  // Reading all of a small table is cheap, and a plan for all values needs none.
  await client.query("set enable_seqscan = off");
  await client.query("set plan_cache_mode = force_generic_plan");
  await client.query(`prepare searched as ${sent[0]}`);
  const parameters = Math.max(...[...sent[0]!.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = Array(parameters).fill("null").join(", ");
  return JSON.stringify((await client.query(`explain (format json) execute searched(${nulls})`)).rows);
}
