import { describe, expect, test } from "vitest";
import type { Reply } from "../support/client.ts";
import { eventsOf } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { waitersFor } from "../support/locks.ts";
import { type World, world } from "../support/world.ts";

type Status = {
  id: string;
  name: string;
  category: string;
  rank: string;
  is_default: boolean;
  issue_count: number;
};

const board = async ({ owner }: World): Promise<Status[]> => (await owner.get("P/statuses").expect(200)).data;
const names = async (here: World) => (await board(here)).map((status) => status.name);

const DEFAULT = ["Backlog", "To Do", "In Progress", "In Review", "Done", "Cancelled"];

describe("listing", () => {
  test("all columns are returned in order, without paging", async () => {
    const here = await world();
    const { body } = await here.owner.get("P/statuses").expect(200);
    expect(body.pagination).toEqual({ next_cursor: null });
    expect(body.data.map((status: Status) => status.name)).toEqual(DEFAULT);
    expect(body.data[1]).toEqual({
      id: here.columns["To Do"],
      name: "To Do",
      color: "#64748b",
      category: "todo",
      rank: "a2",
      wip_limit: null,
      is_default: true,
      issue_count: 0,
      description: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  test("all who can see the project see its columns; only editors change them", async () => {
    const { as, other, columns } = await world();
    const viewer = await as({ role: "viewer" });
    await viewer.get("P/statuses").expect(200);
    await (await as({ role: "guest" })).get("P/statuses").expect(404);
    for (const client of [viewer, await as({ role: "member", projectRole: "viewer" })]) {
      await client.post("P/statuses", { name: "x" }).expect(403);
      await client.patch(`P/statuses/${columns.Done}`, { name: "x" }).expect(403);
      await client.delete(`P/statuses/${columns.Done}`).expect(403);
    }
    const foreign = (await other()).owner;
    await foreign.patch(`P/statuses/${columns.Done}`, { name: "x" }).expect(404);
    await foreign.delete(`P/statuses/${columns.Done}`).expect(404);
  });
});

describe("creating", () => {
  test("a new column comes after those of its category, or at the category's usual position", async () => {
    const here = await world();
    const { owner } = here;
    const { data } = await owner.post("P/statuses", { name: " Ready ", color: "#abcdef" }).expect(201);
    expect(data).toMatchObject({
      name: "Ready",
      color: "#abcdef",
      category: "todo",
      is_default: false,
      issue_count: 0,
    });
    await owner
      .post("P/statuses", { name: "Broken", category: "failed", wip_limit: 3, description: "Why?" })
      .expect(201);
    expect(await names(here)).toEqual([
      "Backlog",
      "To Do",
      "Ready",
      "In Progress",
      "In Review",
      "Done",
      "Broken",
      "Cancelled",
    ]);
    expect((await board(here))[6]).toMatchObject({ category: "failed", wip_limit: 3, description: "Why?" });
    expect(await eventsOf(here, "status.%")).toMatchObject([
      { type: "status.created", data },
      { type: "status.created" },
    ]);
  });

  test("a position can be given by rank or by a neighbour", async () => {
    const here = await world();
    const { owner, columns } = here;
    await owner.post("P/statuses", { name: "A", before: columns.Backlog }).expect(201);
    await owner.post("P/statuses", { name: "B", after: columns.Done!.toUpperCase() }).expect(201);
    await owner.post("P/statuses", { name: "C", rank: "a25" }).expect(201);
    expect(await names(here)).toEqual([
      "A",
      "Backlog",
      "To Do",
      "C",
      "In Progress",
      "In Review",
      "Done",
      "B",
      "Cancelled",
    ]);
    await owner.post("P/statuses", { name: "D", before: "nothing" }).expect(400, "invalid_reference");
    const two = { before: columns.Done, after: columns.Done };
    await owner.post("P/statuses", { name: "D", ...two }).expect(400, "mutually_exclusive");
    await owner.post("P/statuses", { name: "D", rank: "a20" }).expect(400, "validation_failed");
    await owner.post("P/statuses", { name: "D", rank: "!" }).expect(400, "validation_failed");
  });

  test("an invalid column is refused, and a name is unique on a board", async () => {
    const { owner, columns } = await world();
    const refusals: [object, string][] = [
      [{}, "required"],
      [{ name: " " }, "too_short"],
      [{ name: "x".repeat(81) }, "too_long"],
      [{ name: "x", color: "blue" }, "pattern"],
      [{ name: "x", category: "waiting" }, "not_allowed"],
      [{ name: "x", wip_limit: 0 }, "too_small"],
      [{ name: "x", wip_limit: 1000 }, "too_large"],
      [{ name: "x", description: "x".repeat(201) }, "too_long"],
    ];
    for (const [body, code] of refusals) {
      const reply = await owner.post("P/statuses", body).expect(400, "validation_failed");
      expect(reply.body.error.details.errors).toMatchObject([{ code }]);
    }
    const taken = await owner.post("P/statuses", { name: "dONE" }).expect(409, "already_exists");
    expect(taken.body.error.details).toMatchObject({ existing_id: columns.Done, path: "/name" });
  });

  test("of 13 parallel creates on a board of six, six succeed", async () => {
    const here = await world();
    const replies = await Promise.all(
      Array.from({ length: 13 }, (_, n) => here.owner.post("P/statuses", { name: `New ${n}` })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(6);
    for (const reply of replies.filter((one) => one.status !== 201)) {
      expect([reply.status, reply.body.code]).toEqual([409, "status_limit_reached"]);
    }
    const columns = await board(here);
    expect(columns).toHaveLength(12);
    expect(new Set(columns.map((status) => status.rank)).size).toBe(12);
  });

  test("of parallel creates with one name, one succeeds", async () => {
    const { owner } = await world();
    const replies = await Promise.all(
      ["Ready", "READY", "ready", "Ready"].map((name) => owner.post("P/statuses", { name })),
    );
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  test("many columns inserted between the same two neighbours keep their order", async () => {
    const here = await world();
    const { owner, columns } = here;
    await owner.delete(`P/statuses/${columns.Cancelled}`).expect(200);
    await owner.delete(`P/statuses/${columns.Backlog}`).expect(200);
    for (let round = 0; round < 45; round++) {
      const { data } = await owner.post("P/statuses", { name: "Squeezed", after: columns["To Do"] }).expect(201);
      await owner.patch(`P/statuses/${columns["To Do"]}`, { after: data.id }).expect(200);
      expect((await names(here)).slice(0, 2)).toEqual(["Squeezed", "To Do"]);
      await owner.delete(`P/statuses/${data.id}`).expect(200);
    }
    for (const { rank } of await board(here)) expect(rank.length).toBeLessThanOrEqual(40);
  });
});

describe("changing", () => {
  test("fields are changed and recorded; the same values again are no change", async () => {
    const here = await world();
    const { owner, columns } = here;
    const before = (await board(here))[2];
    const body = { name: "Doing", color: "#0000ff", wip_limit: 4, description: "Now", before: columns["To Do"] };
    const { data } = await owner.patch(`P/statuses/${columns["In Progress"]}`, body).expect(200);
    expect(data).toMatchObject({ name: "Doing", color: "#0000ff", wip_limit: 4, description: "Now" });
    expect(await names(here)).toEqual(["Backlog", "Doing", "To Do", "In Review", "Done", "Cancelled"]);
    const { before: _, ...plain } = body;
    const again = { ...plain, rank: data.rank };
    expect((await owner.patch(`P/statuses/${columns["In Progress"]}`, body).expect(200)).data).toEqual(data);
    expect((await owner.patch(`P/statuses/${columns["In Progress"]}`, again).expect(200)).data).toEqual(data);
    expect((await owner.patch(`P/statuses/${columns["In Progress"]}`, {}).expect(200)).data).toEqual(data);
    const [event, ...more] = await eventsOf(here, "status.%");
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: "status.updated", data });
    expect(event?.changed?.toSorted()).toEqual(["color", "description", "name", "rank", "wip_limit"]);
    expect(event?.previous).toEqual({
      name: before?.name,
      rank: before?.rank,
      color: "#64748b",
      wip_limit: null,
      description: null,
    });

    const cleared = { wip_limit: null, description: null };
    expect((await owner.patch(`P/statuses/${data.id}`, cleared).expect(200)).data).toMatchObject(cleared);
  });

  test("a name may change its case, but not become another column's", async () => {
    const { owner, columns } = await world();
    expect((await owner.patch(`P/statuses/${columns.Done}`, { name: "DONE" }).expect(200)).data.name).toBe("DONE");
    await owner.patch(`P/statuses/${columns.Done}`, { name: "backlog" }).expect(409, "already_exists");
    await owner.patch(`P/statuses/${columns.Done}`, { before: columns.Done }).expect(400, "invalid_reference");
    await owner.patch("P/statuses/nonsense", { name: "x" }).expect(404, "not_found");
  });

  test("the default moves to another column, and there always is one", async () => {
    const here = await world();
    const { owner, columns } = here;
    await owner.patch(`P/statuses/${columns["To Do"]}`, { is_default: false }).expect(400, "validation_failed");
    await owner.patch(`P/statuses/${columns.Backlog}`, { is_default: false }).expect(200);
    const { data } = await owner.patch(`P/statuses/${columns.Backlog}`, { is_default: true }).expect(200);
    expect(data.is_default).toBe(true);
    await owner.patch(`P/statuses/${columns.Backlog}`, { is_default: true }).expect(200);
    expect((await board(here)).filter((status) => status.is_default)).toMatchObject([{ id: columns.Backlog }]);
    expect((await owner.get("P").expect(200)).data.default_status_id).toBe(columns.Backlog);
    expect((await owner.post("P/issues", { title: "x" }).expect(201)).data.status_id).toBe(columns.Backlog);
    expect(await eventsOf(here, "status.%")).toMatchObject([
      { type: "status.updated", changed: ["is_default"], previous: { is_default: false } },
    ]);
    const { data: added } = await owner.post("P/statuses", { name: "New", is_default: true }).expect(201);
    const project = (await owner.get("P").expect(200)).data;
    expect(project.default_status_id).toBe(added.id);
    const changes = await eventsOf(here, "project.updated");
    expect(changes).toMatchObject([
      { changed: ["default_status_id"], previous: { default_status_id: columns["To Do"] } },
      { changed: ["default_status_id"], previous: { default_status_id: columns.Backlog }, data: project },
    ]);
  });
});

describe("a new category", () => {
  test("applies to all issues of the column, with stamps, counts, events and history", async () => {
    const here = await world();
    const { owner, columns } = here;
    const parent = (await owner.post("P/issues", { title: "Parent" }).expect(201)).data;
    const status_id = columns["In Review"];
    await owner.post("P/issues/bulk", {
      items: Array.from({ length: 3 }, (_, n) => ({ title: `Child ${n}`, status_id, parent: parent.key })),
    });
    const gone = (await owner.post("P/issues", { title: "Gone", status_id, parent: parent.key }).expect(201)).data;
    await owner.delete(`P/issues/${gone.key}`).expect(200);

    await owner.patch(`P/statuses/${status_id}`, { category: "done", name: "Reviewed" }).expect(200);
    const moved = (await owner.get(`P/issues?status=${status_id}`).expect(200)).data;
    expect(moved).toHaveLength(3);
    for (const issue of moved) {
      expect(issue).toMatchObject({ status: "done", status_name: "Reviewed", version: 2 });
      expect(issue.resolved_at).toBe(issue.updated_at);
      expect(issue.started_at).toBe(issue.created_at);
      const events = (await eventsOf(here, "issue.%")).filter(
        (event) => event.issue_id === issue.id && event.type !== "issue.created",
      );
      const changed = ["status", "resolved_at"];
      const expected = { data: issue, previous: { status: "in_review", resolved_at: null }, changed };
      expect(events).toMatchObject([
        { type: "issue.status_changed", ...expected },
        { type: "issue.updated", ...expected },
      ]);
      const [line] = (await owner.get(`P/issues/${issue.key}/activity`).expect(200)).data;
      expect(line).toMatchObject({
        kind: "status_changed",
        actor_id: owner.userId,
        payload: {
          field: "status",
          from: "in_review",
          to: "done",
          from_id: status_id,
          to_id: status_id,
          from_name: "In Review",
          to_name: "Reviewed",
        },
      });
    }
    expect((await owner.get(`P/issues/${parent.key}`).expect(200)).data.children).toEqual({
      total: 3,
      done: 3,
      cancelled: 0,
    });
    expect((await owner.get(`P/issues/${gone.key}`).expect(200)).data).toMatchObject({
      status: "in_review",
      version: 2,
    });
    expect((await owner.get("P").expect(200)).data.issue_counts).toMatchObject({ in_review: 0, done: 3 });
    expect((await eventsOf(here, "status.updated")).map((event) => event.changed)).toEqual([["name", "category"]]);

    await owner.patch(`P/statuses/${status_id}`, { category: "todo" }).expect(200);
    const reopened = (await owner.get(`P/issues?status=${status_id}`).expect(200)).data;
    for (const { event, issue } of (await eventsOf(here, "issue.updated"))
      .slice(-3)
      .map((event) => ({ event, issue: moved.find(({ id }: { id: string }) => id === event.issue_id) }))) {
      expect(event).toMatchObject({
        changed: ["status", "resolved_at"],
        previous: { status: "done", resolved_at: issue.resolved_at },
      });
    }
    expect(reopened).toMatchObject(
      moved.map(({ id, started_at }: { id: string; started_at: string }) => ({ id, started_at, resolved_at: null })),
    );
    expect((await owner.get(`P/issues/${parent.key}`).expect(200)).data.children).toEqual({
      total: 3,
      done: 0,
      cancelled: 0,
    });
  });

  test("that is closed as well keeps the time of resolution; one of work in progress stamps the start", async () => {
    const here = await world();
    const { owner, columns } = here;
    const { data } = await owner.post("P/issues", { title: "x", status_id: columns.Cancelled }).expect(201);
    expect(data).toMatchObject({ resolved_at: data.created_at, started_at: null });
    await owner.patch(`P/statuses/${columns.Cancelled}`, { category: "failed" }).expect(200);
    expect((await owner.get(`P/issues/${data.key}`).expect(200)).data).toMatchObject({
      status: "failed",
      resolved_at: data.resolved_at,
    });
    await owner.patch(`P/statuses/${columns.Cancelled}`, { category: "in_progress" }).expect(200);
    const started = (await owner.get(`P/issues/${data.key}`).expect(200)).data;
    expect(started).toMatchObject({ status: "in_progress", resolved_at: null, started_at: started.updated_at });
    expect(await eventsOf(here, "issue.updated")).toMatchObject([
      { changed: ["status"], previous: { status: "cancelled" } },
      {
        changed: ["status", "resolved_at", "started_at"],
        previous: { status: "failed", resolved_at: data.resolved_at, started_at: null },
      },
    ]);
  });

  test("applies to a parent and its children in the same column", async () => {
    const { owner, columns } = await world();
    await owner.post("P/issues/bulk", {
      items: [{ title: "Parent" }, { title: "Child", parent: "#0" }, { title: "Grandchild", parent: "#1" }],
    });
    await owner.patch(`P/statuses/${columns["To Do"]}`, { category: "done" }).expect(200);
    const { data } = await owner.get("P/issues").expect(200);
    expect(data).toMatchObject([
      { status: "done", children: { total: 1, done: 1, cancelled: 0 } },
      { status: "done", children: { total: 1, done: 1, cancelled: 0 } },
      { status: "done", children: { total: 0, done: 0, cancelled: 0 } },
    ]);
  });

  test("applies to all issues of a large column, and so does its deletion", async () => {
    const here = await world();
    const { owner, columns, sql, project } = here;
    const many = 1_050;
    for (let done = 0; done < many; done += 50) {
      const items = Array.from({ length: 50 }, (_, n) => ({ title: `Issue ${done + n}`, status_id: columns["To Do"] }));
      await owner.post("P/issues/bulk", { items }).expect(201);
    }
    await owner.patch(`P/statuses/${columns["To Do"]}`, { category: "in_progress" }).expect(200);
    await drain();
    const count = async (type: string) =>
      (
        await sql<{ events: number; issues: number }>(
          `select count(*) as events, count(distinct issue_id) as issues from event where project_id = $1 and type = $2`,
          [project.id, type],
        )
      )[0];
    const each = { events: many, issues: many };
    expect(await count("issue.status_changed")).toEqual(each);
    expect(await count("issue.updated")).toEqual(each);
    const { data } = await owner.delete(`P/statuses/${columns["To Do"]}`).expect(200);
    expect(data.issues_deleted).toBe(many);
    await drain();
    expect(await count("issue.archived")).toEqual(each);
    expect((await owner.get("P/issues").expect(200)).data).toEqual([]);
    const [lines] = await sql<{ lines: number }>(
      `select count(*) as lines from activity where project_id = $1 and kind in ('status_changed', 'archived')`,
      [project.id],
    );
    expect(lines).toEqual({ lines: 2 * many });
  });
});

describe("deleting", () => {
  test("archives the column's issues, one event each, and corrects all counts", async () => {
    const here = await world();
    const { owner, columns } = here;
    const parent = (await owner.post("P/issues", { title: "Parent" }).expect(201)).data;
    for (const column of ["Done", "Done", "In Progress"]) {
      await owner.post("P/issues", { title: column, status_id: columns[column], parent: parent.key }).expect(201);
    }
    const earlier = (await owner.post("P/issues", { title: "Earlier", status_id: columns.Done }).expect(201)).data;
    await owner.delete(`P/issues/${earlier.key}`).expect(200);
    const last = (await board(here)).find((status) => status.name === "Done");

    const { data } = await owner.delete(`P/statuses/${columns.Done}`).expect(200);
    expect(data).toEqual({ id: columns.Done, deleted: true, issues_deleted: 2 });
    expect(await names(here)).toEqual(DEFAULT.filter((name) => name !== "Done"));
    await owner.delete(`P/statuses/${columns.Done}`).expect(404, "not_found");
    await owner.patch(`P/statuses/${columns.Done}`, { name: "x" }).expect(404, "not_found");

    const archived = (await owner.get("P/issues?archived=true").expect(200)).data;
    expect(archived.map((issue: { key: string }) => issue.key).toSorted()).toEqual(["WEB-2", "WEB-3", earlier.key]);
    for (const issue of archived.filter((one: { key: string }) => one.key !== earlier.key)) {
      expect(issue).toMatchObject({
        archived_reason: "status_deleted",
        status: "done",
        status_id: null,
        status_name: null,
        version: 2,
      });
      expect(issue.archived_at).toBe(issue.updated_at);
      const [line] = (await owner.get(`P/issues/${issue.key}/activity`).expect(200)).data;
      expect(line).toMatchObject({ kind: "archived", payload: { reason: "status_deleted", status_name: "Done" } });
    }
    const events = (await eventsOf(here, "%")).filter((event) => event.type !== "issue.created").slice(1);
    expect(events.map((event) => event.type)).toEqual(["status.deleted", "issue.archived", "issue.archived"]);
    expect(events[0]?.data).toEqual(last);
    for (const { issue_id, data: seen } of events.slice(1)) {
      expect(seen).toEqual((await owner.get(`P/issues/${issue_id}`).expect(200)).data);
    }
    expect((await owner.get(`P/issues/${parent.key}`).expect(200)).data.children).toEqual({
      total: 1,
      done: 0,
      cancelled: 0,
    });
    expect((await owner.get("P").expect(200)).data.issue_counts).toMatchObject({ todo: 1, in_progress: 1, done: 0 });
    await owner.post("P/statuses", { name: "Done", category: "done" }).expect(201);
  });

  test("passes the default on, and removes the column from the board's rules", async () => {
    const here = await world();
    const { owner, columns } = here;
    const [backlog, todo, doing] = ["Backlog", "To Do", "In Progress"].map((name) => columns[name]!) as [
      string,
      string,
      string,
    ];
    await owner.patch("P", { transition_rules: { [todo]: [doing], [doing]: [todo, backlog], [backlog]: [todo] } });
    await owner.delete(`P/statuses/${todo}`).expect(200);
    const project = (await owner.get("P").expect(200)).data;
    expect(project).toMatchObject({
      default_status_id: backlog,
      transition_rules: { [doing]: [backlog], [backlog]: [] },
    });
    expect((await board(here))[0]).toMatchObject({ id: backlog, is_default: true });
    await owner.patch("P", { transition_rules: project.transition_rules }).expect(200);
    expect((await owner.post("P/issues", { title: "x" }).expect(201)).data.status_id).toBe(backlog);

    await owner.patch("P", { transition_rules: { [doing]: [backlog] } }).expect(200);
    await owner.delete(`P/statuses/${doing}`).expect(200);
    expect((await owner.get("P").expect(200)).data.transition_rules).toBeNull();
    const changes = (await eventsOf(here, "project.updated")).filter((event) => !event.previous?.name);
    expect(changes.map((event) => event.changed?.toSorted())).toEqual([
      ["transition_rules"],
      ["default_status_id", "transition_rules"],
      ["transition_rules"],
      ["transition_rules"],
    ]);
    expect(changes[1]).toMatchObject({ data: project, previous: { default_status_id: todo } });

    const [review, done] = [columns["In Review"]!, columns.Done!];
    await owner.patch("P", { transition_rules: { [backlog]: [review], [review]: [done], [done]: [] } }).expect(200);
    await owner.delete(`P/statuses/${columns.Cancelled}`).expect(200);
    await owner.delete(`P/statuses/${review}`).expect(200);
    // Backlog allowed a move to the deleted column only. It allows none now, rather than all.
    expect((await owner.get("P").expect(200)).data.transition_rules).toEqual({ [backlog]: [], [done]: [] });
    const move = owner.post("P/issues/WEB-1/transition", { status_id: done });
    const { body } = await move.expect(409, "transition_not_allowed");
    expect(body.error).toMatchObject({
      message: expect.stringContaining("transition_rules"),
      details: { allowed: [] },
    });
    await owner.patch("P", { transition_rules: { [backlog]: [done] } }).expect(200);
    await owner.post("P/issues/WEB-1/transition", { status_id: done }).expect(200);
  });

  test("of a rule's only target stays closed to columns that are added later", async () => {
    const { owner, columns } = await world();
    await owner.post("P/issues", { title: "x" }).expect(201);
    await owner.patch("P", { transition_rules: { [columns["To Do"]!]: [columns["In Review"]] } }).expect(200);
    await owner.delete(`P/statuses/${columns["In Review"]}`).expect(200);
    await owner.post("P/statuses", { name: "In Review", category: "in_review" }).expect(201);
    await owner.post("P/issues/WEB-1/transition", { status: "in_review" }).expect(409, "transition_not_allowed");
    // The rules name no deleted column, so they can be sent back.
    const { transition_rules } = (await owner.get("P").expect(200)).data;
    expect(transition_rules).toEqual({ [columns["To Do"]!]: [] });
    await owner.patch("P", { transition_rules }).expect(200);
    const gone = { [columns["To Do"]!]: [columns["In Review"]] };
    await owner.patch("P", { transition_rules: gone }).expect(400, "invalid_reference");
  });

  test("refuses the last column, even if the last two are deleted at once", async () => {
    const here = await world();
    const { owner } = here;
    const replies = await Promise.all(Object.values(here.columns).map((id) => owner.delete(`P/statuses/${id}`)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(5);
    expect(replies.filter((reply) => reply.body.code === "last_status")).toHaveLength(1);
    expect(await board(here)).toMatchObject([{ is_default: true }]);
  });

  test("lets its issues be restored to the first column of their category, else to the default one", async () => {
    const here = await world();
    const { owner, columns } = here;
    const later = (await owner.post("P/statuses", { name: "Really done", category: "done" }).expect(201)).data;
    const parent = (await owner.post("P/issues", { title: "Parent" }).expect(201)).data;
    const make = async (status_id: string | undefined) =>
      (await owner.post("P/issues", { title: "x", status_id, parent: parent.key }).expect(201)).data;
    const done = await make(columns.Done);
    const doing = await make(columns["In Progress"]);
    await owner.delete(`P/statuses/${columns.Done}`).expect(200);
    await owner.delete(`P/statuses/${columns["In Progress"]}`).expect(200);
    expect((await owner.get(`P/issues/${parent.key}`).expect(200)).data.children).toEqual({
      total: 0,
      done: 0,
      cancelled: 0,
    });

    expect((await owner.post(`P/issues/${done.key}/restore`).expect(200)).data).toMatchObject({
      status: "done",
      status_id: later.id,
      archived_at: null,
      archived_reason: null,
      resolved_at: done.resolved_at,
    });
    expect((await owner.post(`P/issues/${doing.key}/restore`).expect(200)).data).toMatchObject({
      status: "todo",
      status_id: columns["To Do"],
    });
    expect((await owner.get(`P/issues/${parent.key}`).expect(200)).data.children).toEqual({
      total: 2,
      done: 1,
      cancelled: 0,
    });
    const counts = Object.fromEntries((await board(here)).map((status) => [status.name, status.issue_count]));
    expect(counts).toEqual({ Backlog: 0, "To Do": 2, "In Review": 0, "Really done": 1, Cancelled: 0 });
  });
});

describe("a board that changes while issues come and go", () => {
  /** Invariants of every board, whatever runs concurrently. */
  async function expectConsistent({ sql, project }: World) {
    const wrongCounts = await sql(
      `select s.name, s.issue_count, count(i.id) as live from board_status s
       left join issue i on i.status_id = s.id and i.archived_at is null
       where s.project_id = $1 group by s.id having s.issue_count <> count(i.id)`,
      [project.id],
    );
    expect(wrongCounts).toEqual([]);
    const lost = await sql(
      `select i.key, i.status, s.category, s.deleted_at from issue i join board_status s on s.id = i.status_id
       where i.project_id = $1 and i.archived_at is null and (s.deleted_at is not null or s.category <> i.status)`,
      [project.id],
    );
    expect(lost).toEqual([]);
    const wrongChildren = await sql(
      `select p.key, p.child_count, p.child_done_count from issue p
       left join issue c on c.parent_id = p.id and c.archived_at is null
       where p.project_id = $1 group by p.id
       having p.child_count <> count(c.id) or p.child_done_count <> count(c.id) filter (where c.status = 'done')`,
      [project.id],
    );
    expect(wrongChildren).toEqual([]);
  }

  test("parallel changes of the project and of its columns never deadlock", async () => {
    const here = await world();
    const { owner, columns, sql } = here;
    const ids = Object.values(columns);
    for (let round = 0; round < 4; round++) {
      const calls = ids.flatMap((id, n) => [
        owner.patch("P", { name: `Site ${round} ${n}`, wip_mode: n % 2 ? "warn" : "off" }),
        owner.patch(`P/statuses/${id}`, { is_default: true, description: `${round}` }),
        owner.patch("P", { default_status_id: ids[(n + round) % ids.length], transition_rules: { [id]: ids } }),
        owner.patch(`P/statuses/${id}`, { wip_limit: round + 1 }),
      ]);
      for (const reply of await Promise.all(calls)) expect(reply.status, reply.text).toBe(200);
    }
    expect((await board(here)).filter((status) => status.is_default)).toHaveLength(1);
    const [seen] = await sql<{ deadlocks: number }>(
      `select deadlocks from pg_stat_database where datname = current_database()`,
    );
    expect(seen?.deadlocks).toBe(0);
  });

  test("50 parallel creates, while columns are added, renamed, moved and made default", async () => {
    const here = await world();
    const { owner, columns } = here;
    const creates = Array.from({ length: 50 }, (_, n) => owner.post("P/issues", { title: `Issue ${n}` }));
    const changes = [
      owner.post("P/statuses", { name: "New" }),
      owner.patch(`P/statuses/${columns["To Do"]}`, { name: "Open" }),
      owner.patch(`P/statuses/${columns["To Do"]}`, { after: columns.Done }),
      owner.patch(`P/statuses/${columns.Backlog}`, { is_default: true }),
      owner.patch("P", { default_status_id: columns["In Progress"] }),
    ];
    for (const reply of await Promise.all(creates)) expect(reply.status, reply.text).toBe(201);
    for (const reply of await Promise.all(changes)) expect(reply.status, reply.text).toBeLessThan(300);
    await expectConsistent(here);
    expect((await board(here)).reduce((sum, status) => sum + status.issue_count, 0)).toBe(50);
  });

  test("issues that move out of a column while it is deleted are either moved or archived", async () => {
    const here = await world();
    const { owner, columns } = here;
    const items = Array.from({ length: 30 }, (_, n) => ({ title: `Issue ${n}`, ...(n > 0 ? { parent: "#0" } : {}) }));
    await owner.post("P/issues/bulk", { items }).expect(201);
    const moves = Array.from({ length: 30 }, (_, n) =>
      owner.post(`P/issues/WEB-${n + 1}/transition`, { status: n % 2 ? "done" : "in_progress" }),
    );
    const deletion = owner.delete(`P/statuses/${columns["To Do"]}`);
    for (const reply of await Promise.all(moves)) expect([200, 409], reply.text).toContain(reply.status);
    await deletion.expect(200);
    await expectConsistent(here);
  });

  test("moves into a column while its category changes end in the new one", async () => {
    const here = await world();
    const { owner, columns } = here;
    await owner.post("P/issues/bulk", { items: Array.from({ length: 30 }, (_, n) => ({ title: `Issue ${n}` })) });
    const status_id = columns["In Progress"];
    const moves = Array.from({ length: 30 }, (_, n) => owner.patch(`P/issues/WEB-${n + 1}`, { status_id }));
    const changes = ["done", "failed", "in_review"].map((category) =>
      owner.patch(`P/statuses/${status_id}`, { category }),
    );
    for (const reply of await Promise.all([...moves, ...changes])) expect(reply.status, reply.text).toBe(200);
    await expectConsistent(here);
  });

  test.each([
    ["deleted", (here: World, path: string) => here.owner.delete(path), { status: "backlog", status_name: "Backlog" }],
    [
      "recategorised",
      (here: World, path: string) => here.owner.patch(path, { category: "done" }),
      { status: "done", status_name: "To Do", resolved_at: expect.any(String) },
    ],
  ])(
    "an issue whose column is %s while it waits to be created goes where new issues go by then",
    async (_, change, expected) => {
      const here = await world();
      const { owner, columns, app, project } = here;
      const parent = (await owner.post("P/issues", { title: "Parent", status_id: columns["In Review"] }).expect(201))
        .data;
      let waiting: PromiseLike<Reply>[] = [];
      await app.resources.database.transaction(async (tx) => {
        await tx.query({ text: `select 1 from issue_counter where project_id = $1 for update` }, [project.id]);
        waiting = [change(here, `P/statuses/${columns["To Do"]}`)];
        await waitersFor(here, 1);
        waiting.push(owner.post("P/issues", { title: "Late", parent: parent.key }));
        await waitersFor(here, 2);
      });
      const [changed, created] = await Promise.all(waiting);
      expect(changed?.status).toBe(200);
      expect(created?.data).toMatchObject({ key: "WEB-2", ...expected });
      expect((await owner.get("P/issues/WEB-2").expect(200)).data).toEqual(created?.data);
      expect((await eventsOf(here, "issue.created")).at(-1)?.data).toEqual(created?.data);
      await expectConsistent(here);
    },
  );

  test("50 parallel creates, while their column changes its category and is deleted", async () => {
    const here = await world();
    const { owner, columns } = here;
    const creates = Array.from({ length: 50 }, (_, n) => owner.post("P/issues", { title: `Issue ${n}` }));
    const status = `P/statuses/${columns["To Do"]}`;
    const changes = owner
      .patch(status, { category: "in_progress" })
      .then(() => owner.patch(status, { category: "backlog" }))
      .then(() => owner.delete(status));
    for (const reply of await Promise.all(creates)) expect(reply.status, reply.text).toBe(201);
    expect((await changes).status).toBe(200);
    await expectConsistent(here);
  });
});
