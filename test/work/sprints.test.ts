import { describe, expect, test } from "vitest";
import type { Exchange, Reply } from "../support/client.ts";
import { eventsOf } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { waitersFor } from "../support/locks.ts";
import { type World, world } from "../support/world.ts";

type Sprint = { id: string; name: string; status: string; rank: string };

const sprints = async ({ owner }: World): Promise<Sprint[]> => (await owner.get("P/sprints").expect(200)).data;
const read = async ({ owner }: World, id: string) => (await owner.get(`P/sprints/${id}`).expect(200)).data;
const make = async ({ owner }: World, body: object) => (await owner.post("P/sprints", body).expect(201)).data;
const make3 = async (here: World) => [
  await make(here, { name: "One" }),
  await make(here, { name: "Two" }),
  await make(here, { name: "Three" }),
];

describe("creating and changing", () => {
  test("a sprint is returned as it was created, with empty progress", async () => {
    const here = await world();
    const { owner } = here;
    const body = {
      name: " First ",
      goal: "Ship *it*",
      start_at: "2030-01-01",
      end_at: "2030-01-14",
      capacity_points: 20,
    };
    const sprint = await make(here, body);
    expect(sprint).toEqual({
      id: expect.any(String),
      name: "First",
      goal: "Ship *it*",
      status: "planned",
      start_at: "2030-01-01T00:00:00.000Z",
      start_on: "2030-01-01",
      end_at: "2030-01-14T00:00:00.000Z",
      end_on: "2030-01-14",
      rank: expect.any(String),
      capacity_points: 20,
      started_at: null,
      completed_at: null,
      progress: { total: 0, done: 0, failed: 0, cancelled: 0, points: 0, done_points: 0, percent: 0 },
      committed: null,
      demoted_sprint_id: null,
      created_by: owner.userId,
      created_at: expect.stringMatching(/Z$/),
      updated_at: sprint.created_at,
    });
    expect(await read(here, sprint.id)).toEqual(sprint);
    expect(await read(here, sprint.id.toUpperCase())).toEqual(sprint);
    expect(await sprints(here)).toEqual([sprint]);
    await owner.get("P/sprints/nonsense").expect(404);
    expect(await eventsOf(here, "sprint.%")).toMatchObject([{ type: "sprint.created", data: sprint, changed: null }]);
  });

  test("changes are recorded once, the same values again are not, and dates stay in order", async () => {
    const here = await world();
    const { owner } = here;
    const sprint = await make(here, { name: "One", start_at: "2030-01-01", end_at: "2030-01-14" });
    const path = `P/sprints/${sprint.id}`;
    const { data } = await owner.patch(path, { name: "Uno", goal: "x", capacity_points: 3, end_at: null }).expect(200);
    expect(data).toMatchObject({ name: "Uno", goal: "x", capacity_points: 3, end_at: null });
    await owner.patch(path, { name: "Uno", start_at: "2030-01-01T01:00:00+01:00" }).expect(200);
    await owner.patch(path, {}).expect(200);
    expect(await eventsOf(here, "sprint.updated")).toMatchObject([
      {
        data,
        previous: {
          name: "One",
          goal: null,
          capacity_points: null,
          end_at: "2030-01-14T00:00:00.000Z",
          end_on: "2030-01-14",
        },
        changed: ["name", "goal", "end_at", "end_on", "capacity_points"],
      },
    ]);
    const early = await owner.patch(path, { end_at: "2029-12-31" }).expect(400, "validation_failed");
    expect(early.body.error.details.errors).toMatchObject([{ path: "/end_at", code: "too_small" }]);
    await owner.post("P/sprints", { name: "x", start_at: "2030-02-01", end_at: "2030-01-01" }).expect(400);
    await owner.patch(path, { start_at: "2030-02-01", end_at: "2030-03-01" }).expect(200);
    await owner.patch(path, { status: "running" }).expect(400, "validation_failed");
  });

  test("new sprints come last, and others keep the position that they are given", async () => {
    const here = await world();
    const { owner } = here;
    const [one, two, three] = await make3(here);
    const order = async () => (await sprints(here)).map(({ name }) => name).join(" ");
    expect(await order()).toBe("One Two Three");
    await make(here, { name: "Zero", before: one.id });
    await make(here, { name: "Half", after: one.id.toUpperCase() });
    expect(await order()).toBe("Zero One Half Two Three");
    await owner.patch(`P/sprints/${three.id}`, { before: two.id }).expect(200);
    expect(await order()).toBe("Zero One Half Three Two");
    const moved = await eventsOf(here, "sprint.updated");
    expect(moved).toMatchObject([{ changed: ["rank"], previous: { rank: three.rank } }]);
    await owner.patch(`P/sprints/${three.id}`, { before: two.id }).expect(200);
    await owner.patch(`P/sprints/${two.id}`, { after: three.id }).expect(200);
    expect(await eventsOf(here, "sprint.updated")).toHaveLength(1);
    await owner.patch(`P/sprints/${two.id}`, { rank: one.rank }).expect(200);
    await make(here, { name: "Between", after: one.id });
    const names = await order();
    expect(names.indexOf("Between")).toBeGreaterThan(names.indexOf("One"));
    expect(names.split(" ")).toHaveLength(6);

    await owner.patch(`P/sprints/${one.id}`, { before: one.id }).expect(400, "invalid_reference");
    await owner.patch(`P/sprints/${one.id}`, { before: "x" }).expect(400, "invalid_reference");
    await owner.patch(`P/sprints/${one.id}`, { before: two.id, after: three.id }).expect(400, "mutually_exclusive");
    const foreign = await make(await here.other(), { name: "Foreign" });
    await owner.patch(`P/sprints/${one.id}`, { before: foreign.id }).expect(400, "invalid_reference");
    await owner.post("P/sprints", { name: "x", rank: "a20" }).expect(400, "validation_failed");
  });

  test("inserting sprints at one position repeatedly keeps the order, with short ranks", async () => {
    const here = await world();
    const one = await make(here, { name: "One" });
    await make(here, { name: "Last" });
    for (let n = 0; n < 60; n++) await make(here, { name: `${n}`, after: one.id });
    const { data } = await here.owner.get("P/sprints?limit=100").expect(200);
    expect(data.map(({ name }: Sprint) => name)).toEqual([
      "One",
      ...Array.from({ length: 60 }, (_, n) => `${59 - n}`),
      "Last",
    ]);
    for (const { rank } of data) expect(rank.length).toBeLessThanOrEqual(41);
  });

  test("pages are ordered by rank", async () => {
    const here = await world();
    for (let n = 0; n < 7; n++) await make(here, { name: `${n}` });
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { data: Sprint[]; body: { pagination: { next_cursor: string | null } } } = await here.owner
        .get(`P/sprints?limit=3&cursor=${cursor}`)
        .expect(200);
      seen.push(...page.data.map(({ name }) => name));
      cursor = page.body.pagination.next_cursor;
    }
    expect(seen.join("")).toBe("0123456");
  });
});

