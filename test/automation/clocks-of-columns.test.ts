import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { watchDueDates } from "../../src/domain/automation/automation-runs/watch.ts";
import { remindDue } from "../../src/domain/knowledge/notifications/reminders.ts";
import { watchIssues } from "../../src/workers/automation/watch-due-dates.ts";
import { remind } from "../../src/workers/knowledge/remind.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { addRule, runsOf } from "./rules-by-sql.ts";
import { agent, background, read, session } from "./sessions.ts";

/** What waits for a time follows columns that a setting closes, opens or deletes, also before a worker has done the rest. */

const CLOCKS = { also: [remind, watchIssues] };
const OVERDUE = { trigger: "issue.overdue", actions: [{ type: "add_comment", comment: "Late", target: "self" }] };

const titles = async ({ owner }: World): Promise<string[]> => {
  const { data } = await owner.get("W/notifications").expect(200);
  return data.map(({ title }: { title: string }) => title).filter((title: string) => /due/.test(title));
};

/** WEB-1, which the owner has reported, and so many others in the column that a worker changes them later. */
async function crowded(column: string): Promise<World & { id: string }> {
  const here = await world();
  const { owner, sql, project, columns } = here;
  const { data } = await owner.post("P/issues", { title: "Due", status_id: columns[column] }).expect(201);
  await sql(
    `with counter as (update issue_counter set last_number = 251 where project_id = $1),
          counted as (update board_status set issue_count = 251 where id = $2)
     insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, created_by, resolved_at, created_at, updated_at)
     select gen_random_uuid(), workspace_id, project_id, n, 'WEB-' || n, 'task', 'Copy', status, status_id, priority,
            rank_of(n), reporter_id, created_by, resolved_at, created_at, updated_at
     from issue, generate_series(2, 251) n where project_id = $1 and number = 1`,
    [project.id, columns[column]],
  );
  return { ...here, id: data.id };
}

const set = ({ owner, columns }: World, column: string, category: string) =>
  owner.patch(`P/statuses/${columns[column]}`, { category }).expect(200);
const isPending = async ({ sql, project }: World) =>
  (await sql("select 1 from mass_change where project_id = $1", [project.id])).length > 0;

/** Makes WEB-1 overdue now, and lets the clocks tick before the worker has come to the column. */
async function overdue(here: World): Promise<void> {
  const { sql, project } = here;
  await sql("update issue set due_at = now() + interval '20 ms' where project_id = $1 and number = 1", [project.id]);
  await sleep(50);
  await sql("update automation_watch set next_at = now() where workspace_id = $1", [here.workspace.id]);
  expect(await isPending(here)).toBe(true);
  await remindDue(background(here), new AbortController().signal);
  await watchDueDates(background(here), new AbortController().signal);
}

test("due dates of a closed column remind nobody, and those ahead do so again when it opens", async () => {
  const here = await crowded("To Do");
  const { owner } = here;
  const rule = await addRule(here, OVERDUE);
  await set(here, "To Do", "done");
  await overdue(here);
  await drain(CLOCKS);
  expect([await titles(here), await runsOf(here, rule)]).toEqual([[], []]);

  const due_at = new Date(Date.now() + 3_600_000).toISOString();
  await owner.patch("P/issues/WEB-1", { due_at }).expect(200);
  await drain(CLOCKS);
  expect(await titles(here)).toEqual([]);
  await set(here, "To Do", "todo");
  await drain(CLOCKS);
  expect(await titles(here)).toEqual([expect.stringMatching(/^WEB-1 is due on/)]);
});

test("due dates that pass while a column opens start automations at once, and remind when the worker comes", async () => {
  const here = await crowded("Done");
  const rule = await addRule(here, OVERDUE);
  await set(here, "Done", "todo");
  await overdue(here);
  expect(await runsOf(here, rule)).toMatchObject([{ issue_id: here.id }]);
  await drain(CLOCKS);
  expect(await titles(here)).toEqual([expect.stringMatching(/^WEB-1 is overdue since/)]);
  expect(await runsOf(here, rule)).toMatchObject([{ issue_id: here.id, status: "ok" }]);
});

test("a deleted column reminds nobody, and sessions that wait on its issues end", async () => {
  const here = await crowded("To Do");
  const { owner, columns } = here;
  const rule = await addRule(here, OVERDUE);
  const waiting = await session(here, await agent(here), "WEB-1", "needs_input");
  await owner.delete(`P/statuses/${columns["To Do"]}`).expect(200);
  await overdue(here);
  await drain(CLOCKS);
  expect([await titles(here), await runsOf(here, rule)]).toEqual([[], []]);
  expect(await read(here, waiting)).toMatchObject({ state: "cancelled" });
});
