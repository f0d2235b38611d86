import { expect, test } from "vitest";
import { startAutomations } from "../../src/workers/automation/start-schedules.ts";
import { watchIssues } from "../../src/workers/automation/watch-due-dates.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { addRule, runsOf, stateOf } from "./rules-by-sql.ts";

/** Automations that the clock starts. */

const COMMENT = { type: "add_comment", comment: "Seen", target: "self" };
const CLOCKS = { also: [startAutomations, watchIssues] };
const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

const issue = async ({ owner }: World, more: object = {}) =>
  (await owner.post("P/issues", { title: "An issue", ...more }).expect(201)).data;

/** Lets the clock check an automation as if it had last done so some hours ago. */
const checkedHoursAgo = ({ sql }: World, id: string, hours: number) =>
  sql(
    "update automation_watch set next_at = now(), checked_until = now() - $2 * interval '1 hour' where automation_id = $1",
    [id, hours],
  );

test("an issue that becomes overdue starts an automation once for each due date", async () => {
  const here = await world();
  const rule = await addRule(here, { trigger: "issue.overdue", actions: [COMMENT] });
  const late = await issue(here, { due_at: inHours(-1) });
  const today = inHours(0).slice(0, 10);
  await issue(here, { due_at: today });
  await issue(here, { due_at: inHours(-2), status: "done" });
  await issue(here, { due_at: inHours(-30) });
  await issue(here, { due_at: inHours(1) });
  await drain(CLOCKS);
  expect(await runsOf(here, rule)).toEqual([]);
  for (const _ of ["once", "again"]) {
    await checkedHoursAgo(here, rule, 20);
    await drain(CLOCKS);
  }
  expect(await runsOf(here, rule)).toMatchObject([
    { issue_id: late.id, status: "ok", trigger: "issue.overdue", depth: 1 },
  ]);
  await here.owner.patch(`P/issues/${late.key}`, { due_at: inHours(-0.5) }).expect(200);
  await checkedHoursAgo(here, rule, 20);
  await drain(CLOCKS);
  expect(await runsOf(here, rule)).toMatchObject([{ issue_id: late.id }, { issue_id: late.id }]);
});

test("due soon: found when the time comes, and at once if the date is set later than that", async () => {
  const here = await world();
  const far = await issue(here, { due_at: inHours(30) });
  const rule = await addRule(here, {
    trigger: "issue.due_soon",
    trigger_config: { hours_before: 48 },
    actions: [COMMENT],
  });
  const late = await addRule(here, {
    trigger: "issue.due_soon",
    trigger_config: { hours_before: 2 },
    actions: [COMMENT],
  });
  const near = await issue(here, { due_at: inHours(20) });
  const set = await issue(here);
  await issue(here, { due_at: inHours(60) });
  await here.owner.patch(`P/issues/${set.key}`, { due_at: inHours(40) }).expect(200);
  await here.owner.patch(`P/issues/${set.key}`, { title: "Only the title" }).expect(200);
  await drain(CLOCKS);
  const about = async () => (await runsOf(here, rule)).map(({ issue_id }) => issue_id);
  expect(await about()).toEqual([near.id, set.id]);
  // The time for the first issue was 18 hours ago.
  await checkedHoursAgo(here, rule, 24);
  await drain(CLOCKS);
  expect(await about()).toEqual([near.id, set.id, far.id]);
  expect(await runsOf(here, late)).toEqual([]);
});

test("due dates of archived projects and issues start nothing", async () => {
  const here = await world();
  const rule = await addRule(here, { trigger: "issue.overdue", actions: [COMMENT] });
  const gone = await issue(here, { due_at: inHours(-1) });
  await here.owner.delete(`P/issues/${gone.key}`).expect(200);
  await issue(here, { due_at: inHours(-1) });
  await here.owner.delete("P").expect(200);
  await checkedHoursAgo(here, rule, 5);
  await drain(CLOCKS);
  expect(await runsOf(here, rule)).toEqual([]);
});

const QUARTERLY = { cron: "*/15 * * * *", timezone: "UTC" };

const scheduled = async (here: World, more: object = {}, dueMinutesAgo = 0) => {
  const id = await addRule(here, {
    trigger: "schedule",
    trigger_config: { ...QUARTERLY, ...more },
    project_id: here.project.id,
    actions: [COMMENT],
  });
  await here.sql("update automation set due_at = now() - $2 * interval '1 minute' where id = $1", [id, dueMinutesAgo]);
  return id;
};

test("a schedule runs once for each issue that its filters match, and sets its next time", async () => {
  const here = await world();
  const high = await issue(here, { priority: "high" });
  await issue(here, { priority: "low" });
  const rule = await scheduled(here, { filters: { priority: "high,critical" } });
  await drain(CLOCKS);
  expect(await runsOf(here, rule)).toMatchObject([{ issue_id: high.id, status: "ok", trigger: "schedule" }]);
  const [{ due_at } = { due_at: "" }] = await here.sql<{ due_at: string }>(
    "select due_at from automation where id = $1",
    [rule],
  );
  const wait = Date.parse(due_at) - Date.now();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(15 * 60_000);
  expect(Date.parse(due_at) % (15 * 60_000)).toBe(0);
});

test("schedules that are not due stay as they are when another one becomes due", async () => {
  const here = await world();
  await issue(here);
  const due = await scheduled(here, { filters: {} });
  const later = [await scheduled(here, { filters: {} }), await scheduled(here, { filters: {} })];
  await here.sql("update automation set due_at = now() + interval '1 hour' where id = any($1::uuid[])", [later]);
  const times = () => here.sql("select id, due_at from automation where id = any($1::uuid[]) order by id", [later]);
  const before = await times();
  await drain(CLOCKS);
  expect(await runsOf(here, due)).toHaveLength(1);
  for (const rule of later) expect(await runsOf(here, rule)).toEqual([]);
  expect(await times()).toEqual(before);
});

test("after a pause only the last missed time runs, and repeating it adds no run", async () => {
  const here = await world();
  await issue(here);
  const rule = await scheduled(here, { filters: {} }, 24 * 60);
  await drain(CLOCKS);
  await here.sql("update automation set due_at = now() where id = $1", [rule]);
  await drain(CLOCKS);
  expect(await runsOf(here, rule)).toHaveLength(1);
});

test("a schedule runs for at most 200 issues, which the limit of a minute does not stop", async () => {
  const here = await world();
  for (let n = 0; n < 5; n++) {
    await here.owner
      .post("P/issues/bulk", { items: Array.from({ length: 50 }, () => ({ title: "One of many" })) })
      .expect(201);
  }
  const rule = await scheduled(here, { filters: { type: "task" } });
  await drain({ ...CLOCKS, timeoutMs: 60_000 });
  const runs = await runsOf(here, rule);
  expect(runs).toHaveLength(200);
  expect(runs.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(await stateOf(here, rule)).toMatchObject({ run_count: 200, failure_count: 0 });
}, 90_000);
