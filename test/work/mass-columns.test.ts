import { describe, expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { eventsOf } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** A column that very many issues have gets another category or is deleted: true at once, and done by a worker. */

const MANY = 250;
// biome-ignore lint/suspicious/noExplicitAny: views of all kinds
type View = any;

/** Fills a column with copies of its first issue. */
async function fill({ sql, project, columns }: World, column: string, many = MANY): Promise<void> {
  await sql(
    `with old as (select * from issue where project_id = $1 and status_id = $2 order by number limit 1),
          counter as (update issue_counter set last_number = last_number + $3 where project_id = $1 returning last_number),
          counted as (update board_status set issue_count = issue_count + $3 where id = $2)
     insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, created_by, started_at, resolved_at, created_at, updated_at)
     select gen_random_uuid(), workspace_id, project_id, last_number - n + 1, 'WEB-' || (last_number - n + 1), 'task',
            'Copy ' || n, status, status_id, priority, rank_of(last_number - n + 1), reporter_id, created_by, started_at,
            resolved_at, created_at, updated_at
     from old, counter, generate_series(1, $3) n`,
    [project.id, columns[column], many],
  );
}

async function pages(client: Client, path: string): Promise<View[]> {
  const all: View[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body }: View = await client.get(`${path}&limit=100${cursor && `&cursor=${cursor}`}`).expect(200);
    all.push(...body.data);
    cursor = body.pagination.next_cursor && encodeURIComponent(body.pagination.next_cursor);
  }
  return all;
}

/** What people and agents read, without the time of the newest change. */
async function state(here: World) {
  const { owner } = here;
  const get = async (path: string) => (await owner.get(path).expect(200)).body.data;
  const plain = (views: View[]) => views.map(({ updated_at: _, ...view }) => view);
  const filters = ["status=todo", "status=done", "ready=true", "archived=true", "q=copy"];
  const lists: Record<string, View[]> = {};
  for (const filter of filters) lists[filter] = plain(await pages(owner, `P/issues?${filter}`));
  const others = ["P/statuses", "P/sprints", "P/milestones", "P/releases", "P/labels?x=", "W/projects/OPS/issues"];
  const rest: Record<string, View> = {};
  for (const path of others) rest[path] = plain(await get(path.replace("?x=", "")));
  const reports: Record<string, View> = {};
  for (const name of ["cycle-time", "throughput", "status-breakdown", "velocity"]) {
    reports[name] = (await get(`P/reports/${name}`)).data;
  }
  const { updated_at: _, ...project } = await get("P");
  const search = (await get("W/search?q=special")).map(({ score: _score, updated_at: _at, ...hit }: View) => hit);
  return { all: plain(await pages(owner, "P/issues?sort=rank")), lists, rest, reports, project, search };
}

/** To Do with very many issues; WEB-2 is a child of WEB-1 (In Review) and blocks WEB-3 and OPS-1. */
async function crowded(many = MANY): Promise<World> {
  const here = await world();
  const { owner, columns } = here;
  const make = async (path: string, body: object) => (await owner.post(path, body).expect(201)).data;
  await make("W/projects", { name: "Operations", key: "OPS" });
  await make("W/projects/OPS/issues", { title: "Waits" });
  const sprint = await make("P/sprints", { name: "S", status: "active" });
  const milestone = await make("P/milestones", { name: "M" });
  await make("P/issues", { title: "Parent", status_id: columns["In Review"] });
  const planned = { sprint_id: sprint.id, milestone_id: milestone.id };
  await make("P/issues", { title: "Special", parent: "WEB-1", ...planned });
  await make("P/issues", { title: "Blocked", status_id: columns.Backlog });
  for (const target_key of ["WEB-3", "OPS-1"]) {
    await make("P/issues/WEB-2/links", { kind: "blocks", direction: "out", target_key });
  }
  await fill(here, "To Do", many);
  return here;
}

/** What rows store in duplicate agrees. */
async function expectSoundCounts({ sql, workspace }: World): Promise<void> {
  const wrong = await sql(
    `select i.key, i.child_count, i.child_done_count, i.child_cancelled_count, i.open_blocker_count from issue i
     cross join lateral (
       select (select count(*) from issue c where c.parent_id = i.id and c.archived_at is null) as children,
              (select count(*) from issue c where c.parent_id = i.id and c.archived_at is null and c.status = 'done') as done,
              (select count(*) from issue c where c.parent_id = i.id and c.archived_at is null and c.status = 'cancelled') as cancelled,
              (select count(*) from issue_link l join issue b on b.id = l.source_id
               where l.target_id = i.id and l.kind = 'blocks' and b.archived_at is null and b.resolved_at is null) as blockers) n
     where i.workspace_id = $1 and (i.child_count <> children or i.child_done_count <> done or i.child_cancelled_count <> cancelled
       or i.open_blocker_count <> blockers)
     union all
     select s.name, s.issue_count, count(i.id), 0, 0 from board_status s
     left join issue i on i.status_id = s.id and i.archived_at is null and i.status = s.category
     where s.workspace_id = $1 and s.deleted_at is null group by s.id having s.issue_count <> count(i.id)`,
    [workspace.id],
  );
  expect(wrong).toEqual([]);
}

