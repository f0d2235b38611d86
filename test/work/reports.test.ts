import { beforeAll, expect, test } from "vitest";
import { day, earlyEnough, pass } from "../support/history.ts";
import { change, make, NAMES, report } from "../support/reports.ts";
import { world } from "../support/world.ts";

beforeAll(earlyEnough, 120_000);

const close = (value: number) => expect.closeTo(value, 1);

test("cycle time counts what was done in the last 90 days", async () => {
  const here = await world();
  const { owner } = here;
  await owner.post("P/statuses", { name: "Failed", category: "failed" }).expect(201);
  // Too long ago; made here, since all that follows lies later.
  await change(here, await make(here), { status: "done" });
  await pass(here, 85);
  const a = await make(here, { title: "Slow", type: "bug", priority: "high", assignee: "me" });
  const b = await make(here, { title: "Quick" });
  const c = await make(here, { title: "At once" });
  const d = await make(here, { title: "Failed" });
  const e = await make(here, { title: "Archived" });
  await pass(here, 2);
  // A is started on day 2, B on day 4.
  await change(here, a, { status: "in_progress" });
  await pass(here, 2);
  await change(here, b, { status: "in_progress" });
  await pass(here, 2);
  // Day 6: B has taken 2 days, C was never started; the others do not count.
  await change(here, b, { status: "done" });
  await change(here, c, { status: "done" });
  await change(here, d, { status: "failed" });
  await change(here, e, { status: "done" });
  await owner.delete(`P/issues/${e}`).expect(200);
  await pass(here, 4);
  // Day 10: A has taken 8 days.
  await change(here, a, { status: "done" });
  const { data } = await report(here, "cycle-time");
  const row = (key: string, title: string, cycle: number | null, lead: number) => ({
    issue_key: key,
    title,
    type: "task",
    priority: "medium",
    assignee_id: null,
    assignees: [],
    assignee_names: [],
    cycle_hours: cycle === null ? null : close(cycle),
    lead_hours: close(lead),
  });
  const dated = (days: Record<string, string | null>) =>
    Object.fromEntries(
      Object.entries(days).map(([name, date]) => [name, date === null ? null : expect.stringMatching(`^${date}T.*Z$`)]),
    );
  expect(data).toEqual({
    count: 3,
    // (8 + 2) / 2 days; (10 + 6 + 6) / 3 days
    average_hours: close(120),
    average_lead_hours: close(176),
    // Between 48 and 192 hours: 48 + 144 × p
    percentiles: { p50: close(120), p75: close(156), p85: close(170.4), p95: close(184.8) },
    buckets: [
      { label: "<1", min_days: 0, max_days: 1, count: 0 },
      { label: "1–3", min_days: 1, max_days: 3, count: 1 },
      { label: "3–7", min_days: 3, max_days: 7, count: 0 },
      { label: "7–14", min_days: 7, max_days: 14, count: 1 },
      { label: "14–30", min_days: 14, max_days: 30, count: 0 },
      { label: "≥30", min_days: 30, max_days: null, count: 0 },
    ],
    periods: [],
    issues: [
      {
        ...row(a, "Slow", 192, 240),
        type: "bug",
        priority: "high",
        assignee_id: owner.userId,
        assignees: [owner.userId],
        assignee_names: ["Olive Owner"],
        ...dated({ created_at: day(-10), started_at: day(-8), resolved_at: day(0) }),
      },
      { ...row(c, "At once", null, 144), ...dated({ created_at: day(-10), started_at: null, resolved_at: day(-4) }) },
      { ...row(b, "Quick", 48, 144), ...dated({ created_at: day(-10), started_at: day(-6), resolved_at: day(-4) }) },
    ],
  });
  await pass(here, 91);
  expect((await report(here, "cycle-time")).data).toMatchObject({
    count: 0,
    average_hours: null,
    average_lead_hours: null,
    percentiles: { p50: null, p75: null, p85: null, p95: null },
    buckets: Array.from({ length: 6 }, () => ({ count: 0 })),
    issues: [],
  });
});

