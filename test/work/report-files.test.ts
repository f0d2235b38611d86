import { beforeAll, expect, test } from "vitest";
import { csvRows } from "../support/csv.ts";
import { day, earlyEnough } from "../support/history.ts";
import { change, inPoints, make, makeSprint, NAMES, plan, report } from "../support/reports.ts";
import { type World, world } from "../support/world.ts";

beforeAll(earlyEnough, 120_000);

type Fields = Record<string, unknown>;

const file = async ({ owner }: World, name: string) => {
  const { text, headers } = await owner.get(`P/reports/${name}?format=csv`).expect(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("content-disposition")).toBe(`attachment; filename="WEB-${name}-${day(0)}.csv"`);
  return csvRows(text);
};

test("a report without data is only a header as CSV", async () => {
  const here = await world();
  const velocity =
    "sprint_id,sprint_name,status,start_at,end_at,committed,completed,committed_issues,committed_points,added_issues," +
    "removed_issues,completed_issues,completed_points,carried_over_issues";
  expect(await file(here, "velocity")).toEqual([velocity.split(",")]);
  const burndown =
    "date,scope,completed,remaining,ideal,scope_issues,completed_issues,remaining_issues,scope_points," +
    "completed_points,remaining_points";
  expect(await file(here, "burndown")).toEqual([burndown.split(",")]);
  const cycle =
    "issue_key,title,type,priority,assignee_id,assignees,assignee_names,created_at,started_at,resolved_at,cycle_hours,lead_hours";
  expect(await file(here, "cycle-time")).toEqual([cycle.split(",")]);
  const workload =
    "assignee_id,assignee_name,assignee_kind,open,in_progress,overdue,points,estimate_minutes,spent_minutes";
  expect(await file(here, "workload")).toEqual([workload.split(",")]);
  const weeks = "week_start,week_end,created,resolved,done,failed,cancelled,net,done_points";
  expect((await file(here, "throughput"))[0]).toEqual(weeks.split(","));
  const columns = "status_id,status_name,category,color,count,points,percent,avg_age_days";
  expect((await file(here, "status-breakdown"))[0]).toEqual(columns.split(","));
  const types = "type,count,todo,in_progress,done,failed,cancelled,points,percent";
  expect((await file(here, "type-breakdown"))[0]).toEqual(types.split(","));
});

test("all reports have the same data as CSV and as JSON, whatever titles and names contain", async () => {
  const here = await inPoints();
  const nasty = [`a, "b" and 'c'`, "=1+1", "+1", "-1", "@SUM(A1)", "＝1", `"`, ",", "Zoë 漢字 🎉", "a;b", '="x",1'];
  const sprint_id = await makeSprint(here, { name: `=HYPERLINK("http://x","y")`, start_at: day(0), end_at: day(2) });
  for (const title of nasty) await make(here, { title, sprint_id, story_points: 2, assignee: "me", status: "todo" });
  await plan(here, sprint_id, { status: "active" });
  for (let n = 1; n <= nasty.length; n++) await change(here, `WEB-${n}`, { status: "done" });
  await here.sql(`update issue set title = $1 where key = 'WEB-1' and project_id = $2`, [
    'a\r\nb\n"c"',
    here.project.id,
  ]);
  await here.sql(`update issue set title = $1 where key = 'WEB-2' and project_id = $2`, ["\t=1", here.project.id]);
  await make(here, { assignee_ids: [(await here.as({ role: "member", name: '@Mal, "M"' })).userId] });
  await here.owner.post("P/statuses", { name: '-Done, "really"', category: "done" }).expect(201);

  for (const name of NAMES) {
    const { data } = await report(here, name);
    const rows = (data.bars ?? data.points ?? data.issues ?? data.weeks ?? data.slices ?? data.rows) as Fields[];
    expect(rows.length, name).toBeGreaterThan(0);
    const [header, ...cells] = await file(here, name);
    expect(header, name).toEqual(Object.keys(rows[0]!));
    // Text that a spreadsheet would compute has an apostrophe before it; numbers are as they are.
    const cell = (value: unknown): string =>
      Array.isArray(value)
        ? cell(value.join("; "))
        : typeof value === "string" && /^[=+\-@\t\r＝]/.test(value)
          ? `'${value}`
          : String(value ?? "");
    expect(cells, name).toEqual(rows.map((row) => Object.values(row).map(cell)));
  }
  const { text } = await here.owner.get("P/reports/throughput?format=csv").expect(200);
  // Resolved 11 of 12: net 1. With all archived but one made long ago, it would be below 0.
  expect(text.split("\r\n").at(-2)).toMatch(/,12,11,11,0,0,1,22$/);
  await here.sql(`update issue set created_at = created_at - interval '1 year' where project_id = $1`, [
    here.project.id,
  ]);
  const later = await here.owner.get("P/reports/throughput?format=csv").expect(200);
  expect(later.text.split("\r\n").at(-2)).toMatch(/,0,11,11,0,0,-11,22$/);
});

test("a file begins with the mark of UTF-8, unless bom=false, and names all assignees of an issue", async () => {
  const here = await world();
  const zoe = await here.as({ role: "member", name: "Zoë" });
  const bob = await here.as({ role: "member", name: "Bob" });
  await make(here, { assignee_ids: [zoe.userId, bob.userId], status: "done" });
  const bytes = async (path: string) => {
    const headers = { authorization: `Bearer ${here.owner.key}` };
    const answer = await fetch(here.owner.url(path), { headers });
    return Buffer.from(await answer.arrayBuffer()).toString();
  };
  const path = "P/reports/cycle-time?format=csv";
  const [marked, plain] = [await bytes(path), await bytes(`${path}&bom=false`)];
  expect(marked).toBe(`\ufeff${plain}`);
  expect(csvRows(plain)[1]!.slice(4, 7)).toEqual([zoe.userId, `${zoe.userId}; ${bob.userId}`, "Zoë; Bob"]);
  expect((await bytes("W/audit-log?format=csv")).startsWith("\ufeffid,")).toBe(true);
  expect((await bytes("W/audit-log?format=csv&bom=false")).startsWith("id,")).toBe(true);
});

test("at most ten thousand issues are listed, and all are counted", async () => {
  const here = await world();
  const done = 10_050;
  await here.sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, resolved_at, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'Issue, ' || n, 'done', $3, 'low', rank_of(n), $4,
            now() - make_interval(secs => n), $4, now() - interval '1 day', now()
     from generate_series(1, $5::int) n`,
    [here.workspace.id, here.project.id, here.columns.Done, here.owner.userId, done],
  );
  const { body } = await here.owner.get("P/reports/cycle-time").expect(200);
  expect(body.data.data.count).toBe(done);
  expect(body.warnings).toEqual([expect.objectContaining({ code: "rows_left_out", rows: 10_000, of: done })]);
  const titles = Array.from({ length: 10_000 }, (_, index) => `Issue, ${index + 1}`);
  expect(body.data.data.issues.map(({ title }: Fields) => title)).toEqual(titles);
  const { headers } = await here.owner.get("P/reports/cycle-time?format=csv").expect(200);
  expect(JSON.parse(headers.get("x-warnings")!)).toEqual(body.warnings);
  expect((await file(here, "cycle-time")).slice(1).map(([, title]) => title)).toEqual(titles);
});