const isPending = async ({ sql, project }: World) =>
  (await sql("select 1 from mass_change where project_id = $1", [project.id])).length > 0;

const set = ({ owner, columns }: World, category: string) =>
  owner.patch(`P/statuses/${columns["To Do"]}`, { category }).expect(200);

/** Each issue's events of a type: how many, and how many issues. */
const eventsIn = async ({ sql, project }: World, type: string) =>
  (
    await sql<{ events: number; issues: number }>(
      `select count(*)::int as events, count(distinct issue_id)::int as issues from event
       where project_id = $1 and type = $2 and data ->> 'status_name' is distinct from 'Backlog'`,
      [project.id, type],
    )
  )[0];

describe("a new category of a column with very many issues", () => {
  test("is true at once for every reader, and stays so when the worker has done it", async () => {
    const here = await crowded();
    const { owner } = here;
    const { version } = (await owner.get("P/issues/WEB-2").expect(200)).data;
    await set(here, "done");
    expect(await isPending(here)).toBe(true);
    const one = (await owner.get("P/issues/WEB-2").expect(200)).data;
    expect(one).toMatchObject({ status: "done", resolved_at: expect.any(String), version: version + 1 });
    expect((await owner.get("P/issues/WEB-1").expect(200)).data.children).toEqual({ total: 1, done: 1, cancelled: 0 });
    expect((await owner.get("P/issues/WEB-3").expect(200)).data.is_blocked).toBe(false);
    expect((await owner.get("W/projects/OPS/issues/OPS-1").expect(200)).data.is_blocked).toBe(false);
    const before = await state(here);
    expect(before.lists["status=done"]).toHaveLength(MANY + 1);
    expect(before.lists["status=todo"]).toEqual([]);
    await drain();
    expect(await isPending(here)).toBe(false);
    expect(await state(here)).toEqual(before);
    await expectSoundCounts(here);
    const each = { events: MANY + 1, issues: MANY + 1 };
    expect(await eventsIn(here, "issue.status_changed")).toEqual(each);
    expect(
      (await eventsOf(here, "issue.updated")).filter(({ changed }) => changed?.includes("is_blocked")),
    ).toHaveLength(2);
  });

  test("is made before another change of an issue, which it never undoes", async () => {
    const here = await crowded();
    const { owner } = here;
    const { version } = (await owner.get("P/issues/WEB-2").expect(200)).data;
    await set(here, "done");
    const { data } = await owner.patch("P/issues/WEB-2", { title: "Renamed" }).expect(200);
    expect(data).toMatchObject({ status: "done", title: "Renamed", version: version + 2 });
    await drain();
    const { data: lines } = await owner.get("P/issues/WEB-2/activity").expect(200);
    expect(lines.slice(0, 2)).toMatchObject([
      { kind: "updated", payload: { field: "title" } },
      { kind: "status_changed", payload: { from: "todo", to: "done" } },
    ]);
    expect(lines.filter(({ kind }: View) => kind === "status_changed")).toHaveLength(1);
  });

  test("tells of blocked issues what their own events in between say, each with a version of its own", async () => {
    const here = await crowded();
    const { owner, columns } = here;
    const second = (await owner.post("P/issues", { title: "Second", status_id: columns.Backlog }).expect(201)).data.key;
    const links = `P/issues/${second}/links`;
    await owner.post(links, { kind: "blocks", direction: "out", target_key: "WEB-3" }).expect(201);
    await set(here, "done");
    await drain();
    // WEB-2, which also blocks WEB-3, opens with its column; the second one closes before that is stored.
    await set(here, "todo");
    await owner.patch(`P/issues/${second}`, { status: "cancelled" }).expect(200);
    await drain();
    const events = (await eventsOf(here, "issue.updated")).filter(({ data }) => (data as View).key === "WEB-3");
    const turns = events.filter(({ changed }) => changed?.includes("is_blocked")).map(({ data }) => data as View);
    expect(turns.map(({ is_blocked }) => is_blocked)).toEqual([true, false, true]);
    const { version } = (await owner.get("P/issues/WEB-3").expect(200)).data;
    expect(turns.slice(1).map((view) => view.version)).toEqual([version - 1, version]);
    await expectSoundCounts(here);
  });

  test("parents and epics count cancelled issues at once", async () => {
    const here = await crowded();
    const { owner } = here;
    const epic = (await owner.post("P/issues", { title: "Epic", type: "epic" }).expect(201)).data;
    await owner.patch("P/issues/WEB-1", { epic: epic.key }).expect(200);
    await set(here, "cancelled");
    expect(await isPending(here)).toBe(true);
    const children = async (key: string) => (await owner.get(`P/issues/${key}`).expect(200)).data.children;
    const counts = () => Promise.all([children("WEB-1"), children(epic.key)]);
    const wanted = [
      { total: 1, done: 0, cancelled: 1 },
      { total: 2, done: 0, cancelled: 1 },
    ];
    expect(await counts()).toEqual(wanted);
    await drain();
    expect(await isPending(here)).toBe(false);
    expect(await counts()).toEqual(wanted);
  });

  test("and back, while the first is under way: all times are as before, and the history tells both", async () => {
    const here = await crowded();
    const { owner, columns } = here;
    const before = await state(here);
    await set(here, "done");
    // Some issues have had the first change when the second one comes, and some come to the column between.
    await owner.patch("P/issues/WEB-2", { title: "Special one" }).expect(200);
    await owner.post("P/issues", { title: "New", status_id: columns["To Do"] }).expect(201);
    await set(here, "todo");
    const late = (await owner.post("P/issues", { title: "Late", status_id: columns["To Do"] }).expect(201)).data;
    const pending = await state(here);
    const times = ({ all }: Awaited<ReturnType<typeof state>>) =>
      all
        .filter(({ title }) => title !== "New" && title !== "Late")
        .map(({ key, status, started_at, resolved_at }) => ({ key, status, started_at, resolved_at }));
    expect(times(pending)).toEqual(times(before));
    await drain();
    expect(await state(here)).toEqual(pending);
    await expectSoundCounts(here);
    // Both settings for all that were there, the second one for the issue that came between, none for the last.
    expect(await eventsIn(here, "issue.status_changed")).toEqual({ events: 2 * (MANY + 1) + 1, issues: MANY + 2 });
    const lines = async (key: string) =>
      (await owner.get(`P/issues/${key}/activity`).expect(200)).data
        .filter(({ kind }: View) => kind === "status_changed")
        .map(({ payload }: View) => `${payload.from} ${payload.to}`);
    expect(await lines("WEB-4")).toEqual(["done todo", "todo done"]);
    expect(await lines("WEB-2")).toEqual(["done todo", "todo done"]);
    expect(await lines(late.key)).toEqual([]);
  });
});