describe("progress", () => {
  test("counts live issues and their points by category", async () => {
    const here = await world();
    const { owner } = here;
    await owner.post("P/statuses", { name: "Broken", category: "failed" }).expect(201);
    const [one, two] = await make3(here);
    const sprint_id = one.id;
    const items = [
      { title: "open", sprint_id, story_points: 5 },
      { title: "done", sprint_id, story_points: 3, status: "done" },
      { title: "done without points", sprint_id, status: "done" },
      { title: "failed", sprint_id, story_points: 2, status: "failed" },
      { title: "cancelled", sprint_id, story_points: 1, status: "cancelled" },
      { title: "archived", sprint_id, story_points: 8 },
      { title: "elsewhere", sprint_id: two.id, story_points: 13 },
    ];
    await owner.post("P/issues/bulk", { items }).expect(201);
    await owner.delete("P/issues/WEB-6").expect(200);
    const progress = { total: 5, done: 2, failed: 1, cancelled: 1, points: 11, done_points: 3, percent: 50 };
    expect((await read(here, one.id)).progress).toEqual(progress);
    expect(
      (await sprints(here)).map((sprint) => (sprint as never as { progress: { total: number } }).progress.total),
    ).toEqual([5, 1, 0]);
    expect((await owner.get(`P/issues?sprint=${one.id}`).expect(200)).data).toHaveLength(5);
    expect((await owner.get("P/issues?sprint=none").expect(200)).data).toEqual([]);
    expect((await owner.get("P/issues?sprint=active").expect(200)).data).toEqual([]);
    await owner.patch(`P/sprints/${two.id}`, { status: "active" }).expect(200);
    expect((await owner.get("P/issues?sprint=active&fields=title").expect(200)).data).toEqual([{ title: "elsewhere" }]);
  });
});

