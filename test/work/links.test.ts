import { describe, expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { expectSoundLinks } from "../support/links.ts";
import { type World, world } from "../support/world.ts";

type EventRow = {
  type: string;
  project_id: string | null;
  data: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
};
const eventsOf = ({ sql, workspace }: World, issueId: string, like = "issue.%") =>
  sql<EventRow>(
    `select type, project_id, data, previous, changed from event
     where workspace_id = $1 and issue_id = $2 and type like $3 order by id`,
    [workspace.id, issueId, like],
  );

/** A world with WEB-1 to WEB-n and, in another project, OPS-1 to OPS-n. */
async function twoProjects(count = 3) {
  const here = await world();
  const { data: ops } = await here.owner.post("W/projects", { name: "Operations", key: "OPS" }).expect(201);
  const items = Array.from({ length: count }, (_, n) => ({ title: `Issue ${n + 1}` }));
  for (const place of ["P", "W/projects/OPS"]) await here.owner.post(`${place}/issues/bulk`, { items }).expect(201);
  return { ...here, ops: ops as { id: string } };
}

const at = (key: string) => `W/projects/${key.split("-")[0]}/issues/${key}`;
const link = ({ owner }: World, from: string, kind: string, to: string) =>
  owner.post(`${at(from)}/links`, { kind, target_key: to });
const linksOf = async ({ owner }: World, key: string) => (await owner.get(`${at(key)}/links`).expect(200)).data;
const read = async ({ owner }: World, key: string) => (await owner.get(at(key)).expect(200)).data;

describe("linking", () => {
  test("a link is stored once, and each of its issues shows it with its own direction", async () => {
    const here = await twoProjects();
    const { owner } = here;
    const own = await read(here, "WEB-1");
    const other = await read(here, "OPS-2");
    const { data } = await owner
      .post("P/issues/WEB-1/links", { kind: "Blocks", direction: "outward", target_key: "ops-2" })
      .expect(201);
    expect(data).toEqual({
      id: expect.any(String),
      kind: "blocks",
      direction: "out",
      target_key: "OPS-2",
      target_title: "Issue 2",
      target_status: "todo",
      target_project_slug: "ops",
      target_id: other.id,
      target_type: "task",
      created_by: owner.userId,
      created_at: expect.stringMatching(/Z$/),
    });
    const turned = { ...data, direction: "in", target_key: "WEB-1", target_title: "Issue 1", target_id: own.id };
    const { body } = await owner.get("P/issues/WEB-1/links").expect(200);
    expect(body).toEqual({ data: [data], pagination: { next_cursor: null } });
    expect(await linksOf(here, "OPS-2")).toEqual([{ ...turned, target_project_slug: "web" }]);

    // The same again, from either side and by id, is the one that is there.
    expect(
      (await owner.post("P/issues/WEB-1/links", { kind: "blocks", target_id: other.id }).expect(201)).data,
    ).toEqual(data);
    const back = { kind: "blocks", direction: "in", target_key: "WEB-1" };
    expect((await owner.post(`${at("OPS-2")}/links`, back).expect(201)).data.id).toBe(data.id);
    expect((await read(here, "WEB-1")).counts.links).toBe(1);
    expect(await read(here, "OPS-2")).toMatchObject({ counts: { links: 1 }, is_blocked: true });

    await link(here, "WEB-1", "duplicates", "WEB-2").expect(201);
    expect((await linksOf(here, "WEB-1")).map((row: { kind: string }) => row.kind)).toEqual(["duplicates", "blocks"]);
    expect((await owner.delete(`${at("OPS-2")}/links/${data.id}`).expect(200)).data).toEqual({
      id: data.id,
      deleted: true,
    });
    await owner.delete(`P/issues/WEB-1/links/${data.id}`).expect(404);
    expect(await read(here, "OPS-2")).toMatchObject({ counts: { links: 0 }, is_blocked: false });
    await expectSoundLinks(here);
  });

  test("a relation is symmetric, even if created concurrently", async () => {
    const here = await twoProjects();
    const { owner } = here;
    const calls = Array.from({ length: 12 }, (_, n) => {
      const [from, to] = n % 2 ? ["WEB-1", "OPS-1"] : ["OPS-1", "WEB-1"];
      const direction = n % 3 ? "in" : "out";
      return owner.post(`${at(from)}/links`, { kind: "relates_to", direction, target_key: to });
    });
    const replies = await Promise.all(calls);
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(201));
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    await expectSoundLinks(here);
  });

  test("it records one event, changes both issues, and adds an entry to both histories", async () => {
    const here = await twoProjects();
    const { owner, project } = here;
    const [one, two] = [await read(here, "WEB-1"), await read(here, "WEB-2")];
    const { data } = await link(here, "WEB-1", "blocks", "WEB-2").expect(201);
    const [, created, updated] = await eventsOf(here, one.id);
    expect(created).toMatchObject({ type: "issue.link.created", project_id: project.id, data });
    expect(updated).toMatchObject({
      type: "issue.updated",
      previous: { counts: { ...one.counts, links: 0 } },
      changed: ["counts"],
      data: await read(here, "WEB-1"),
    });
    expect((await eventsOf(here, two.id)).slice(1)).toMatchObject([
      { type: "issue.updated", changed: ["counts", "is_blocked"], previous: { is_blocked: false } },
    ]);
    expect((await read(here, "WEB-2")).version).toBe(two.version + 1);

    await owner.delete(`P/issues/WEB-2/links/${data.id}`).expect(200);
    const turned = { ...data, direction: "in", target_key: "WEB-1", target_title: "Issue 1", target_id: one.id };
    expect(await eventsOf(here, two.id, "issue.link.%")).toMatchObject([{ type: "issue.link.deleted", data: turned }]);
    const lines = async (key: string) => {
      const { data: rows } = await owner.get(`${at(key)}/activity`).expect(200);
      return rows.map(({ kind, payload }: { kind: string; payload: Record<string, unknown> }) => [
        kind,
        payload.direction,
        payload.target_key,
      ]);
    };
    const created_line = ["created", undefined, undefined];
    expect(await lines("WEB-1")).toEqual([
      ["link_removed", "out", "WEB-2"],
      ["link_added", "out", "WEB-2"],
      created_line,
    ]);
    expect(await lines("WEB-2")).toEqual([
      ["link_removed", "in", "WEB-1"],
      ["link_added", "in", "WEB-1"],
      created_line,
    ]);
  });

  test("an invalid link is rejected", async () => {
    const here = await twoProjects();
    const { owner, other } = here;
    const stranger = await other();
    const { data: foreign } = await stranger.owner.post("P/issues", { title: "x" }).expect(201);
    const own = await read(here, "WEB-1");
    const path = "P/issues/WEB-1/links";
    for (const target_key of ["WEB-1", own.id.toUpperCase()]) {
      await owner.post(path, { kind: "relates_to", target_key }).expect(400, "link_self");
    }
    for (const target_key of [foreign.id, "WEB-99", "NONE-1", "nothing", "WEB-", "0"]) {
      const reply = await owner.post(path, { kind: "blocks", target_key }).expect(400, "invalid_reference");
      expect(reply.body.error.details).toMatchObject({ path: "/target_key", value: target_key });
    }
    await owner.post(path, { kind: "blocks" }).expect(400, "validation_failed");
    await owner.post(path, { kind: "likes", target_key: "WEB-2" }).expect(400, "validation_failed");
    await owner.post(path, { kind: "blocks", direction: "up", target_key: "WEB-2" }).expect(400, "validation_failed");
    await owner.delete(`${path}/${own.id}`).expect(404);
    await owner.delete(`${path}/x`).expect(404);
    await here.sql(`update issue set link_count = 500 where id = $1`, [own.id]);
    await link(here, "WEB-2", "blocks", "WEB-1").expect(409, "link_limit_reached");
    await here.sql(`update issue set link_count = 0 where id = $1`, [own.id]);
    await expectSoundLinks(here);
  });

  test("archived issues cannot be linked, but their links can be deleted", async () => {
    const here = await twoProjects();
    const { owner } = here;
    const { data } = await link(here, "WEB-1", "relates_to", "OPS-1").expect(201);
    await owner.delete(at("OPS-1")).expect(200);
    await link(here, "WEB-2", "blocks", "OPS-1").expect(409, "archived");
    await link(here, "OPS-1", "blocks", "WEB-2").expect(409, "archived");
    await owner.delete("W/projects/OPS").expect(200);
    await link(here, "WEB-1", "blocks", "OPS-2").expect(409, "archived");
    expect(await linksOf(here, "WEB-1")).toHaveLength(1);
    await owner.delete(`P/issues/WEB-1/links/${data.id}`).expect(200);
    await expectSoundLinks(here);
  });
});