test("throughput counts weeks from Monday to Sunday, and an issue in the week of its last resolution", async () => {
  const here = await world();
  const { owner } = here;
  await owner.post("P/statuses", { name: "Failed", category: "failed" }).expect(201);
  // Twelve weeks before this one; the second issue is taken up again later.
  const old = await make(here, { story_points: 1 });
  const again = await make(here, { story_points: 5 });
  await change(here, old, { status: "done" });
  await change(here, again, { status: "done" });
  await pass(here, 7);
  // Eleven weeks before: the first that is shown. Two are made, one of them is cancelled.
  await change(here, await make(here), { status: "cancelled" });
  await change(here, again, { status: "todo" });
  const failing = await make(here);
  await pass(here, 76);
  // One day before today: two are done with 5 and 2 points, one failed, one is archived.
  const archived = await make(here, { story_points: 50, status: "done" });
  await owner.delete(`P/issues/${archived}`).expect(200);
  await make(here, { story_points: 2, status: "done" });
  await change(here, again, { status: "done" });
  await change(here, failing, { status: "failed" });
  await pass(here, 1);

  // Days of this week that are over; the story begins on the same weekday, 84 days ago.
  const gone = (new Date().getUTCDay() + 6) % 7;
  const monday = -gone;
  const { data } = await report(here, "throughput");
  const last = gone === 0 ? 10 : 11;
  const none = { created: 0, resolved: 0, done: 0, failed: 0, cancelled: 0, net: 0, done_points: 0 };
  expect(data.weeks).toEqual(
    Array.from({ length: 12 }, (_, week) => ({
      week_start: day(monday - 7 * (11 - week)),
      week_end: day(monday - 7 * (11 - week) + 6),
      ...none,
      // Made 2, cancelled 1
      ...(week === 0 ? { created: 2, resolved: 1, cancelled: 1, net: 1 } : {}),
      // Made 1; resolved 2 done + 1 failed
      ...(week === last ? { created: 1, resolved: 3, done: 2, failed: 1, net: -2, done_points: 7 } : {}),
    })),
  );
  // 4 / 12
  expect(data).toMatchObject({ total_created: 3, total_resolved: 4, average_resolved: 0.33 });
});

test("the breakdowns count live issues by column and by type", async () => {
  const here = await world();
  await make(here, { type: "bug", status: "todo", story_points: 1 });
  await pass(here, 3);
  await make(here, { type: "bug", status: "in_review", story_points: 2 });
  await make(here, { type: "story", status: "todo" });
  await make(here, { type: "task", status: "done", story_points: 8 });
  await make(here, { type: "epic", status: "backlog" });
  await make(here, { type: "epic", status: "cancelled", story_points: 3 });
  await here.owner.delete("P/issues/WEB-6").expect(200);
  const byStatus = (await report(here, "status-breakdown")).data;
  expect(byStatus).toMatchObject({ total: 5, total_points: 11 });
  const column = (name: string, category: string, count: number, points: number, percent: number, age: number) => ({
    status_id: here.columns[name],
    status_name: name,
    category,
    color: "#64748b",
    count,
    points,
    percent,
    avg_age_days: age,
  });
  expect(byStatus.slices).toEqual([
    column("Backlog", "backlog", 1, 0, 20, 0),
    // (3 + 0) / 2 days
    column("To Do", "todo", 2, 1, 40, 1.5),
    column("In Progress", "in_progress", 0, 0, 0, 0),
    column("In Review", "in_review", 1, 2, 20, 0),
    column("Done", "done", 1, 8, 20, 0),
    column("Cancelled", "cancelled", 0, 0, 0, 0),
  ]);

  const none = { todo: 0, in_progress: 0, done: 0, failed: 0, cancelled: 0, points: 0 };
  expect((await report(here, "type-breakdown")).data).toEqual({
    total: 5,
    slices: [
      { type: "epic", count: 1, ...none, todo: 1, percent: 20 },
      { type: "story", count: 1, ...none, todo: 1, percent: 20 },
      { type: "task", count: 1, ...none, done: 1, points: 8, percent: 20 },
      { type: "bug", count: 2, ...none, todo: 1, in_progress: 1, points: 3, percent: 40 },
      { type: "subtask", count: 0, ...none, percent: 0 },
    ],
  });
});