describe("starting", () => {
  test("stamps the start, takes the commitment and demotes the active sprint", async () => {
    const here = await world();
    const { owner, sql } = here;
    const [one, two] = await make3(here);
    const items = [
      { title: "a", sprint_id: one.id, story_points: 5, estimate_minutes: 60 },
      { title: "b", sprint_id: one.id, story_points: 3, status: "done" },
      { title: "c", sprint_id: one.id },
    ];
    await owner.post("P/issues/bulk", { items }).expect(201);
    const started = (await owner.patch(`P/sprints/${one.id}`, { status: "active" }).expect(200)).data;
    expect(started).toMatchObject({
      status: "active",
      started_at: started.updated_at,
      committed: { issues: 3, points: 8 },
      demoted_sprint_id: null,
    });
    const next = (await owner.patch(`P/sprints/${two.id}`, { status: "active", name: "Dos" }).expect(200)).data;
    expect(next).toMatchObject({ demoted_sprint_id: one.id, committed: { issues: 0, points: 0 } });
    expect(await read(here, two.id)).toEqual({ ...next, demoted_sprint_id: null });
    const demoted = await read(here, one.id);
    expect(demoted).toMatchObject({ status: "planned", started_at: started.started_at, committed: started.committed });
    expect((await eventsOf(here, "sprint.%")).slice(3)).toMatchObject([
      {
        type: "sprint.started",
        data: started,
        previous: { status: "planned", started_at: null, committed: null },
        changed: ["status", "started_at", "committed"],
      },
      { type: "sprint.updated", data: demoted, previous: { status: "active" }, changed: ["status"] },
      { type: "sprint.started", data: next },
    ]);

    // Scope that comes later is no commitment, also when the sprint is started again.
    await owner.post("P/issues", { title: "d", sprint_id: one.id, story_points: 1 }).expect(201);
    const again = (await owner.patch(`P/sprints/${one.id}`, { status: "active" }).expect(200)).data;
    expect(again).toMatchObject({ started_at: started.started_at, committed: { issues: 3, points: 8 } });
    const scope = await sql(
      `select i.title, s.status, s.story_points, s.estimate_minutes from sprint_snapshot t
       join sprint_snapshot_issue s on s.snapshot_id = t.id join issue i on i.id = s.issue_id
       where t.sprint_id = $1 and t.kind = 'commitment' order by i.number`,
      [one.id],
    );
    expect(scope).toEqual([
      { title: "a", status: "todo", story_points: 5, estimate_minutes: 60 },
      { title: "b", status: "done", story_points: 3, estimate_minutes: null },
      { title: "c", status: "todo", story_points: null, estimate_minutes: null },
    ]);
  });

  test("also happens on creation", async () => {
    const here = await world();
    const one = await make(here, { name: "One", status: "active" });
    const two = await make(here, { name: "Two", status: "ACTIVE" });
    expect(one).toMatchObject({ status: "active", started_at: one.created_at, committed: { issues: 0, points: 0 } });
    expect(two).toMatchObject({ status: "active", demoted_sprint_id: one.id });
    expect((await read(here, one.id)).status).toBe("planned");
    const done = await make(here, { name: "Three", status: "completed" });
    expect(done).toMatchObject({ completed_at: done.created_at, started_at: null, committed: null });
    expect((await eventsOf(here, "sprint.%")).map(({ type }) => type)).toEqual([
      "sprint.created",
      "sprint.started",
      "sprint.updated",
      "sprint.created",
      "sprint.started",
      "sprint.created",
      "sprint.completed",
    ]);
  });

  test("50 parallel starts leave one sprint active", async () => {
    const here = await world();
    const { owner, sql, project } = here;
    const all: Sprint[] = [];
    for (let n = 0; n < 10; n++) all.push(await make(here, { name: `${n}` }));
    // All wait for one board. On a busy machine the last ones are asked after five seconds to come again.
    const again = async (send: () => Exchange): Promise<Reply> => {
      const reply = await send();
      return reply.status === 503 ? again(send) : reply;
    };
    const issues = all.map(({ id }, n) => again(() => owner.post("P/issues", { title: `${n}`, sprint_id: id })));
    const starts = Array.from({ length: 50 }, (_, n) =>
      again(() => owner.patch(`P/sprints/${all[n % 10]!.id}`, { status: "active" })),
    );
    for (const reply of await Promise.all([...starts, ...issues]))
      expect([200, 201], reply.text).toContain(reply.status);
    const left = await sql<{ id: string }>(`select id from sprint where project_id = $1 and status = 'active'`, [
      project.id,
    ]);
    expect(left).toHaveLength(1);
    // Each start but the first took another one's place, and was told whose.
    const started = await eventsOf(here, "sprint.started");
    const demoted = started.map(({ data }) => data.demoted_sprint_id);
    expect(demoted).toEqual([null, ...started.slice(0, -1).map(({ data }) => data.id)]);
    expect(started.at(-1)?.data.id).toBe(left[0]?.id);
  });

  test("parallel creates as active leave one sprint active", async () => {
    const here = await world();
    await Promise.all(Array.from({ length: 20 }, (_, n) => make(here, { name: `${n}`, status: "active" })));
    const rows = await sprints(here);
    expect(rows.filter(({ status }) => status === "active")).toHaveLength(1);
    expect(new Set(rows.map(({ rank }) => rank)).size).toBe(20);
  });
});