describe("across projects", () => {
  test("a link to a project that the caller cannot see is hidden", async () => {
    const here = await twoProjects();
    const { as, keyFor, owner, sql, ops } = here;
    await sql(`update project set scoped = true where id = $1`, [ops.id]);
    const outsider = await as({ role: "member" });
    const guest = await as({ role: "guest", projectRole: "member" });
    const limited = await keyFor(owner, { projectIds: [here.project.id] });
    const { data } = await link(here, "WEB-1", "blocks", "OPS-1").expect(201);
    await link(here, "WEB-1", "relates_to", "WEB-2").expect(201);
    for (const client of [outsider, guest, limited]) {
      expect((await client.get("P/issues/WEB-1/links").expect(200)).data).toMatchObject([{ target_key: "WEB-2" }]);
    }
    for (const client of [outsider, limited]) {
      await client.delete(`P/issues/WEB-1/links/${data.id}`).expect(404);
      const body = { kind: "duplicates", target_key: "OPS-1" };
      await client.post("P/issues/WEB-1/links", body).expect(400, "invalid_reference");
    }
    // Neither the event nor the history of one project tells of the other.
    const [one] = await sql<{ id: string }>(`select id from issue where key = 'WEB-1' and workspace_id = $1`, [
      here.workspace.id,
    ]);
    expect((await eventsOf(here, one!.id, "issue.link.created"))[0]).toMatchObject({ project_id: null, data });
    const activity = await outsider.get("P/issues/WEB-1/activity").expect(200);
    expect(activity.text).not.toContain("OPS");
    const updates = await eventsOf(here, one!.id, "issue.updated");
    expect(JSON.stringify(updates)).not.toContain("OPS");
  });

  test("a viewer of the other project changes nothing there", async () => {
    const here = await twoProjects();
    const { as, sql, workspace, ops } = here;
    const viewer = await as({ role: "member" });
    await sql(
      `insert into project_member (project_id, user_id, workspace_id, role, added_at) values ($1, $2, $3, 'viewer', now())`,
      [ops.id, viewer.userId, workspace.id],
    );
    const { data } = await link(here, "WEB-1", "blocks", "OPS-1").expect(201);
    await viewer.post("P/issues/WEB-1/links", { kind: "blocks", target_key: "OPS-2" }).expect(403, "insufficient_role");
    await viewer.delete(`P/issues/WEB-1/links/${data.id}`).expect(403, "insufficient_role");
    expect((await viewer.get("P/issues/WEB-1/links").expect(200)).data).toHaveLength(1);
  });
});

