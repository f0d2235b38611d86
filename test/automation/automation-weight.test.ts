import { expect, test } from "vitest";
import { beginRuns } from "../../src/domain/automation/automation-runs/begin.ts";
import { matchesOf } from "../../src/domain/automation/automation-runs/matching.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { type RuleRow, runsOf } from "./rules-by-sql.ts";

/** Many automations at once, with long conditions and actions. */

async function addRules(
  here: World,
  count: number,
  { trigger, actions, conditions }: Pick<RuleRow, "trigger" | "actions"> & Partial<RuleRow>,
) {
  await here.sql(
    `insert into automation (id, workspace_id, name, trigger, trigger_config, conditions, actions, allow_chaining, on_error,
                             enabled, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, 'Rule ' || n, $2, '{}', $3, $4, false, 'stop', true, $5, now(), now()
     from generate_series(1, $6::int) n`,
    [
      ...[here.workspace.id, trigger, conditions ? JSON.stringify(conditions) : null, JSON.stringify(actions)],
      ...[here.owner.userId, count],
    ],
  );
  await here.sql(`insert into automation_version (workspace_id, version) values ($1, 1)`, [here.workspace.id]);
}

async function happened(here: World) {
  const text = "select id from event where workspace_id = $1 and type = 'issue.created'";
  const [event] = await here.sql<{ id: string }>(text, [here.workspace.id]);
  return { base: backgroundOf(here.app.resources, new Date().toISOString()), event: event!.id };
}

test("automations with megabytes of actions all run for one event", async () => {
  const here = await world();
  const issue = { type: "task", priority: "medium", title: "Next", description_md: "y".repeat(60_000) };
  const archive = { type: "archive_issue", target: "parent" };
  // The first action finds no parent and ends the run soon; the others are only stored.
  const missing = { type: "set_priority", priority: "critical", target: "parent" };
  const stops = { type: "set_status", status: "There is no such column", target: "self" };
  const long = Array.from({ length: 7 }, () => ({ type: "create_issue", issue }));
  await addRules(here, 30, { trigger: "issue.created", actions: [missing, stops, archive, ...long] });
  await here.owner.post("P/issues", { title: "An issue" }).expect(201);
  const { base, event } = await happened(here);
  const { candidates } = await matchesOf(base, here.workspace.id, [event]);
  const { runs: claimed, waiting } = await beginRuns(base, here.workspace.id, candidates, newId());
  expect(claimed.length, "kept in memory at once").toBeLessThan(10);
  expect(claimed.length + waiting).toBe(30);
  await here.sql("update automation_run set due_at = now() where workspace_id = $1", [here.workspace.id]);
  await drain();
  const runs = await runsOf(here);
  expect(new Set(runs.map(({ automation_id }) => automation_id)).size).toBe(30);
  expect(runs).toHaveLength(30);
  expect(runs.every(({ status }) => status === "partial")).toBe(true);
});

test("the comparison of long texts with many automations lets other work go on", async () => {
  const here = await world();
  const conditions = { match: "all", rules: [{ field: "description", op: "contains", value: "zz" }] };
  await addRules(here, 40, { trigger: "issue.created", actions: [{ type: "unassign", target: "self" }], conditions });
  await here.owner.post("P/issues", { title: "An issue", description_md: "z ".repeat(20_000) }).expect(201);
  const { base, event } = await happened(here);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  await matchesOf(base, here.workspace.id, [event]);
  setImmediate(count);
  const { candidates } = await matchesOf(base, here.workspace.id, [event]);
  isOver = true;
  expect(candidates).toEqual([]);
  expect(turns).toBeGreaterThan(40);
});