describe("completing", () => {
  async function running() {
    const here = await world();
    const [one, two] = await make3(here);
    const sprint_id = one.id;
    const items = [
      { title: "open", sprint_id, story_points: 5 },
      { title: "started", sprint_id, status: "in_progress" },
      { title: "done", sprint_id, story_points: 3, status: "done" },
      { title: "cancelled", sprint_id, status: "cancelled" },
      { title: "archived", sprint_id },
    ];
    await here.owner.post("P/issues/bulk", { items }).expect(201);
    await here.owner.delete("P/issues/WEB-5").expect(200);
    await here.owner.patch(`P/sprints/${one.id}`, { status: "active" }).expect(200);
    const inSprint = async (id: string) =>
      (await here.owner.get(`P/issues?sprint=${id}&fields=title`).expect(200)).data
        .map(({ title }: { title: string }) => title)
        .join(" ");
    return { ...here, one, two, inSprint };
  }

  test("moves open issues to another sprint, with their events and history", async () => {
    const here = await running();
    const { owner, one, two, inSprint, sql } = here;
    const path = `P/sprints/${one.id}`;
    const { data } = await owner.patch(path, { status: "completed", move_open_issues_to: two.id }).expect(200);
    expect(data).toMatchObject({ status: "completed", completed_at: data.updated_at, progress: { total: 2, done: 1 } });
    expect(await read(here, one.id)).toEqual(data);
    expect(await inSprint(one.id)).toBe("done cancelled");
    expect(await inSprint(two.id)).toBe("open started");
    const issue = (await owner.get("P/issues/WEB-1").expect(200)).data;
    expect(issue.version).toBe(2);
    const updates = await eventsOf(here, "issue.updated");
    expect(updates).toHaveLength(2);
    expect(updates[0]).toMatchObject({ data: issue, previous: { sprint_id: one.id }, changed: ["sprint_id"] });
    const [line] = (await owner.get("P/issues/WEB-1/activity").expect(200)).data;
    expect(line).toMatchObject({
      kind: "sprint_changed",
      payload: { field: "sprint_id", from: one.id, to: two.id, from_name: "One", to_name: "Two" },
    });
    expect(await eventsOf(here, "sprint.completed")).toMatchObject([
      { data, previous: { status: "active", completed_at: null }, changed: ["status", "completed_at"] },
    ]);
    // As it was when it ended, before anything moved on.
    const ended = await sql(
      `select i.title, s.status from sprint_snapshot t join sprint_snapshot_issue s on s.snapshot_id = t.id
       join issue i on i.id = s.issue_id where t.sprint_id = $1 and t.kind = 'completion' order by i.number`,
      [one.id],
    );
    expect(ended).toEqual([
      { title: "open", status: "todo" },
      { title: "started", status: "in_progress" },
      { title: "done", status: "done" },
      { title: "cancelled", status: "cancelled" },
    ]);
  });

  test("leaves issues where they are, or takes them out of any sprint", async () => {
    const { owner, one, inSprint } = await running();
    const path = `P/sprints/${one.id}`;
    await owner.patch(path, { status: "completed", move_open_issues_to: null }).expect(200);
    expect(await inSprint(one.id)).toBe("open started done cancelled");
    await owner.patch(path, { status: "completed", move_open_issues_to: "backlog" }).expect(200);
    expect(await inSprint(one.id)).toBe("done cancelled");
    expect(await inSprint("none")).toBe("open started");
    expect((await owner.get("P/issues/WEB-2").expect(200)).data).toMatchObject({
      sprint_id: null,
      status: "in_progress",
    });
  });

  test("reopening a completed sprint clears the stamp, and starting it sets a new commitment", async () => {
    const here = await running();
    const { owner, one } = here;
    const path = `P/sprints/${one.id}`;
    expect((await read(here, one.id)).committed).toEqual({ issues: 4, points: 8 });
    await owner.patch(path, { status: "completed", move_open_issues_to: "backlog" }).expect(200);
    const again = (await owner.patch(path, { status: "active" }).expect(200)).data;
    expect(again).toMatchObject({ status: "active", completed_at: null, committed: { issues: 2, points: 3 } });
    await owner.patch(path, { status: "completed" }).expect(200);
    expect((await owner.patch(path, { status: "planned" }).expect(200)).data).toMatchObject({
      completed_at: null,
      committed: null,
      started_at: again.started_at,
    });
  });

  test("refuses invalid targets, and changes nothing", async () => {
    const here = await running();
    const { owner, one, two } = here;
    const path = `P/sprints/${one.id}`;
    const foreign = await make(await here.other(), { name: "Foreign" });
    for (const place of [one.id, foreign.id, "nowhere"]) {
      await owner.patch(path, { status: "completed", move_open_issues_to: place }).expect(400, "invalid_reference");
    }
    await owner.patch(path, { move_open_issues_to: two.id }).expect(400, "validation_failed");
    await owner.patch(path, { status: "planned", move_open_issues_to: two.id }).expect(400, "validation_failed");
    expect((await read(here, one.id)).status).toBe("active");
  });
});