describe("cycles", () => {
  test("of blocking issues are refused, and the error names the path", async () => {
    const here = await twoProjects(4);
    const { owner } = here;
    const way = ["WEB-1", "OPS-1", "WEB-2", "OPS-2"];
    for (const [n, key] of way.slice(1).entries()) await link(here, way[n]!, "blocks", key).expect(201);
    await link(here, "WEB-1", "blocks", "WEB-2").expect(201);
    const ids = await Promise.all(["WEB-1", "WEB-2", "OPS-2"].map(async (key) => (await read(here, key)).id));
    const refused = await link(here, "OPS-2", "blocks", "WEB-1").expect(400, "link_cycle");
    expect(refused.body.error.details).toEqual({ path: "/target_key", cycle: ids });
    const turned = { kind: "blocks", direction: "in", target_key: "OPS-2" };
    await owner.post("P/issues/WEB-1/links", turned).expect(400, "link_cycle");
    await link(here, "OPS-1", "blocks", "WEB-1").expect(400, "link_cycle");
    // Other kinds mean no order.
    await link(here, "OPS-2", "duplicates", "WEB-1").expect(201);
    await link(here, "OPS-2", "relates_to", "WEB-1").expect(201);
    await expectSoundLinks(here);
  });

  test("that only concurrent links together would close are refused, too", async () => {
    const here = await twoProjects(4);
    const ring = ["WEB-1", "OPS-1", "WEB-2", "OPS-2", "WEB-3", "OPS-3", "WEB-4", "OPS-4"];
    const replies = await Promise.all(
      ring.map((key, n) => link(here, key, "blocks", ring[(n + 1) % ring.length]!).then((reply) => reply)),
    );
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.code)).toEqual(["link_cycle"]);
    await expectSoundLinks(here);

    const pairs = Array.from({ length: 4 }, (_, n) => [`WEB-${n + 1}`, `OPS-${n + 1}`]);
    await here.sql(`delete from issue_link where workspace_id = $1`, [here.workspace.id]);
    await here.sql(`update issue set link_count = 0, open_blocker_count = 0 where workspace_id = $1`, [
      here.workspace.id,
    ]);
    const both = await Promise.all(
      pairs.flatMap(([a, b]) => [link(here, a!, "blocks", b!), link(here, b!, "blocks", a!)]),
    );
    expect(both.filter(({ status }) => status === 201)).toHaveLength(4);
    await expectSoundLinks(here);
  });

  test("that concurrent links would close across four projects are refused without a deadlock", async () => {
    const here = await world();
    const { owner } = here;
    const projects = ["AA", "BB", "CC", "DD"];
    for (const key of projects) {
      await owner.post("W/projects", { name: key, key }).expect(201);
      const items = Array.from({ length: 12 }, () => ({ title: "x" }));
      await owner.post(`W/projects/${key}/issues/bulk`, { items }).expect(201);
    }
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
    for (const n of numbers) {
      await link(here, `BB-${n}`, "blocks", `CC-${n}`).expect(201);
      await link(here, `DD-${n}`, "blocks", `AA-${n}`).expect(201);
    }
    const closing = numbers.flatMap((n) => [
      link(here, `AA-${n}`, "blocks", `BB-${n}`),
      link(here, `CC-${n}`, "blocks", `DD-${n}`),
    ]);
    const replies = await Promise.all(closing);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(12);
    await expectSoundLinks(here);
  });
});

