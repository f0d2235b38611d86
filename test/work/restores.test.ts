import { describe, expect, test } from "vitest";
import { type Shown, shown } from "../contract/shown.ts";
import { expectSoundCounts } from "../support/counts.ts";
import { expectSoundLinks } from "../support/links.ts";
import { type World, world } from "../support/world.ts";

/** A restored object equals the archived one. */

/** WEB-1 with all that an issue may have; WEB-2 is its parent, WEB-3 its child, and it blocks WEB-4 and OPS-1. */
async function furnished(): Promise<World> {
  const here = await world();
  const { owner, as } = here;
  const make = async (path: string, body: object) => (await owner.post(path, body).expect(201)).data;
  await make("W/projects", { name: "Operations", key: "OPS" });
  await make("W/projects/OPS/issues", { title: "Waits" });
  const [sprint, milestone, release] = [
    await make("P/sprints", { name: "S", status: "active" }),
    await make("P/milestones", { name: "M" }),
    await make("P/releases", { name: "R" }),
  ];
  await make("P/labels", { name: "red" });
  await make("P/custom-field-defs", { name: "Size", kind: "select", options: ["S", "L"] });
  const full = {
    ...{ title: "Target", type: "bug", status: "in_progress", priority: "high", labels: ["red"], assignee: "me" },
    ...{ sprint_id: sprint.id, milestone_id: milestone.id, release_id: release.id, due_at: "2030-01-31" },
    ...{ custom_fields: { Size: "L" }, story_points: 5, external_source: "x", external_id: "1" },
  };
  for (const body of [full, { title: "Parent" }, { title: "Child", parent: "WEB-1" }, { title: "Blocked" }]) {
    await make("P/issues", body);
  }
  await owner.patch("P/issues/WEB-1", { parent: "WEB-2", after: "WEB-3" }).expect(200);
  for (const target_key of ["WEB-4", "OPS-1"]) {
    await make("P/issues/WEB-1/links", { kind: "blocks", direction: "out", target_key });
  }
  await make("P/issues/WEB-1/comments", { body_md: "Hello" });
  await owner.patch("P/issues/WEB-1/time", { log: { minutes: 30 } }).expect(200);
  await (await as({ role: "viewer" })).post("P/issues/WEB-1/watchers").expect(200);
  return here;
}

/** All that anybody can read, without what counts changes. */
async function state(here: World) {
  const { owner } = here;
  const rest: Record<string, unknown> = {};
  for (const part of ["time", "watchers", "custom-fields"])
    rest[part] = (await owner.get(`P/issues/WEB-1/${part}`)).data;
  const order = (await owner.get("P/issues?fields=key")).data;
  return { ...rest, order, ...plain(await shown(here)) };
}

const plain = (all: Shown) =>
  Object.fromEntries([...all].map(([key, { version: _v, updated_at: _u, ...view }]) => [key, view]));

