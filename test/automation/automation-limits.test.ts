import { expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { addRule, runsOf, stateOf } from "./rules-by-sql.ts";

/** How often automations run, and when errors disable them. */

const COMMENT = { type: "add_comment", comment: "Seen", target: "self" };
/** Refused: no such column. */
const FAIL = { type: "set_status", status: "Nowhere", target: "self" };
const WAIT = { timeoutMs: 60_000 };

const issues = async ({ owner }: World, count: number) => {
  for (let made = 0; made < count; made += 50) {
    const items = Array.from({ length: Math.min(50, count - made) }, () => ({ title: "One of many" }));
    await owner.post("P/issues/bulk", { items }).expect(201);
  }
};

/** The number of runs by status and reason. */
async function tallied(here: World, rule: string | null = null) {
  const runs = await runsOf(here, rule);
  return Object.fromEntries(
    [...Map.groupBy(runs, ({ status, reason }) => reason ?? status)].map(([what, all]) => [what, all.length]),
  );
}

/** Waits for the beginning of a minute, if the present one is nearly over, so that the test stays within one. */
async function early(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 15_000) await new Promise((done) => setTimeout(done, left + 50));
}

test("an automation runs 60 times a minute, and one run stands for the rest", async () => {
  await early();
  const here = await world();
  const rule = await addRule(here, { trigger: "issue.created", actions: [COMMENT] });
  const other = await addRule(here, { trigger: "issue.archived", actions: [COMMENT] });
  await issues(here, 100);
  await drain(WAIT);
  expect(await tallied(here, rule)).toEqual({ ok: 60, throttled: 1 });
  const [throttled] = (await runsOf(here, rule)).filter(({ reason }) => reason === "throttled");
  expect(throttled).toMatchObject({ status: "error", actions_applied: null });
  expect(throttled!.detail).toBe(
    "Not run for 40 changes in this minute: an automation runs at most 60 times a minute.",
  );
  expect(await stateOf(here, rule)).toMatchObject({ enabled: true, run_count: 60, failure_count: 0 });
  expect(await runsOf(here, other)).toEqual([]);
}, 120_000);

test("the automations of a workspace run 1,000 times an hour, which another workspace does not notice", async () => {
  const here = await world();
  const there = await world();
  await here.sql(
    "insert into automation_hour (workspace_id, hour, runs) values ($1, date_trunc('hour', now(), 'UTC'), 995)",
    [here.workspace.id],
  );
  for (const one of [here, there]) {
    await addRule(one, { trigger: "issue.created", actions: [COMMENT] });
    await issues(one, 10);
  }
  await drain(WAIT);
  expect(await tallied(here)).toEqual({ ok: 5, throttled: 1 });
  expect((await runsOf(here)).at(-1)!.detail).toContain("at most 1000 times an hour");
  expect(await tallied(there)).toEqual({ ok: 10 });
  // The next hour is another one.
  await here.sql("update automation_hour set hour = hour - interval '1 hour' where workspace_id = $1", [
    here.workspace.id,
  ]);
  await issues(here, 1);
  await drain(WAIT);
  expect(await tallied(here)).toEqual({ ok: 6, throttled: 1 });
});

test("the runs of a month end where the plan says so, and say it", async () => {
  const here = await world({ plan: "pro" });
  const rule = await addRule(here, { trigger: "issue.created", actions: [COMMENT] });
  await here.sql(
    `insert into automation_month (workspace_id, month, runs)
     values ($1, date_trunc('month', now() at time zone 'UTC')::date, 9998)`,
    [here.workspace.id],
  );
  await issues(here, 5);
  await drain();
  expect(await tallied(here, rule)).toEqual({ ok: 2, plan: 1 });
  expect((await runsOf(here, rule)).at(-1)!.detail).toContain("the plan allows 10000 runs a month");
  expect(await stateOf(here, rule)).toMatchObject({ enabled: true, failures_in_a_row: 0 });
});