test("the workload counts an issue for each of its assignees, and once in the total", async () => {
  const here = await world();
  const { owner, sql } = here;
  const mia = await here.as({ role: "member", name: "Mia" });
  const bot = await here.as({ role: "member", name: "Bot" });
  await sql(`update app_user set kind = 'agent', email = null, agent_workspace_id = $2 where id = $1`, [
    bot.userId,
    here.workspace.id,
  ]);
  const both = [owner.userId, mia.userId];
  await make(here, { assignee_ids: both, story_points: 3, estimate_minutes: 60, spent_minutes: 10, status: "todo" });
  // Overdue since this midnight, and due until the next one.
  await make(here, { assignee_ids: both, story_points: 2, status: "in_review", due_at: day(-1) });
  await make(here, { assignee_ids: [mia.userId], status: "backlog", due_at: day(0) });
  await make(here, { assignee_ids: [bot.userId], estimate_minutes: 30, due_at: new Date(Date.now() - 60_000) });
  await make(here, { assignee_ids: [mia.userId], status: "done", due_at: day(-9), story_points: 99 });
  await make(here, { story_points: 1, status: "in_progress" });
  await here.owner.delete(`P/issues/${await make(here, { assignee_ids: both })}`).expect(200);
  const row = (id: string | null, name: string, kind: string, figures: number[]) => {
    const [open, in_progress, overdue, points, estimate_minutes, spent_minutes] = figures;
    const who = { assignee_id: id, assignee_name: name, assignee_kind: kind };
    return { ...who, open, in_progress, overdue, points, estimate_minutes, spent_minutes };
  };
  expect((await report(here, "workload")).data).toEqual({
    open_total: 5,
    unassigned: 1,
    rows: [
      row(mia.userId, "Mia", "user", [3, 1, 1, 5, 60, 10]),
      row(owner.userId, "Olive Owner", "user", [2, 1, 1, 5, 60, 10]),
      row(bot.userId, "Bot", "agent", [1, 0, 1, 0, 30, 0]),
      row(null, "Unassigned", "none", [1, 1, 0, 1, 0, 0]),
    ],
  });
});

test("reports are rejected if the plan has none, or if the name is unknown", async () => {
  const here = await world();
  const { owner } = here;
  for (const name of NAMES) await owner.get(`P/reports/${name}`).expect(200);
  expect((await owner.get("P/reports/Cycle_Time?format=CSV").expect(200)).text).toMatch(/^issue_key,/);
  const unknown = await owner.get("P/reports/happiness?format=xml").expect(404, "unknown_report");
  expect(unknown.body.error.details.allowed).toEqual(NAMES);
  await owner.get("P/reports/velocity?format=xml").expect(400, "invalid_parameter");
  await owner.get("P/reports/velocity?since=2026-01-01").expect(400, "unknown_parameter");
  expect((await owner.get("P/reports/velocity?fields=report,data").expect(200)).data).toEqual({
    report: "velocity",
    data: null,
  });
  await owner.get("P/reports/velocity?fields=bars").expect(400, "invalid_parameter");
  const guest = await here.as({ role: "guest", projectRole: "member" });
  await guest.get("P/reports/velocity").expect(200);
  await owner.delete("P").expect(200);
  await owner.get("P/reports/workload").expect(200);

  const free = await world({ plan: "free" });
  const { body } = await free.owner.get("P/reports/velocity").expect(403, "plan_required");
  expect(body.error.details).toMatchObject({ plan: "free", required_plan: "pro" });
  // The plan is looked at before the query.
  await free.owner.get("P/reports/velocity?format=xml").expect(403, "plan_required");
});