describe("an issue", () => {
  test("is restored unchanged, and so is everything that counts it", async () => {
    const here = await furnished();
    const before = await state(here);
    await here.owner.delete("P/issues/WEB-1").expect(200);
    expect((await here.owner.get("P/issues/WEB-4")).data.is_blocked).toBe(false);
    expect(await state(here)).not.toEqual(before);
    await here.owner.post("P/issues/WEB-1/restore").expect(200);
    expect(await state(here)).toEqual(before);
    await expectSoundCounts(here);
  });

  test("of a deleted column is restored to the default one, or to a new one of its category", async () => {
    const here = await furnished();
    const { owner, columns } = here;
    await owner.post("P/issues/WEB-3/transition", { status: "in_progress" }).expect(200);
    await owner.delete("P/issues/WEB-1").expect(200);
    await owner.delete(`P/statuses/${columns["In Progress"]}`).expect(200);
    const archived = { status: "in_progress", status_id: null, status_name: null };
    expect((await owner.get("P/issues/WEB-1")).data).toMatchObject({ ...archived, archived_reason: "archived" });
    expect((await owner.get("P/issues/WEB-3")).data).toMatchObject({ ...archived, archived_reason: "status_deleted" });

    expect((await owner.post("P/issues/WEB-3/restore").expect(200)).data).toMatchObject({ status_name: "To Do" });
    const body = { name: "In Progress", category: "in_progress" };
    const { data: again } = await owner.post("P/statuses", body).expect(201);
    expect((await owner.post("P/issues/WEB-1/restore").expect(200)).data).toMatchObject({ status_id: again.id });
    await expectSoundCounts(here);
  });

  test("is restored to its column with that column's current category, stamped as a move", async () => {
    const here = await furnished();
    const { owner, columns } = here;
    await owner.delete("P/issues/WEB-1").expect(200);
    await owner.patch(`P/statuses/${columns["In Progress"]}`, { category: "done" }).expect(200);
    const { data } = await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(data).toMatchObject({ status: "done", status_id: columns["In Progress"], resolved_at: expect.any(String) });
    expect((await owner.get("P/issues/WEB-4")).data.is_blocked).toBe(false);
    await expectSoundCounts(here);
  });

  test("is restored without objects deleted meanwhile, and open issues without people who left", async () => {
    const here = await furnished();
    const { owner, as } = here;
    const leaver = await as({ role: "member" });
    await owner.patch("P/issues/WEB-1", { assignee_ids: [leaver.userId, owner.userId] }).expect(200);
    await owner.delete("P/issues/WEB-1").expect(200);
    for (const list of ["labels", "sprints", "milestones", "releases", "custom-field-defs"]) {
      const [row] = (await owner.get(`P/${list}`)).data;
      await owner.delete(`P/${list}/${row.id}`).expect(200);
    }
    await owner.delete(`W/members/${leaver.userId}`).expect(200);
    const { data } = await owner.post("P/issues/WEB-1/restore").expect(200);
    const none = { sprint_id: null, milestone_id: null, release_id: null, labels: [], custom_fields: {} };
    expect(data).toMatchObject({ ...none, assignees: [owner.userId], parent_key: "WEB-2" });
    const { data: history } = await owner.get("P/issues/WEB-1/activity?limit=2").expect(200);
    expect(history.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["restored", "unassigned"]);
    await expectSoundCounts(here);
  });

  test("counts towards its column's limit when it is restored", async () => {
    const here = await furnished();
    const { owner, columns } = here;
    await owner.patch(`P/statuses/${columns["In Progress"]}`, { wip_limit: 1 }).expect(200);
    await owner.delete("P/issues/WEB-1").expect(200);
    await owner.post("P/issues/WEB-3/transition", { status: "in_progress" }).expect(200);
    await owner.patch("P", { wip_mode: "enforce" }).expect(200);
    await owner.post("P/issues/WEB-1/restore").expect(409, "wip_limit_exceeded");
    await owner.patch("P", { wip_mode: "warn" }).expect(200);
    const { body } = await owner.post("P/issues/WEB-1/restore").expect(200);
    expect(body.warnings).toMatchObject([{ code: "wip_limit_exceeded", issue_count: 1, limit: 1 }]);
  });

  test("is archived, restored and moved concurrently: counts stay right, and each change is recorded once", async () => {
    const here = await furnished();
    const { owner, sql } = here;
    const calls = Array.from({ length: 30 }, (_, n) => {
      if (n % 3 === 0) return owner.delete("P/issues/WEB-1");
      if (n % 3 === 1) return owner.post("P/issues/WEB-1/restore");
      return owner.post("P/issues/WEB-1/transition", { status: n % 2 ? "done" : "in_progress" });
    });
    for (const { status, text } of await Promise.all(calls)) expect([200, 409], text).toContain(status);
    await Promise.all([1, 2, 3].map(() => owner.post("P/issues/WEB-1/restore").expect(200)));
    const turns = await sql<{ type: string }>(
      `select type from event where issue_id = (select id from issue where key = 'WEB-1' and workspace_id = $1)
         and type in ('issue.archived', 'issue.restored') order by id`,
      [here.workspace.id],
    );
    expect(turns.map(({ type }) => type)).toEqual(turns.map((_, n) => (n % 2 ? "issue.restored" : "issue.archived")));
    expect(turns.length % 2).toBe(0);
    await expectSoundCounts(here);
    await expectSoundLinks(here);
  });
});