describe("deleting", () => {
  test("removes the sprint from all its issues and returns their number", async () => {
    const here = await world();
    const { owner } = here;
    const one = await make(here, { name: "One", status: "active" });
    const items = Array.from({ length: 50 }, (_, n) => ({ title: `${n}`, sprint_id: one.id }));
    // More than one part of 200.
    for (let round = 0; round < 5; round++) await owner.post("P/issues/bulk", { items }).expect(201);
    await owner.post("P/issues", { title: "without" }).expect(201);
    await owner.delete("P/issues/WEB-1").expect(200);
    const last = await read(here, one.id);
    expect(last.progress.total).toBe(249);
    expect((await owner.delete(`P/sprints/${one.id}`).expect(200)).data).toEqual({
      id: one.id,
      deleted: true,
      issues_detached: 250,
    });
    for (const method of ["GET", "PATCH", "DELETE"]) {
      await owner.call(method, `P/sprints/${one.id}`, method === "PATCH" ? { name: "x" } : undefined).expect(404);
    }
    expect(await sprints(here)).toEqual([]);
    expect((await owner.get(`P/issues?sprint=${one.id}`).expect(200)).data).toEqual([]);
    expect(await eventsOf(here, "sprint.deleted")).toMatchObject([{ data: last }]);
    // A worker changes so many.
    await drain();
    const updates = await eventsOf(here, "issue.updated");
    expect(updates).toHaveLength(250);
    expect(new Set(updates.map(({ issue_id }) => issue_id)).size).toBe(250);
    const restored = (await owner.post("P/issues/WEB-1/restore").expect(200)).data;
    expect(restored.sprint_id).toBeNull();
    const [line] = (await owner.get("P/issues/WEB-2/activity").expect(200)).data;
    expect(line).toMatchObject({
      kind: "sprint_changed",
      payload: { from: one.id, to: null, from_name: "One", to_name: null },
    });
    await owner.post("P/issues", { title: "x", sprint_id: one.id }).expect(400, "invalid_reference");
    await owner.patch("P/issues/WEB-2", { sprint_id: one.id }).expect(400, "invalid_reference");
    await make(here, { name: "Two", status: "active" });
  });

  test("leaves no issues behind that were added meanwhile", async () => {
    const here = await world();
    const { owner, sql, project } = here;
    const [one, two] = await make3(here);
    const items = Array.from({ length: 40 }, (_, n) => ({ title: `${n}`, sprint_id: n % 2 ? two.id : null }));
    await owner.post("P/issues/bulk", { items }).expect(201);
    const changes = Array.from({ length: 40 }, (_, n) => owner.patch(`P/issues/WEB-${n + 1}`, { sprint_id: one.id }));
    const creates = Array.from({ length: 20 }, () => owner.post("P/issues", { title: "new", sprint_id: one.id }));
    const moves = owner.patch(`P/sprints/${two.id}`, { status: "completed", move_open_issues_to: "backlog" });
    const deletion = owner.delete(`P/sprints/${one.id}`);
    const replies = await Promise.all([...changes, ...creates, deletion, moves]);
    for (const { status, text } of replies) expect([200, 201, 400], text).toContain(status);
    const left = await sql(`select 1 from issue where project_id = $1 and sprint_id = $2`, [project.id, one.id]);
    expect(left).toEqual([]);
  });
});

