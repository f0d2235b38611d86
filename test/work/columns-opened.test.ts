import { describe, expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** A setting that opens a column: its issues leave completed sprints and people who left, and a mistake loses nothing. */

// biome-ignore lint/suspicious/noExplicitAny: a view
type View = any;

const set = ({ owner, columns }: World, name: string, category: string) =>
  owner.patch(`P/statuses/${columns[name]}`, { category }).expect(200);
const issue = async ({ owner }: World, key: string): Promise<View> =>
  (await owner.get(`P/issues/${key}`).expect(200)).data;
const plansOf = async (here: World, key: string) => {
  const { sprint_id, assignees } = await issue(here, key);
  return { sprint_id, assignees };
};
const complete = ({ owner }: World, sprint: string) =>
  owner.patch(`P/sprints/${sprint}`, { status: "completed", move_open_issues_to: null }).expect(200);

/** WEB-1 is in a column and in an active sprint, and belongs to somebody who leaves, and to the owner. */
async function planned(column: string) {
  const here = await world();
  const { owner, as, columns } = here;
  const sprint: string = (await owner.post("P/sprints", { name: "S", status: "active" }).expect(201)).data.id;
  const leaver = await as({ role: "member", name: "Lea" });
  const body = { title: "x", status_id: columns[column], sprint_id: sprint };
  await owner.post("P/issues", { ...body, assignee_ids: [leaver.userId, owner.userId] }).expect(201);
  const leave = () => owner.delete(`W/members/${leaver.userId}`).expect(200);
  return { ...here, sprint, leaver: leaver.userId as string, leave };
}

describe("a column that a setting opens", () => {
  test("takes its issues out of a completed sprint and from people who left; back restores both", async () => {
    const here = await planned("Done");
    const { owner, sprint, leaver } = here;
    await complete(here, sprint);
    await here.leave();
    const before = await issue(here, "WEB-1");
    await set(here, "Done", "todo");
    expect(await plansOf(here, "WEB-1")).toEqual({ sprint_id: null, assignees: [owner.userId] });
    const { data: lines } = await owner.get("P/issues/WEB-1/activity?limit=3").expect(200);
    const line = (kind: string) => lines.find((one: View) => one.kind === kind)?.payload;
    expect(line("status_changed")).toMatchObject({ from: "done", to: "todo" });
    expect(line("sprint_changed")).toMatchObject({ from: sprint, to: null, from_name: "S" });
    expect(line("unassigned")).toMatchObject({ from: [leaver], from_name: "Lea" });
    await set(here, "Done", "in_progress");
    await set(here, "Done", "done");
    const { version, updated_at, ...after } = await issue(here, "WEB-1");
    expect({ ...before, ...after }).toEqual(before);
    expect(version).toBe(before.version + 3);
  });

  test("keeps what somebody planned meanwhile", async () => {
    const here = await planned("Done");
    const { owner, sprint } = here;
    await complete(here, sprint);
    await here.leave();
    await set(here, "Done", "todo");
    const next: string = (await owner.post("P/sprints", { name: "Next" }).expect(201)).data.id;
    await owner.patch("P/issues/WEB-1", { sprint_id: next, assignee_ids: [] }).expect(200);
    await set(here, "Done", "done");
    expect(await plansOf(here, "WEB-1")).toEqual({ sprint_id: next, assignees: [] });
  });

  test("restores an archived issue's sprint when it is corrected", async () => {
    const here = await planned("Done");
    await complete(here, here.sprint);
    const before = await plansOf(here, "WEB-1");
    await here.owner.delete("P/issues/WEB-1").expect(200);
    await set(here, "Done", "todo");
    await here.owner.post("P/issues/WEB-1/restore").expect(200);
    expect((await issue(here, "WEB-1")).sprint_id).toBe(null);
    await set(here, "Done", "done");
    expect(await plansOf(here, "WEB-1")).toEqual(before);
  });

  test("restores both with an issue that was archived while the column was open, and the history tells", async () => {
    const here = await planned("Done");
    const { owner, sprint, leaver } = here;
    await complete(here, sprint);
    await here.leave();
    const before = await plansOf(here, "WEB-1");
    await set(here, "Done", "todo");
    await owner.delete("P/issues/WEB-1").expect(200);
    await set(here, "Done", "done");
    await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(await plansOf(here, "WEB-1")).toEqual(before);
    const { data: lines } = await owner.get("P/issues/WEB-1/activity?limit=3").expect(200);
    const line = (kind: string) => lines.find((one: View) => one.kind === kind)?.payload;
    expect(line("sprint_changed")).toMatchObject({ from: null, to: sprint, to_name: "S" });
    expect(line("assigned")).toMatchObject({ to: [leaver], to_name: "Lea" });
  });
});

describe("a column closed by mistake and opened again", () => {
  test.each<[string, (here: Awaited<ReturnType<typeof planned>>, when: number) => Promise<unknown>, boolean]>([
    ["is back in its active sprint", async () => {}, true],
    [
      "stays in a sprint that was completed with it",
      async (here, when) => when === 0 && complete(here, here.sprint),
      true,
    ],
    [
      "is not open in a sprint that counted it as done",
      async (here, when) => when === 1 && complete(here, here.sprint),
      false,
    ],
  ])("an issue %s", async (_, happens, stays) => {
    const here = await planned("To Do");
    const before = await plansOf(here, "WEB-1");
    await happens(here, 0);
    await set(here, "To Do", "done");
    expect(await plansOf(here, "WEB-1")).toEqual(before);
    await happens(here, 1);
    await set(here, "To Do", "todo");
    expect(await plansOf(here, "WEB-1")).toEqual(stays ? before : { ...before, sprint_id: null });
  });
});

test("very many issues leave the completed sprint at once, and come back at once", async () => {
  const here = await planned("Done");
  const { owner, sql, project, sprint } = here;
  await sql(
    `with old as (select * from issue where project_id = $1 and number = 1),
          counter as (update issue_counter set last_number = 251 where project_id = $1),
          counted as (update board_status set issue_count = 251 where id = (select status_id from old))
     insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank, sprint_id,
                        assignee_ids, reporter_id, created_by, resolved_at, created_at, updated_at)
     select gen_random_uuid(), workspace_id, project_id, n, 'WEB-' || n, 'task', 'Copy', status, status_id, priority,
            rank_of(n), sprint_id, assignee_ids, reporter_id, created_by, resolved_at, created_at, updated_at
     from old, generate_series(2, 251) n`,
    [project.id],
  );
  await complete(here, sprint);
  await here.leave();
  const inSprint = async () => (await owner.get(`P/issues?sprint=${sprint}&limit=100`).expect(200)).data.length;
  const stored = (column: string) =>
    sql(`select count(*)::int as issues, ${column} as value from issue where project_id = $1 group by 2`, [project.id]);
  await set(here, "Done", "todo");
  expect(await inSprint()).toBe(0);
  const shown = await issue(here, "WEB-7");
  expect(shown).toMatchObject({ status: "todo", sprint_id: null });
  expect(await stored("sprint_id")).toEqual([{ issues: 251, value: sprint }]);
  await drain();
  expect(await stored("sprint_id")).toEqual([{ issues: 251, value: null }]);
  expect(await stored("assignee_ids")).toEqual([{ issues: 251, value: [owner.userId] }]);
  expect((await issue(here, "WEB-7")).version).toBe(shown.version);

  await set(here, "Done", "done");
  expect(await inSprint()).toBe(100);
  await set(here, "Done", "todo");
  expect(await inSprint()).toBe(0);
  await set(here, "Done", "done");
  expect(await inSprint()).toBe(100);
  await drain();
  expect(await stored("sprint_id")).toEqual([{ issues: 251, value: sprint }]);
  expect(await stored("assignee_ids")).toEqual([{ issues: 251, value: [here.leaver, owner.userId] }]);
});
