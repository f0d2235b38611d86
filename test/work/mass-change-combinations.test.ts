import { expect, test } from "vitest";
import { backgroundOf, write } from "../../src/domain/events/background.ts";
import { extended } from "../../src/domain/kernel/context.ts";
import { lockIssues } from "../../src/domain/work/mass-changes/settle.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** Large changes that follow each other: what readers see at once is what the worker makes of the issues. */

const COUNT = 240;

async function crowd({ sql, workspace, project, owner, columns }: World, of: Record<string, string>) {
  await sql(
    `with added as (
       insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                          reporter_id, label_ids, milestone_id, release_id, sprint_id, custom_fields, archived_at, created_by,
                          created_at, updated_at)
       select uuidv7(), $1, $2, 1000 + n, $9 || '-' || (1000 + n), 'task', 'Issue ' || n, 'todo', $3, 'medium',
              'a' || lpad(n::text, 8, '0'), $4, array[$5::uuid], $6, $10, $7,
              jsonb_build_object($8::uuid, case when n % 3 = 0 then 'blue' else 'red' end),
              case when n % 12 = 0 then now() end, $4, now() - interval '1 day', now() - interval '1 day'
       from generate_series(1, ${COUNT}) n returning id, custom_fields)
     insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_at)
     select $8, id, $1, custom_fields -> $8::text, now() from added`,
    [
      ...[workspace.id, project.id, columns["To Do"], owner.userId, of.label, of.milestone, of.sprint, of.select],
      ...[project.key, of.release],
    ],
  );
  await sql("update custom_field set value_count = $2 where id = $1", [of.select, COUNT]);
  await sql("update board_status set issue_count = issue_count + $2 where id = $1", [
    columns["To Do"],
    COUNT - COUNT / 12,
  ]);
}

const stored = async ({ sql, project }: World, table: "issue" | "issue_now") =>
  (await sql(`select * from ${table} where project_id = $1 order by id`, [project.id])).map(
    ({ search: _, search_head: _head, earlier_times: _times, category_change: _change, ...row }) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith("stored_"))),
  );

async function objects({ owner }: World) {
  const made = async (path: string, body: object) =>
    (await owner.post(`P/${path}`, body).expect(201)).data.id as string;
  return {
    label: await made("labels", { name: "bug" }),
    milestone: await made("milestones", { name: "M" }),
    release: await made("releases", { name: "R" }),
    sprint: await made("sprints", { name: "S", status: "active" }),
    next: await made("sprints", { name: "Next" }),
    select: await made("custom-field-defs", { name: "Color", kind: "select", options: ["red", "blue"] }),
  };
}

const complete = ({ owner }: World, { sprint, next }: Record<string, string>) =>
  owner.patch(`P/sprints/${sprint}`, { status: "completed", move_open_issues_to: next });

/** Each of them concerns very many issues of the column To Do. */
const STEPS: Record<string, (here: World, of: Record<string, string>) => ReturnType<Client["get"]>> = {
  complete,
  "delete the sprint": ({ owner }, { sprint }) => owner.delete(`P/sprints/${sprint}`),
  "delete the next sprint": ({ owner }, { next }) => owner.delete(`P/sprints/${next}`),
  "delete the label": ({ owner }, { label }) => owner.delete(`P/labels/${label}`),
  "drop an option": ({ owner }, { select }) => owner.patch(`P/custom-field-defs/${select}`, { options: ["blue"] }),
  "delete the field": ({ owner }, { select }) => owner.delete(`P/custom-field-defs/${select}`),
  "close the column": ({ owner, columns }) => owner.patch(`P/statuses/${columns["To Do"]}`, { category: "done" }),
  "open the column": ({ owner, columns }) => owner.patch(`P/statuses/${columns["To Do"]}`, { category: "todo" }),
  "delete the column": ({ owner, columns }) => owner.delete(`P/statuses/${columns["To Do"]}`),
};

test.each([
  ["complete", "close the column", "delete the next sprint"],
  ["complete", "delete the next sprint", "delete the sprint"],
  ["complete", "delete the column", "delete the sprint"],
  ["drop an option", "close the column", "delete the field", "open the column"],
  ["close the column", "delete the column", "delete the label"],
])(
  "%s, %s, %s",
  async (...steps) => {
    const here = await world();
    const of = await objects(here);
    await crowd(here, of);
    let before = await stored(here, "issue_now");
    for (const step of steps) {
      expect((await STEPS[step]!(here, of)).status).toBe(200);
      const now = await stored(here, "issue_now");
      expect(now.filter((row, n) => Number(row.version) < Number(before[n]!.version))).toEqual([]);
      before = now;
    }
    await drain();
    expect(await stored(here, "issue")).toEqual(before);
    expect(await here.sql("select 1 from mass_change where workspace_id = $1", [here.workspace.id])).toEqual([]);
  },
  30_000,
);

test.each(["close the column", "delete the column"])(
  "after %s, a sprint's open issues move when they are known",
  async (step) => {
    const here = await world();
    const of = await objects(here);
    await crowd(here, of);
    expect((await STEPS[step]!(here, of)).status).toBe(200);
    await complete(here, of).expect(409, "invalid_state_change");
    await drain();
    await complete(here, of).expect(200);
    const rows = await stored(here, "issue_now");
    expect(rows.every(({ sprint_id }) => sprint_id === of.sprint)).toBe(true);
  },
  30_000,
);

test("issues that lose the sprint they move to are found by the time of that", async () => {
  const here = await world();
  const of = await objects(here);
  await crowd(here, of);
  await complete(here, of).expect(200);
  const { updated_at } = (await here.owner.get("P/issues/WEB-1001").expect(200)).data;
  await here.owner.delete(`P/sprints/${of.next}`).expect(200);
  const later = (await here.owner.get("P/issues/WEB-1001").expect(200)).data;
  expect(later).toMatchObject({ sprint_id: null, version: 3 });
  expect(later.updated_at > updated_at).toBe(true);
});

test("what is written to an issue is what its event says, even if its sprint is deleted in between", async () => {
  const here = await world();
  const of = await objects(here);
  await crowd(here, of);
  await complete(here, of).expect(200);
  const { id } = (await here.owner.get("P/issues/WEB-1001").expect(200)).data;
  let deleted = false;
  await write(backgroundOf(here.app.resources, new Date().toISOString()), here.workspace.id, (ctx) => {
    const query: typeof ctx.tx.query = async (statement, values) => {
      const rows = await ctx.tx.query(statement, values);
      if (statement.name === "stored_issues" && !deleted) {
        deleted = true;
        await here.owner.delete(`P/sprints/${of.next}`).expect(200);
      }
      return rows as never;
    };
    return lockIssues(extended(ctx, { tx: { ...ctx.tx, query }, workspace: here.workspace }), [id]);
  });
  expect(deleted).toBe(true);
  await drain();
  const shown = (await here.owner.get("P/issues/WEB-1001").expect(200)).data;
  const events = await here.sql<{ data: object }>(
    "select data from event where issue_id = $1 and type = 'issue.updated' order by id",
    [id],
  );
  expect(shown.sprint_id).toBe(null);
  expect(events.at(-1)?.data).toMatchObject({ sprint_id: null, version: shown.version });
});
