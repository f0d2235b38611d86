import { expect, test } from "vitest";
import {
  change,
  forgetSums,
  inPoints,
  make,
  makeSprint,
  plan,
  report,
  sumUpSprints,
  tally,
} from "../support/reports.ts";
import { type World, world } from "../support/world.ts";

/** Reports read counts and the changes since then. Both together must equal the issues at any time. */

const REPORTS = ["status-breakdown", "type-breakdown", "workload", "throughput"];

const reportsOf = async ({ owner }: World) =>
  Object.fromEntries(await Promise.all(REPORTS.map(async (name) => [name, await figures(owner, name)])));

/** The age of issues grows between two calls. */
async function figures(owner: World["owner"], name: string) {
  const { data } = (await owner.get(`P/reports/${name}`).expect(200)).data;
  for (const slice of data.slices ?? []) delete slice.avg_age_days;
  return data;
}

/** The same reports, counted anew. */
async function recounted(here: World) {
  await here.sql("call tally_all_issues()");
  return reportsOf(here);
}

test("reports are exact before and after changes are counted", async () => {
  const here = await world();
  const { owner, sql, project } = here;
  const { id: me } = (await owner.get("/v1/me").expect(200)).data.user;
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const soon = new Date(Date.now() + 1_500).toISOString();
  const steps = async () =>
    (await sql("select count(*)::int as n from issue_step where project_id = $1", [project.id]))[0]!.n;
  /** Some of the steps, as if the worker stopped in between. */
  const count = (most: number) => tally(here, most);

  const a = await make(here, { story_points: 3, assignee_ids: [me], due_at: yesterday, estimate_minutes: 60 });
  const b = await make(here, { type: "bug", story_points: 5, due_at: soon });
  const c = await make(here, { assignee_ids: [me] });
  expect(await steps()).toBe(3);
  await count(2);
  await change(here, a, { status: "in_progress", story_points: 8 });
  await change(here, b, { assignee_ids: [me] });
  await change(here, c, { status: "done" });
  await count(3);
  await change(here, b, { title: "Another title" });
  await owner.delete(`P/issues/${a}`).expect(200);
  const before = await reportsOf(here);
  expect(before["status-breakdown"].total).toBe(2);
  expect(before.workload).toMatchObject({
    open_total: 1,
    unassigned: 0,
    rows: [{ assignee_id: me, open: 1, points: 5 }],
  });
  expect(before.throughput).toMatchObject({ total_created: 2, total_resolved: 1 });
  expect(await recounted(here)).toEqual(before);

  await owner.post(`P/issues/${a}/restore`).expect(200);
  await change(here, c, { status: "todo", assignee_ids: [] });
  // B becomes overdue while nothing is written.
  await new Promise((done) => setTimeout(done, Math.max(0, Date.parse(soon) - Date.now()) + 50));
  const later = await reportsOf(here);
  expect(later.workload).toMatchObject({ open_total: 3, unassigned: 1 });
  expect(later.workload.rows[0]).toMatchObject({
    open: 2,
    in_progress: 1,
    overdue: 2,
    points: 13,
    estimate_minutes: 60,
  });
  await count(1000);
  expect(await steps()).toBe(0);
  expect(await reportsOf(here)).toEqual(later);
  expect(await recounted(here)).toEqual(later);
});

test("each project is counted in a transaction of its own, because locks of all do not fit into memory", async () => {
  const here = await world();
  const other = await here.hidden();
  await Promise.all([make(here), make(other)]);
  await here.sql("call tally_all_issues()");
  const text = "select count(distinct xmin::text)::int as transactions from issue_standing where project_id = any($1)";
  expect(await here.sql(text, [[here.project.id, other.project.id]])).toEqual([{ transactions: 2 }]);
});

test("changes that do not matter to reports leave no step", async () => {
  const here = await world();
  const key = await make(here);
  await here.sql("call tally_all_issues()");
  await change(here, key, { title: "New", description_md: "Text", priority: "high" });
  await here.owner.post(`P/issues/${key}/comments`, { body_md: "Hello" }).expect(201);
  expect(await here.sql("select * from issue_step where project_id = $1", [here.project.id])).toEqual([]);
});

test("sums of sprints are exact while issues change, are counted, and are counted anew at the same time", async () => {
  const here = await inPoints();
  const { owner } = here;
  const [one, two] = await Promise.all(["One", "Two"].map((name) => makeSprint(here, { name })));
  const keys = await Promise.all(Array.from({ length: 12 }, (_, n) => make(here, { sprint_id: one, story_points: n })));
  await plan(here, one!, { status: "active" });
  let changing = true;
  const count = async () => {
    for (let n = 0; changing; n++) {
      if (n % 3 === 0) await forgetSums(here);
      await here.sql(
        `select ${n % 2 === 0 ? "count_sprint($2)" : "tally_issue_steps($1, 5)"}
         where pg_try_advisory_xact_lock(hashtextextended('tally ' || $1::text, 0)) and $2::uuid is not null`,
        [here.project.id, n % 4 === 0 ? one : two],
      );
    }
  };
  const counting = count();
  await Promise.all(
    keys.map(async (key, n) => {
      await change(here, key, { status: n % 2 === 0 ? "done" : "in_progress" });
      await change(here, key, { story_points: n + 3 });
      if (n % 3 === 0) await change(here, key, { sprint_id: two });
      if (n % 4 === 0) await owner.delete(`P/issues/${key}`).expect(200);
      if (n % 6 === 0) await change(here, await make(here, { story_points: 1 }), { sprint_id: one });
      if (n % 8 === 0) await owner.post(`P/issues/${key}/restore`).expect(200);
    }),
  );
  changing = false;
  await counting;
  const figures = async () => [
    (await report(here, "velocity")).data,
    (await report(here, "burndown")).data,
    (await owner.get(`P/reports/burndown?sprint=${two}`).expect(200)).data.data,
  ];
  await sumUpSprints(here);
  const kept = await figures();
  expect(kept[0].bars[0]).toMatchObject({ committed_issues: 12, added_issues: 2 });
  await tally(here, 1_000);
  expect(await figures()).toEqual(kept);
  await forgetSums(here);
  expect(await figures()).toEqual(kept);
});