test("an issue that waits to be created while its sprint is deleted is refused", async () => {
  const here = await world();
  const { owner, app, project } = here;
  const one = await make(here, { name: "One" });
  let waiting: PromiseLike<Reply>[] = [];
  await app.resources.database.transaction(async (tx) => {
    await tx.query({ text: `select 1 from issue_counter where project_id = $1 for update` }, [project.id]);
    waiting = [owner.delete(`P/sprints/${one.id}`)];
    await waitersFor(here, 1);
    waiting.push(owner.post("P/issues", { title: "Late", sprint_id: one.id }));
    await waitersFor(here, 2);
  });
  const [deletion, creation] = await Promise.all(waiting);
  expect(deletion?.data).toMatchObject({ deleted: true, issues_detached: 0 });
  expect([creation?.status, creation?.body.code]).toEqual([400, "invalid_reference"]);
  expect((await owner.post("P/issues", { title: "Next" }).expect(201)).data.key).toBe("WEB-1");
});

test("a commitment with very large estimates is stored", async () => {
  const here = await world();
  const one = await make(here, { name: "One" });
  const item = { title: "x", sprint_id: one.id, estimate_minutes: 525_600, story_points: 1_000 };
  await here.owner.post("P/issues/bulk", { items: Array.from({ length: 50 }, () => item) }).expect(201);
  // As many minutes as thousands of such issues have.
  await here.sql(`update issue set estimate_minutes = 2000000000 where project_id = $1`, [here.project.id]);
  const { data } = await here.owner.patch(`P/sprints/${one.id}`, { status: "active" }).expect(200);
  expect(data.committed).toEqual({ issues: 50, points: 50_000 });
  const [row] = await here.sql(`select committed_minutes from sprint where id = $1`, [one.id]);
  expect(row).toEqual({ committed_minutes: 100_000_000_000 });
});