describe("a project", () => {
  test("is restored unchanged, and objects archived before stay archived", async () => {
    const here = await furnished();
    const { owner, as } = here;
    await as({ role: "member", projectRole: "viewer" });
    await owner.delete("P/issues/WEB-3").expect(200);
    const before = await state(here);
    await owner.delete("P").expect(200);
    await owner.post("P/issues/WEB-3/restore").expect(409, "archived");
    await Promise.all([1, 2, 3].map(() => owner.post("P/restore").expect(200)));
    expect(await state(here)).toEqual(before);
    const events = await here.sql(`select 1 from event where workspace_id = $1 and type = 'project.restored'`, [
      here.workspace.id,
    ]);
    expect(events).toHaveLength(1);
    await expectSoundCounts(here);
  });

  test("does not block other projects' issues while it is archived", async () => {
    const here = await furnished();
    const { owner, sql } = here;
    const ops = "W/projects/OPS/issues/OPS-1";
    const isBlocked = async (path: string) => (await owner.get(path).expect(200)).data.is_blocked;
    await owner.patch("W/projects/OPS", { enforce_blockers: true }).expect(200);
    await owner.post(`${ops}/transition`, { status: "in_progress" }).expect(409, "open_blockers");

    await owner.delete("P").expect(200);
    expect([await isBlocked(ops), await isBlocked("P/issues/WEB-4")]).toEqual([false, true]);
    const [told] = await sql(
      `select changed, previous from event where workspace_id = $1 and type = 'issue.updated' order by id desc limit 1`,
      [here.workspace.id],
    );
    expect(told).toEqual({ changed: ["is_blocked"], previous: { is_blocked: true } });
    await expectSoundLinks(here);

    await owner.post("P/restore").expect(200);
    expect(await isBlocked(ops)).toBe(true);
    await owner.delete("P").expect(200);
    const { data: links } = await owner.get(`${ops}/links`).expect(200);
    await owner.delete(`${ops}/links/${links[0].id}`).expect(200);
    await expectSoundLinks(here);
    await owner.post("P/restore").expect(200);
    expect(await isBlocked(ops)).toBe(false);
    await expectSoundLinks(here);
  });

  test("is archived and restored while its issues open and close, and nothing is counted twice", async () => {
    const here = await furnished();
    const { owner } = here;
    const link = { kind: "blocks", direction: "out", target_key: "OPS-1" };
    const calls = Array.from({ length: 36 }, (_, n) => {
      if (n % 4 === 0) return owner.delete("P");
      if (n % 4 === 1) return owner.post("P/restore");
      if (n % 4 === 2) return owner.post("P/issues/WEB-1/transition", { status: n % 8 === 2 ? "done" : "todo" });
      return owner.post(`P/issues/WEB-${2 + (n % 3)}/links`, link);
    });
    for (const { status, text } of await Promise.all(calls)) expect([200, 201, 409], text).toContain(status);
    await expectSoundLinks(here);
    await owner.post("P/restore").expect(200);
    await expectSoundLinks(here);
    await expectSoundCounts(here);
  });
});

test("a deleted column's issues are restored in their previous order", async () => {
  const here = await furnished();
  const { owner, columns } = here;
  const order = async () => (await owner.get("P/issues?fields=key")).data;
  const before = await order();
  await owner.delete(`P/statuses/${columns["To Do"]}`).expect(200);
  const { data: gone } = await owner.get("P/issues?archived=true").expect(200);
  await Promise.all(gone.map(({ key }: { key: string }) => owner.post(`P/issues/${key}/restore`).expect(200)));
  expect(await order()).toEqual(before);
  await expectSoundCounts(here);
});
