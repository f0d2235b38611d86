import { describe, expect, test } from "vitest";
import { eventsOf } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

type Label = { id: string; name: string; issue_count: number };

const labels = async ({ owner }: World): Promise<Label[]> => (await owner.get("P/labels").expect(200)).data;

describe("creating and changing", () => {
  test("labels are listed by name with the number of live issues that have them", async () => {
    const here = await world();
    const { owner } = here;
    const bug = await owner
      .post("P/labels", { name: " bug ", color: "#ff0000", description: "It is broken" })
      .expect(201);
    expect(bug.data).toEqual({
      id: expect.any(String),
      name: "bug",
      color: "#ff0000",
      description: "It is broken",
      created_at: expect.stringMatching(/Z$/),
      updated_at: bug.data.created_at,
    });
    await owner.post("P/labels", { name: "API" }).expect(201);
    await owner.post("P/labels", { name: "zebra" }).expect(201);
    const items = [
      { title: "both", labels: ["BUG", "api"] },
      { title: "one", labels: ["bug"] },
      { title: "archived", labels: ["bug"] },
      { title: "none" },
    ];
    await owner.post("P/issues/bulk", { items }).expect(201);
    await owner.delete("P/issues/WEB-3").expect(200);
    expect((await labels(here)).map(({ name, issue_count }) => [name, issue_count])).toEqual([
      ["API", 1],
      ["bug", 2],
      ["zebra", 0],
    ]);
    const first = await owner.get("P/labels?limit=2").expect(200);
    const rest = await owner.get(`P/labels?limit=2&cursor=${first.body.pagination.next_cursor}`).expect(200);
    expect(rest.data.map(({ name }: Label) => name)).toEqual(["zebra"]);
    expect(rest.body.pagination.next_cursor).toBeNull();
    expect((await owner.get("P/issues?label=Bug").expect(200)).data).toHaveLength(2);
    expect((await owner.get("P/issues/WEB-2").expect(200)).data.labels).toEqual([bug.data]);
    expect((await eventsOf(here, "label.%")).map(({ type, data }) => [type, data.name])).toEqual([
      ["label.created", "bug"],
      ["label.created", "API"],
      ["label.created", "zebra"],
    ]);
  });

  test("a name is unique within a project, whatever its case", async () => {
    const { owner, other } = await world();
    const { data } = await owner.post("P/labels", { name: "Bug" }).expect(201);
    const taken = await owner.post("P/labels", { name: "bUG" }).expect(409, "already_exists");
    expect(taken.body.error.details).toMatchObject({ existing_id: data.id, path: "/name" });
    const next = await owner.post("P/labels", { name: "other" }).expect(201);
    await owner.patch(`P/labels/${next.data.id}`, { name: "BUG" }).expect(409, "already_exists");
    expect((await owner.patch(`P/labels/${data.id}`, { name: "BUG" }).expect(200)).data.name).toBe("BUG");
    await (await other()).owner.post("P/labels", { name: "Bug" }).expect(201);
    const replies = await Promise.all(["x", "X", "x", "X"].map((name) => owner.post("P/labels", { name })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test("a change is recorded once, and the same values again are not", async () => {
    const here = await world();
    const { owner } = here;
    const { data } = await owner.post("P/labels", { name: "bug", color: "#ff0000" }).expect(201);
    const body = { name: "defect", color: "#00ff00", description: "Why?" };
    const changed = (await owner.patch(`P/labels/${data.id}`, body).expect(200)).data;
    expect(changed).toEqual({ ...data, ...body, updated_at: expect.stringMatching(/Z$/) });
    expect(changed.updated_at > data.updated_at).toBe(true);
    await owner.post("P/issues", { title: "x", labels: ["defect"] }).expect(201);
    const listed = (await owner.get("P/issues").expect(200)).data;
    for (const issue of [listed[0], (await owner.get("P/issues/WEB-1").expect(200)).data]) {
      expect(issue.labels).toEqual([changed]);
    }
    expect((await owner.patch(`P/labels/${data.id}`, body).expect(200)).data).toEqual(changed);
    await owner.patch(`P/labels/${data.id}`, {}).expect(200);
    expect(await eventsOf(here, "label.updated")).toMatchObject([
      {
        data: changed,
        previous: { name: "bug", color: "#ff0000", description: null },
        changed: ["name", "color", "description"],
      },
    ]);
    const cleared = (await owner.patch(`P/labels/${data.id}`, { description: null }).expect(200)).data;
    expect(cleared.description).toBeNull();
  });

  test("an issue has at most 50 labels, however they are added", async () => {
    const { owner } = await world();
    const names = Array.from({ length: 51 }, (_, n) => `l${n}`);
    for (const name of names) await owner.post("P/labels", { name }).expect(201);
    await owner.post("P/issues", { title: "x", labels: names.slice(0, 50) }).expect(201);
    const reply = await owner.patch("P/issues/WEB-1", { add_labels: ["l50"] }).expect(400, "validation_failed");
    expect(reply.body.error.details.errors).toMatchObject([{ path: "/add_labels", code: "too_many_items" }]);
    await owner.patch("P/issues/WEB-1", { add_labels: ["l50"], remove_labels: ["l0"] }).expect(200);
    await owner.patch("P/issues/WEB-1", { labels: names }).expect(400, "validation_failed");
  });
});

describe("deleting", () => {
  test("removes the label from all issues, including archived ones, with their events and history", async () => {
    const here = await world();
    const { owner, sql, project } = here;
    const bug = (await owner.post("P/labels", { name: "bug" }).expect(201)).data;
    const api = (await owner.post("P/labels", { name: "api" }).expect(201)).data;
    const items = Array.from({ length: 50 }, (_, n) => ({ title: `${n}`, labels: n % 2 ? ["api", "bug"] : ["bug"] }));
    // More than one part of 200.
    for (let round = 0; round < 5; round++) await owner.post("P/issues/bulk", { items }).expect(201);
    await owner.post("P/issues", { title: "without", labels: ["api"] }).expect(201);
    await owner.delete("P/issues/WEB-2").expect(200);

    expect((await owner.delete(`P/labels/${bug.id}`).expect(200)).data).toEqual({ id: bug.id, deleted: true });
    await owner.delete(`P/labels/${bug.id}`).expect(404);
    await owner.patch(`P/labels/${bug.id}`, { name: "again" }).expect(404);
    expect((await labels(here)).map(({ name, issue_count }) => [name, issue_count])).toEqual([["api", 125]]);
    // A worker changes so many.
    await drain();
    const [left] = await sql<{ left: number }>(
      `select count(*) as left from issue where project_id = $1 and label_ids @> array[$2::uuid]`,
      [project.id, bug.id],
    );
    expect(left?.left).toBe(0);
    expect((await owner.get(`P/issues?label=${bug.id}`).expect(200)).data).toEqual([]);
    expect((await owner.get("P/issues/WEB-251").expect(200)).data.version).toBe(1);

    const issue = (await owner.get("P/issues/WEB-4").expect(200)).data;
    expect(issue).toMatchObject({ labels: [api], version: 2 });
    const updates = await eventsOf(here, "issue.updated");
    expect(updates).toHaveLength(250);
    expect(updates.find(({ issue_id }) => issue_id === issue.id)).toMatchObject({
      data: issue,
      previous: { labels: [api, bug] },
      changed: ["labels"],
    });
    const [line] = (await owner.get("P/issues/WEB-4/activity").expect(200)).data;
    expect(line).toMatchObject({
      kind: "unlabelled",
      actor_id: owner.userId,
      payload: { field: "labels", from: ["bug"], from_name: "bug" },
    });
    expect(await eventsOf(here, "label.deleted")).toMatchObject([{ data: bug }]);
    expect((await owner.post("P/issues/WEB-2/restore").expect(200)).data.labels).toEqual([api]);
  });

  test("while issues are created and changed with the label, leaves none that has it", async () => {
    const { owner, project, sql } = await world();
    await owner.post("P/issues/bulk", { items: Array.from({ length: 30 }, (_, n) => ({ title: `${n}` })) }).expect(201);
    for (let round = 0; round < 5; round++) {
      const bug = (await owner.post("P/labels", { name: "bug" }).expect(201)).data;
      const changes = Array.from({ length: 30 }, (_, n) =>
        owner.patch(`P/issues/WEB-${n + 1}`, { add_labels: [bug.id], priority: "high" }),
      );
      const creates = Array.from({ length: 20 }, () => owner.post("P/issues", { title: "new", labels: [bug.id] }));
      const replies = await Promise.all([...changes, owner.delete(`P/labels/${bug.id}`), ...creates]);
      for (const { status, body } of replies) expect([200, 201, 400], JSON.stringify(body)).toContain(status);
    }
    const left = `select key from issue where project_id = $1 and label_ids <> '{}'`;
    expect(await sql(left, [project.id])).toEqual([]);
  });
});