describe("blockers", () => {
  const isBlocked = async (here: World, key: string) => (await read(here, key)).is_blocked;

  test("an issue is blocked while one of its blockers is open and live", async () => {
    const here = await twoProjects();
    const { owner, columns } = here;
    await link(here, "WEB-1", "blocks", "OPS-1").expect(201);
    await link(here, "WEB-2", "blocks", "OPS-1").expect(201);
    const move = (key: string, status: string) => owner.post(`${at(key)}/transition`, { status }).expect(200);
    await move("WEB-1", "done");
    expect(await isBlocked(here, "OPS-1")).toBe(true);
    await move("WEB-2", "cancelled");
    expect(await isBlocked(here, "OPS-1")).toBe(false);
    await move("WEB-2", "done");
    await move("WEB-2", "in_progress");
    expect(await isBlocked(here, "OPS-1")).toBe(true);
    await owner.delete(at("WEB-2")).expect(200);
    expect(await isBlocked(here, "OPS-1")).toBe(false);
    await owner.post(`${at("WEB-2")}/restore`).expect(200);
    expect(await isBlocked(here, "OPS-1")).toBe(true);
    await expectSoundLinks(here);

    // The whole column closes, opens and goes.
    await owner.patch(`P/statuses/${columns["In Progress"]}`, { category: "done" }).expect(200);
    expect(await isBlocked(here, "OPS-1")).toBe(false);
    await owner.patch(`P/statuses/${columns["In Progress"]}`, { category: "in_review" }).expect(200);
    expect(await isBlocked(here, "OPS-1")).toBe(true);
    await expectSoundLinks(here);
    await owner.delete(`P/statuses/${columns["In Progress"]}`).expect(200);
    expect(await isBlocked(here, "OPS-1")).toBe(false);
    await owner.post(`${at("WEB-2")}/restore`).expect(200);
    expect(await isBlocked(here, "OPS-1")).toBe(true);
    await expectSoundLinks(here);

    // A closed issue blocks nothing.
    await link(here, "WEB-1", "blocks", "OPS-2").expect(201);
    expect(await isBlocked(here, "OPS-2")).toBe(false);
    await move("WEB-1", "todo");
    expect(await isBlocked(here, "OPS-2")).toBe(true);
    await expectSoundLinks(here);
  });

  test("each issue that becomes blocked or unblocked has an event with the view that GET returns", async () => {
    const here = await twoProjects();
    const { owner, ops } = here;
    await link(here, "WEB-1", "blocks", "OPS-1").expect(201);
    await link(here, "WEB-1", "blocks", "WEB-2").expect(201);
    await link(here, "OPS-3", "blocks", "WEB-2").expect(201);
    const before = await read(here, "OPS-1");
    await owner.post(`${at("WEB-1")}/transition`, { status: "done" }).expect(200);
    const after = await read(here, "OPS-1");
    expect(after.version).toBe(before.version + 1);
    expect((await eventsOf(here, before.id, "issue.updated")).at(-1)).toEqual({
      type: "issue.updated",
      project_id: ops.id,
      data: after,
      previous: { is_blocked: true },
      changed: ["is_blocked"],
    });
    // One of two blockers is deleted, which is not visible here.
    const still = await read(here, "WEB-2");
    expect(still.is_blocked).toBe(true);
    expect((await eventsOf(here, still.id, "issue.updated")).filter((e) => e.changed?.[0] === "is_blocked")).toEqual(
      [],
    );
  });

  test("a board that enforces blockers allows no blocked issue to be started or done", async () => {
    const here = await twoProjects();
    const { owner } = here;
    await owner.patch("P", { enforce_blockers: true }).expect(200);
    await link(here, "OPS-1", "blocks", "WEB-1").expect(201);
    for (const status of ["in_progress", "in_review", "done"]) {
      const reply = await owner.post("P/issues/WEB-1/transition", { status }).expect(409, "open_blockers");
      expect(reply.body.error.details).toEqual({ open_blockers: 1, blocked_by: ["OPS-1"] });
      await owner.patch("P/issues/WEB-1", { status }).expect(409, "open_blockers");
    }
    await owner.post("P/issues/WEB-1/transition", { status: "cancelled" }).expect(200);
    await owner.post("P/issues/WEB-1/transition", { status: "todo" }).expect(200);
    await owner.post(`${at("OPS-1")}/transition`, { status: "done" }).expect(200);
    await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(200);
  });

  test("moving a column of many blockers updates all blocked issues", async () => {
    const here = await twoProjects(1);
    const { owner, sql, workspace, columns } = here;
    for (const place of ["P", "W/projects/OPS"]) {
      for (let n = 0; n < 6; n++) {
        const items = Array.from({ length: 50 }, () => ({ title: "x" }));
        await owner.post(`${place}/issues/bulk`, { items }).expect(201);
      }
    }
    await sql(
      `with made as (
         insert into issue_link (id, workspace_id, kind, source_id, source_project_id, target_id, target_project_id,
                                 created_by, created_at)
         select gen_random_uuid(), $1, 'blocks', s.id, s.project_id, t.id, t.project_id, $2, now()
         from issue s join issue t on t.number = s.number and t.key like 'OPS-%' and t.workspace_id = $1
         where s.workspace_id = $1 and s.key like 'WEB-%')
       update issue set link_count = 1, open_blocker_count = (key like 'OPS-%')::int where workspace_id = $1`,
      [workspace.id, owner.userId],
    );
    await owner.patch(`P/statuses/${columns["To Do"]}`, { category: "done" }).expect(200);
    await drain();
    const [told] = await sql(
      `select count(*) as events, count(distinct issue_id) as issues from event
       where workspace_id = $1 and type = 'issue.updated' and changed = '{is_blocked}'`,
      [workspace.id],
    );
    expect(told).toEqual({ events: 301, issues: 301 });
    await expectSoundLinks(here);
  });

  test("closing issues that block each other concurrently never deadlocks", async () => {
    const here = await twoProjects(12);
    const { owner } = here;
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
    // Each of WEB-13 to WEB-24 holds up an older issue of its own project and one of the other, which holds up the first.
    const items = numbers.map((n) => ({ title: `Blocker ${n}` }));
    await owner.post("P/issues/bulk", { items }).expect(201);
    for (const n of numbers) {
      await link(here, `WEB-${n + 12}`, "blocks", `WEB-${n}`).expect(201);
      await link(here, `WEB-${n + 12}`, "blocks", `OPS-${n}`).expect(201);
      await link(here, `OPS-${n}`, "blocks", `WEB-${n}`).expect(201);
    }
    for (const status of ["done", "todo", "done", "todo"]) {
      const moves = numbers.flatMap((n) =>
        [`OPS-${n}`, `WEB-${n + 12}`].map((key) => owner.post(`${at(key)}/transition`, { status })),
      );
      for (const reply of await Promise.all(moves)) expect(reply.status, reply.text).toBe(200);
    }
    await expectSoundLinks(here);
  });

  test("concurrent moves, links and column changes of two projects never deadlock", async () => {
    const here = await twoProjects(6);
    const { owner, columns } = here;
    const keys = ["WEB", "OPS"].flatMap((project) => Array.from({ length: 6 }, (_, n) => `${project}-${n + 1}`));
    for (let n = 2; n <= 6; n++) await owner.patch(at(`WEB-${n}`), { parent: "WEB-1" }).expect(200);
    const pick = (n: number) => keys[n % keys.length]!;
    for (let round = 0; round < 4; round++) {
      const calls = Array.from({ length: 40 }, (_, n) => {
        const [a, b] = [pick(n * 5 + round), pick(n * 7 + 3 + round)];
        if (n % 4 === 0) return link(here, a, "blocks", b);
        if (n % 4 === 1) return owner.post(`${at(a)}/transition`, { status: n % 8 === 1 ? "done" : "todo" });
        if (n % 4 === 2) return owner.post(`${at(a)}/comments`, { body_md: "x" });
        return n % 8 === 3 ? owner.delete(at(a)) : owner.post(`${at(a)}/restore`);
      });
      const column = owner.patch(`P/statuses/${columns.Done}`, { category: round % 2 ? "done" : "todo" });
      for (const reply of await Promise.all([...calls, column])) {
        expect([200, 201, 400, 409], reply.text).toContain(reply.status);
      }
    }
    await expectSoundLinks(here);
  });
});