test("history records which issues were in a sprint at which time", async () => {
  const here = await world();
  const { owner, sql, project } = here;
  const [one, two] = await make3(here);
  await owner.post("P/issues", { title: "x", sprint_id: one.id, story_points: 3, estimate_minutes: 90 }).expect(201);
  await owner.patch("P/issues/WEB-1", { status: "done" }).expect(200);
  await owner.patch("P/issues/WEB-1", { story_points: 5 }).expect(200);
  await owner.patch("P/issues/WEB-1", { sprint_id: two.id }).expect(200);
  await owner.post("P/issues/WEB-1/comments", { body_md: "Hi" }).expect(201);
  await owner.delete("P/issues/WEB-1").expect(200);
  const lines = await sql(
    `select kind, payload ->> 'from' as from, payload ->> 'to' as to, sprint_id, status, story_points, estimate_minutes
     from activity where project_id = $1 order by id`,
    [project.id],
  );
  const at = { story_points: 5, estimate_minutes: 90 };
  expect(lines).toEqual([
    { kind: "created", from: null, to: null, sprint_id: one.id, status: "todo", story_points: 3, estimate_minutes: 90 },
    { kind: "status_changed", from: "todo", to: "done", sprint_id: one.id, status: "done", ...at, story_points: 3 },
    { kind: "updated", from: "3", to: "5", sprint_id: one.id, status: "done", ...at },
    { kind: "sprint_changed", from: one.id, to: two.id, sprint_id: two.id, status: "done", ...at },
    {
      kind: "commented",
      from: null,
      to: null,
      sprint_id: null,
      status: null,
      story_points: null,
      estimate_minutes: null,
    },
    { kind: "archived", from: null, to: null, sprint_id: two.id, status: "done", ...at },
  ]);
  expect(Object.keys((await owner.get("P/issues/WEB-1/activity").expect(200)).data[0]).sort()).toEqual(
    ["id", "kind", "actor_id", "actor_kind", "actor_name", "payload", "created_at"].sort(),
  );
});

test("all who can see the project see its sprints; only editors change them", async () => {
  const here = await world();
  const one = await make(here, { name: "One" });
  const viewer = await here.as({ role: "viewer" });
  await viewer.get(`P/sprints/${one.id}`).expect(200);
  await viewer.patch(`P/sprints/${one.id}`, { name: "x" }).expect(403);
  const foreign = (await here.other()).owner;
  await foreign.get(`P/sprints/${one.id}`).expect(404);
  await foreign.delete(`P/sprints/${one.id}`).expect(404);
  await here.owner.delete("P").expect(200);
  await here.owner.get(`P/sprints/${one.id}`).expect(200);
  await here.owner.patch(`P/sprints/${one.id}`, { status: "active" }).expect(409, "archived");
});
