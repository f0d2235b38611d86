import { describe, expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** A setting rewrites no history: a column's category changed and back restores the times of its issues. */

type Times = { status: string; started_at: string | null; resolved_at: string | null };

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

/** Sets when an issue was started and resolved, as if it had moved then. */
const backdate = ({ sql }: World, key: string, started: string | null, resolved: string | null) =>
  sql("update issue set created_at = $2, started_at = $3, resolved_at = $4 where key = $1", [
    key,
    ago(100),
    started,
    resolved,
  ]);

const timesOf = async ({ owner }: World, key: string): Promise<Times> => {
  const { status, started_at, resolved_at } = (await owner.get(`P/issues/${key}`).expect(200)).data;
  return { status, started_at, resolved_at };
};

const set = ({ owner, columns }: World, name: string, category: string) =>
  owner.patch(`P/statuses/${columns[name]}`, { category }).expect(200);

/** A board whose issue WEB-1 is in a column, and was started and resolved at these hours ago. */
async function having(column: string, started: number | null, resolved: number | null): Promise<World> {
  const here = await world();
  await here.owner.post("P/issues", { title: "x", status_id: here.columns[column] }).expect(201);
  await backdate(here, "WEB-1", started === null ? null : ago(started), resolved === null ? null : ago(resolved));
  return here;
}

describe("a category changed and back restores the times of the issues", () => {
  const CHAINS: [string, [number | null, number | null], string[]][] = [
    ["Done", [90, 50], ["todo", "done"]],
    ["Done", [null, 50], ["in_progress", "done"]],
    ["Done", [90, 50], ["cancelled", "in_progress", "done"]],
    ["Done", [null, 50], ["todo", "in_progress", "done"]],
    ["Done", [null, 50], ["in_progress", "todo", "in_review", "backlog", "done"]],
    ["To Do", [null, null], ["in_progress", "todo"]],
    ["To Do", [null, null], ["done", "in_progress", "todo"]],
    ["To Do", [90, null], ["done", "todo"]],
    ["In Progress", [90, null], ["done", "backlog", "in_progress"]],
    ["Backlog", [null, null], ["in_progress", "done", "backlog"]],
  ];
  test.each(CHAINS)("%s with %j through %j", async (column, [started, resolved], chain) => {
    const here = await having(column, started, resolved);
    const before = await timesOf(here, "WEB-1");
    for (const category of chain) await set(here, column, category);
    expect(await timesOf(here, "WEB-1")).toEqual(before);
    const [row] = await here.sql("select earlier_times from issue where key = 'WEB-1' and project_id = $1", [
      here.project.id,
    ]);
    expect(row).toEqual({ earlier_times: null });
  });

  test("a column that a setting closed keeps the time of that setting", async () => {
    const here = await having("In Progress", 90, null);
    const before = await timesOf(here, "WEB-1");
    await set(here, "In Progress", "done");
    const closed = await timesOf(here, "WEB-1");
    expect(closed).toMatchObject({ status: "done", started_at: before.started_at });
    expect(closed.resolved_at).not.toBeNull();
    // A mistake and back.
    await set(here, "In Progress", "todo");
    expect(await timesOf(here, "WEB-1")).toEqual({ ...before, status: "todo" });
    await set(here, "In Progress", "failed");
    expect(await timesOf(here, "WEB-1")).toEqual({ ...closed, status: "failed" });
    // What was taken back is forgotten: closed again later, the column's issues are resolved then.
    await set(here, "In Progress", "in_progress");
    await set(here, "In Progress", "done");
    expect(Date.parse((await timesOf(here, "WEB-1")).resolved_at!)).toBeGreaterThan(Date.parse(closed.resolved_at!));
  });

  test("a move out of the column is a change of the issue itself", async () => {
    const here = await having("Done", 90, 50);
    const { owner, columns } = here;
    await set(here, "Done", "todo");
    await owner.post("P/issues/WEB-1/transition", { status_id: columns["In Review"] }).expect(200);
    await owner.post("P/issues/WEB-1/transition", { status_id: columns.Done }).expect(200);
    expect((await timesOf(here, "WEB-1")).resolved_at).toBeNull();
    const back = (await set(here, "Done", "done")).data;
    expect((await timesOf(here, "WEB-1")).resolved_at).toBe(back.updated_at);
  });

  test("changes within the column keep what was", async () => {
    const here = await having("Done", 90, 50);
    const { owner, columns } = here;
    const before = await timesOf(here, "WEB-1");
    await set(here, "Done", "todo");
    await owner.patch("P/issues/WEB-1", { title: "Other", status_id: columns.Done }).expect(200);
    await owner.post("P/issues/WEB-1/transition", { status: "todo", position: "top" }).expect(200);
    await set(here, "Done", "done");
    expect(await timesOf(here, "WEB-1")).toEqual(before);
  });

  test("the history tells both settings", async () => {
    const here = await having("Done", 90, 50);
    await set(here, "Done", "todo");
    await set(here, "Done", "done");
    const { data } = await here.owner.get("P/issues/WEB-1/activity").expect(200);
    const lines = data.filter(({ kind }: { kind: string }) => kind === "status_changed");
    expect(lines.map(({ payload }: { payload: { from: string; to: string } }) => [payload.from, payload.to])).toEqual([
      ["todo", "done"],
      ["done", "todo"],
    ]);
  });

  test("reports of cycle time, throughput and velocity are as before", async () => {
    const here = await having("Done", 90, 50);
    const { owner } = here;
    const reports = async () =>
      Promise.all(
        ["cycle-time", "throughput", "velocity", "status-breakdown"].map(
          async (name) => (await owner.get(`P/reports/${name}`).expect(200)).data.data,
        ),
      );
    const before = await reports();
    expect(before[0]).toMatchObject({ count: 1, average_hours: 40 });
    await set(here, "Done", "in_progress");
    expect(await reports()).not.toEqual(before);
    await set(here, "Done", "done");
    expect(await reports()).toEqual(before);
  });
});

describe("an archived issue", () => {
  test("keeps its times while its column changes and changes back", async () => {
    const here = await having("Done", 90, 50);
    const { owner } = here;
    const before = await timesOf(here, "WEB-1");
    await owner.delete("P/issues/WEB-1").expect(200);
    await set(here, "Done", "todo");
    await set(here, "Done", "done");
    await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(await timesOf(here, "WEB-1")).toEqual(before);
  });

  test("that is restored to its changed column has its times again when the column changes back", async () => {
    const here = await having("Done", 90, 50);
    const { owner } = here;
    const before = await timesOf(here, "WEB-1");
    await owner.delete("P/issues/WEB-1").expect(200);
    await set(here, "Done", "todo");
    await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(await timesOf(here, "WEB-1")).toEqual({ ...before, status: "todo", resolved_at: null });
    await set(here, "Done", "done");
    expect(await timesOf(here, "WEB-1")).toEqual(before);
  });

  test("that was archived while the category was wrong has its times again in the corrected column", async () => {
    const here = await having("Done", 90, 50);
    const { owner } = here;
    const before = await timesOf(here, "WEB-1");
    await set(here, "Done", "todo");
    await owner.delete("P/issues/WEB-1").expect(200);
    await set(here, "Done", "done");
    await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(await timesOf(here, "WEB-1")).toEqual(before);
  });

  test("whose column was deleted goes on with the category that it had then", async () => {
    const here = await having("Done", 90, 50);
    const { owner, columns } = here;
    const before = await timesOf(here, "WEB-1");
    await set(here, "Done", "cancelled");
    await owner.delete(`P/statuses/${columns.Done}`).expect(200);
    await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(await timesOf(here, "WEB-1")).toEqual({ ...before, status: "cancelled" });
  });
});