describe("a deleted column with very many issues", () => {
  test("takes its issues along at once, and the worker archives them", async () => {
    const here = await crowded();
    const { owner, columns } = here;
    const { data } = await owner.delete(`P/statuses/${columns["To Do"]}`).expect(200);
    expect(data).toEqual({ id: columns["To Do"], deleted: true, issues_deleted: MANY + 1 });
    expect(await isPending(here)).toBe(true);
    expect((await owner.get("P/issues/WEB-2").expect(200)).data).toMatchObject({
      archived_reason: "status_deleted",
      archived_at: expect.any(String),
      status: "todo",
      status_id: null,
    });
    await owner.patch("P/issues/WEB-2", { title: "x" }).expect(409, "archived");
    expect((await owner.get("P/issues/WEB-1").expect(200)).data.children).toEqual({ total: 0, done: 0, cancelled: 0 });
    expect((await owner.get("P/issues/WEB-3").expect(200)).data.is_blocked).toBe(false);
    const before = await state(here);
    expect(before.all.map(({ key }) => key)).toEqual(["WEB-1", "WEB-3"]);
    await drain();
    expect(await isPending(here)).toBe(false);
    expect(await state(here)).toEqual(before);
    await expectSoundCounts(here);
    expect(await eventsIn(here, "issue.archived")).toEqual({ events: MANY + 1, issues: MANY + 1 });
  });

  test("lets an issue be restored that the worker has not archived yet", async () => {
    const here = await crowded();
    const { owner, columns } = here;
    await owner.delete(`P/statuses/${columns["To Do"]}`).expect(200);
    const { data } = await owner.post("P/issues/WEB-2/restore").expect(200);
    expect(data).toMatchObject({ status: "backlog", status_id: columns.Backlog, archived_at: null });
    expect((await owner.get("P/issues/WEB-3").expect(200)).data.is_blocked).toBe(true);
    await drain();
    expect((await owner.get("P/issues/WEB-2").expect(200)).data).toEqual(data);
    const { data: lines } = await owner.get("P/issues/WEB-2/activity").expect(200);
    expect(lines.slice(0, 2)).toMatchObject([{ kind: "restored" }, { kind: "archived" }]);
    await expectSoundCounts(here);
  });

  test("after a new category, while that is under way", async () => {
    const here = await crowded();
    const { owner, columns } = here;
    await set(here, "done");
    const { data } = await owner.delete(`P/statuses/${columns["To Do"]}`).expect(200);
    expect(data.issues_deleted).toBe(MANY + 1);
    const before = await state(here);
    const archived = before.lists["archived=true"]!;
    expect(archived).toHaveLength(MANY + 1);
    expect(new Set(archived.map(({ status }) => status))).toEqual(new Set(["done"]));
    await drain();
    expect(await state(here)).toEqual(before);
    expect(await eventsIn(here, "issue.status_changed")).toEqual({ events: MANY + 1, issues: MANY + 1 });
    expect(await eventsIn(here, "issue.archived")).toEqual({ events: MANY + 1, issues: MANY + 1 });
    await expectSoundCounts(here);
  });
});