test("ten errors in a row disable an automation, and a success in between starts the count again", async () => {
  const here = await world();
  const rule = await addRule(here, { trigger: "issue.created", actions: [FAIL] });
  await issues(here, 9);
  await drain();
  expect(await stateOf(here, rule)).toMatchObject({ enabled: true, failures_in_a_row: 9 });
  await here.sql("update automation set actions = $2 where id = $1", [rule, JSON.stringify([COMMENT])]);
  await issues(here, 1);
  await drain();
  expect(await stateOf(here, rule)).toMatchObject({ enabled: true, failures_in_a_row: 0, failure_count: 9 });
  await here.sql("update automation set actions = $2 where id = $1", [rule, JSON.stringify([FAIL])]);
  await issues(here, 10);
  await drain();
  expect(await stateOf(here, rule)).toMatchObject({
    enabled: false,
    disabled_reason: "failing",
    failures_in_a_row: 10,
  });
  const { data } = await here.owner.get("W/notifications").expect(200);
  expect(data[0]).toMatchObject({ kind: "automation_disabled", body: "Its last runs ended with an error." });
  await issues(here, 1);
  await drain();
  expect(await tallied(here, rule)).toEqual({ error: 19, ok: 1 });
});

test("an error ends the run, or not, as the automation says", async () => {
  const here = await world();
  const actions = [COMMENT, FAIL, COMMENT];
  const stops = await addRule(here, { trigger: "issue.created", actions });
  const goesOn = await addRule(here, { trigger: "issue.created", actions, on_error: "continue" });
  const atOnce = await addRule(here, { trigger: "issue.created", actions: [FAIL, COMMENT] });
  await issues(here, 1);
  await drain();
  const outcome = async (rule: string) =>
    (await runsOf(here, rule)).map(({ status, actions_applied }) => [status, actions_applied!.map(({ ok }) => ok)]);
  expect(await outcome(stops)).toEqual([["partial", [true, false]]]);
  expect(await outcome(goesOn)).toEqual([["partial", [true, false, true]]]);
  expect(await outcome(atOnce)).toEqual([["error", [false]]]);
  const [run] = await runsOf(here, stops);
  expect(run!.detail).toMatch(/^[a-z_]+: .*\.$/);
  expect(run!.actions_applied![1]!.detail).toBe(run!.detail);
  const { data } = await here.owner.get("P/issues/WEB-1/comments").expect(200);
  expect(data).toHaveLength(3);
});

test("actions on an issue that an earlier one archived are skipped, and the run is a success", async () => {
  const here = await world();
  const rule = await addRule(here, {
    trigger: "issue.created",
    actions: [{ type: "archive_issue", target: "self" }, COMMENT],
  });
  await issues(here, 1);
  await drain();
  const [run] = await runsOf(here, rule);
  expect(run).toMatchObject({ status: "ok", actions_applied: [{ ok: true }, { ok: true }] });
  expect(run!.actions_applied![1]!.detail).toContain("Skipped");
});

test("an action applies to each of its targets, and a refusal of one does not keep the others from it", async () => {
  const here = await world();
  const parent = (await here.owner.post("P/issues", { title: "Parent" }).expect(201)).data;
  for (const priority of ["low", "high"]) {
    await here.owner.post("P/issues", { title: priority, parent: parent.key, priority }).expect(201);
  }
  const rule = await addRule(here, {
    trigger: "issue.priority_changed",
    on_error: "continue",
    actions: [
      { ...COMMENT, target: "children" },
      { ...FAIL, target: "children" },
      { ...COMMENT, target: "parent" },
    ],
  });
  await here.owner.patch(`P/issues/${parent.key}`, { priority: "critical" }).expect(200);
  await drain();
  const [run] = await runsOf(here, rule);
  expect(run!.status).toBe("partial");
  expect(run!.actions_applied!.map(({ type, ok }) => [type, ok])).toEqual([
    ["add_comment", true],
    ["add_comment", true],
    ["set_status", false],
    ["set_status", false],
    ["add_comment", true],
  ]);
  expect(new Set(run!.actions_applied!.slice(0, 4).map(({ issue_id }) => issue_id)).size).toBe(2);
  expect(run!.actions_applied!.at(-1)).toMatchObject({
    detail: "There is no such issue that this may change.",
    issue_id: null,
  });
});
