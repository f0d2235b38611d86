import { expect, test } from "vitest";
import { SavedViewIds } from "../../migrations/0072-saved-view-ids.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";

const path = "P/saved-views";
const namesFor = async (client: Client) =>
  (await client.get(path).expect(200)).data.map(({ name }: { name: string }) => name);

test("a view is saved, changed and deleted", async () => {
  const { owner } = await world();
  const filter = { statuses: ["todo"], q: "", issueTypes: ["bug"], assigneeId: null };
  const { data } = await owner
    .post(path, { name: " Mine ", filter, layout: "List", group_by: "assignee", columns: ["status", "due"] })
    .expect(201);
  expect(data).toEqual({
    id: expect.any(String),
    name: "Mine",
    filter,
    filter_names: {},
    filter_deleted: [],
    is_shared: true,
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    project_key: "WEB",
    layout: "list",
    group_by: "assignee",
    columns: ["status", "due"],
  });
  const { body } = await owner.get(path).expect(200);
  expect(body).toEqual({ data: [data], pagination: { next_cursor: null } });

  expect((await owner.patch(`${path}/${data.id}`, { name: "Mine", filter }).expect(200)).data).toEqual(data);
  const { q, ...others } = filter;
  expect((await owner.patch(`${path}/${data.id}`, { filter: { q, ...others } }).expect(200)).data).toEqual(data);
  const changed = (await owner.patch(`${path}/${data.id}`, { filter: {}, group_by: null }).expect(200)).data;
  expect(changed).toEqual({ ...data, filter: {}, group_by: null, updated_at: expect.any(String) });
  expect(changed.updated_at > data.updated_at).toBe(true);
  expect((await owner.get(path).expect(200)).data).toEqual([changed]);
  expect((await owner.delete(`${path}/${data.id}`).expect(200)).data).toEqual({ id: data.id, deleted: true });
  await owner.delete(`${path}/${data.id}`).expect(404);
  await owner.patch(`${path}/${data.id}`, {}).expect(404);
});

test("a filter refuses what it does not know, and says what was meant", async () => {
  const { owner } = await world();
  const defaults = { filter: {}, is_shared: true, layout: "board", group_by: null, columns: [] };
  expect((await owner.post(path, { name: "x" }).expect(201)).data).toMatchObject(defaults);
  for (const filter of [null, 0, "text", false, [], { issueTypes: "bug" }, { priorities: ["x"] }, { sort: "mood" }]) {
    await owner.post(path, { name: "x", filter }).expect(filter === null ? 201 : 400);
  }
  const misspelt = await owner.post(path, { name: "x", filter: { status: ["todo"] } }).expect(400, "unknown_field");
  expect(misspelt.body.error.details).toMatchObject({ path: "/filter/status", did_you_mean: "statuses" });
  const large = { labels: Array.from({ length: 100 }, (_, n) => `${n} ${"ü".repeat(100)}`) };
  const reply = await owner.post(path, { name: "x", filter: large }).expect(400, "validation_failed");
  expect(reply.body.error.details.errors).toMatchObject([{ path: "/filter", code: "too_long" }]);
  for (const body of [{}, { name: " " }, { name: "x".repeat(81) }, { name: "x", layout: "cube" }]) {
    await owner.post(path, body).expect(400, "validation_failed");
  }
  await owner.post(path, { name: "x", columns: Array(31).fill("a") }).expect(400, "validation_failed");

  await owner.post("P/labels", { name: "Backend" }).expect(201);
  const refused = async (filter: object) =>
    (await owner.post(path, { name: "x", filter }).expect(400, "invalid_reference")).body.error.details;
  expect(await refused({ statuses: ["todo", "In Progres"] })).toMatchObject({
    ...{ path: "/filter/statuses/1", value: "In Progres", did_you_mean: "In Progress" },
    allowed: ["Backlog", "To Do", "In Progress", "In Review", "Done", "Cancelled"],
  });
  expect(await refused({ labels: ["Bakend"] })).toMatchObject({ did_you_mean: "Backend", allowed: ["Backend"] });
  expect(await refused({ assigneeId: "nobody@x.test" })).toMatchObject({ path: "/filter/assigneeId" });
  expect(await refused({ sprintId: "S1" })).toMatchObject({ path: "/filter/sprintId" });
  expect(await refused({ milestoneId: newId() })).toMatchObject({ path: "/filter/milestoneId" });
});

test("a filter names columns and labels by id: renaming changes nothing, and deleted ones are told", async () => {
  const { owner, columns } = await world();
  const review = columns["In Review"]!;
  const { data: label } = await owner.post("P/labels", { name: "red" }).expect(201);
  const { data: blue } = await owner.post("P/labels", { name: "blue" }).expect(201);
  const { data: sprint } = await owner.post("P/sprints", { name: "One" }).expect(201);
  const issue = { status_id: review, labels: ["red"], sprint_id: sprint.id };
  await owner.post("P/issues", { title: "found", ...issue }).expect(201);
  await owner.post("P/issues", { title: "other" }).expect(201);
  const sent = {
    statuses: ["In Review", "done", "IN REVIEW"],
    labels: ["RED", blue],
    sprintId: sprint.id.toUpperCase(),
  };
  const { data: view } = await owner.post(path, { name: "V", filter: sent }).expect(201);
  const filter = { statuses: ["in_review", "done"], labels: [label.id, blue.id], sprintId: sprint.id };
  expect(view.filter).toEqual({ ...filter, statuses: [review, "done", "in_review"] });
  expect(view.filter_names).toEqual({
    [review]: "In Review",
    [label.id]: "red",
    [blue.id]: "blue",
    [sprint.id]: "One",
  });
  const found = async () => {
    const { body } = await owner.get(`P/issues?view=${view.id}`).expect(200);
    return { titles: body.data.map(({ title }: { title: string }) => title), warnings: body.warnings };
  };
  expect(await found()).toEqual({ titles: ["found"] });

  await owner.patch(`P/statuses/${review}`, { name: "Checking" }).expect(200);
  await owner.patch(`P/labels/${label.id}`, { name: "crimson" }).expect(200);
  expect(await found()).toEqual({ titles: ["found"] });
  const shown = async () => (await owner.get(path).expect(200)).data[0];
  expect(await shown()).toMatchObject({
    filter: view.filter,
    filter_names: { [review]: "Checking", [label.id]: "crimson" },
    filter_deleted: [],
  });

  await owner.delete(`P/labels/${blue.id}`).expect(200);
  expect(await shown()).toMatchObject({ filter: view.filter, filter_deleted: [blue.id] });
  expect(await found()).toMatchObject({
    titles: ["found"],
    warnings: [{ code: "view_names_deleted", parameter: "view", ids: [blue.id] }],
  });
  await owner.delete(`P/labels/${label.id}`).expect(200);
  expect(await found()).toMatchObject({ titles: [], warnings: [{ ids: [label.id, blue.id] }] });
  // What it had before may stay. A deleted label that is new to the view is refused.
  await owner.patch(`${path}/${view.id}`, { filter: { ...view.filter, q: "found" } }).expect(200);
  await owner.post(path, { name: "x", filter: view.filter }).expect(400, "invalid_reference");
});

test("a filter names custom fields by id, and refuses values that they cannot have", async () => {
  const { owner } = await world();
  const { data: field } = await owner.post("P/custom-field-defs", { name: "Budget", kind: "number" }).expect(201);
  await owner.post("P/issues", { title: "found", custom_fields: { Budget: 5 } }).expect(201);
  await owner.post("P/issues", { title: "other" }).expect(201);
  const { data: view } = await owner
    .post(path, { name: "V", filter: { customFields: { budget: "1..9" } } })
    .expect(201);
  expect(view).toMatchObject({
    filter: { customFields: { [field.id]: "1..9" } },
    filter_names: { [field.id]: "Budget" },
  });
  await owner.patch(`P/custom-field-defs/${field.id}`, { name: "Cost" }).expect(200);
  const found = async () => (await owner.get(`P/issues?view=${view.id}`).expect(200)).body;
  expect((await found()).data).toMatchObject([{ title: "found" }]);
  for (const customFields of [{ Budget: 1 }, { Cost: "much" }]) {
    const { body } = await owner.post(path, { name: "x", filter: { customFields } }).expect(400, "validation_failed");
    expect(body.error.details.errors).toMatchObject([{ path: "/filter/customFields", code: "not_allowed" }]);
  }
  await owner.delete(`P/custom-field-defs/${field.id}`).expect(200);
  expect(await found()).toMatchObject({ data: [], warnings: [{ code: "view_names_deleted", ids: [field.id] }] });
  const { data } = await owner.patch(`${path}/${view.id}`, { filter: { ...view.filter, q: "x" } }).expect(200);
  expect(data).toMatchObject({ filter: { ...view.filter, q: "x" }, filter_deleted: [field.id] });
});

test("values of custom fields in a shared view tell guests neither addresses nor hidden projects", async () => {
  const { owner, as, keyFor, project } = await world();
  const field = async (name: string, kind: string): Promise<string> =>
    (await owner.post("P/custom-field-defs", { name, kind }).expect(201)).data.id;
  const [person, place] = [await field("Buyer", "user"), await field("Place", "project")];
  const hidden = (await owner.post("W/projects", { name: "Hidden", key: "HID" }).expect(201)).data;
  const ann = await as({ role: "member" });
  const values = { Buyer: ann.userId, Place: hidden.id };
  await owner.post("P/issues", { title: "found", custom_fields: values }).expect(201);
  const customFields = { Buyer: `${ann.email},none`, place: ["hid"] };
  const { data: view } = await owner.post(path, { name: "V", filter: { customFields } }).expect(201);
  expect(view.filter.customFields).toEqual({ [person]: `${ann.userId},none`, [place]: [hidden.id] });
  await owner
    .post(path, { name: "x", filter: { customFields: { Buyer: "nobody@example.com" } } })
    .expect(400, "validation_failed");

  const guest = await as({ role: "guest", projectRole: "member" });
  const { data: seen } = await guest.get(path).expect(200);
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toMatch(/@|hid"/i);
  expect((await guest.get(`P/issues?view=${view.id}`).expect(200)).data).toMatchObject([{ title: "found" }]);

  // Nor does a key that is limited to projects learn of others, or save a view that names one.
  const limited = await keyFor(owner, { projectIds: [project.id] });
  const { data: read } = await limited.get(path).expect(200);
  expect(JSON.stringify(read)).not.toMatch(/@|hid"/i);
  for (const named of ["hid", "Hidden"]) {
    const filter = { customFields: { place: [named] } };
    await limited.post(path, { name: "x", filter }).expect(400, "validation_failed");
  }
});

test("a category in a filter stays one when a column gets its name", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "category", status: "in_review" }).expect(201);
  const { data: view } = await owner.post(path, { name: "V", filter: { statuses: ["in_review"] } }).expect(201);
  const column = { name: "in_review", color: "#112233", category: "backlog" };
  await owner.post("P/statuses", column).expect(201);
  const { data } = await owner.get(`P/issues?view=${view.id}`).expect(200);
  expect(data).toMatchObject([{ title: "category" }]);
  const { data: exact } = await owner.get("P/issues?status=in_review").expect(200);
  expect(exact).toEqual([]);
});

test("names in filters that were saved before become ids", async () => {
  const { owner, sql, columns } = await world();
  const { data: label } = await owner.post("P/labels", { name: "red" }).expect(201);
  const old: [string, unknown][] = [
    [
      '{"z":1,"statuses":["in review","Done","Gone",7],"labels":["RED",null],"q":"x"}',
      { z: 1, statuses: ["in review", "Done", "Gone", 7], labels: [label.id, null], q: "x" },
    ],
    ['{"statuses":["Checking"],"labels":"red"}', { statuses: [columns["In Review"]], labels: "red" }],
    [JSON.stringify({ assigneeId: owner.email.toUpperCase() }), { assigneeId: owner.userId }],
    ['{"assigneeId":"me","labels":[]}', { assigneeId: "me", labels: [] }],
    ['"labels"', "labels"],
    ['{"labels":["\\u0000"]}', { labels: ["\0"] }],
    ['{"labels":["\\ud800"]}', { labels: ["\ud800"] }],
    ["null", null],
  ];
  await owner.patch(`P/statuses/${columns["In Review"]}`, { name: "Checking" }).expect(200);
  for (const [filter, expected] of old) {
    const { data: view } = await owner.post(path, { name: "x" }).expect(201);
    await sql("update saved_view set filter = $2::json where id = $1", [view.id, filter]);
    await sql(SavedViewIds.statement);
    const [row] = (await owner.get(path).expect(200)).data;
    expect(row.filter).toEqual(expected);
    await owner.delete(`${path}/${view.id}`).expect(200);
  }
});

test("everyone sees shared views, and only their owner sees private ones", async () => {
  const { owner, as, other } = await world();
  const [anna, ben] = [await as({ role: "member" }), await as({ role: "member" })];
  const lead = await as({ role: "member", projectRole: "admin" });
  const { data: shared } = await anna.post(path, { name: "shared" }).expect(201);
  const { data: own } = await anna.post(path, { name: "own", is_shared: false }).expect(201);
  expect(await namesFor(anna)).toEqual(["own", "shared"]);
  for (const client of [owner, ben, lead]) {
    expect(await namesFor(client)).toEqual(["shared"]);
    await client.patch(`${path}/${own.id}`, { name: "x" }).expect(404);
    await client.delete(`${path}/${own.id}`).expect(404);
  }
  await ben.patch(`${path}/${shared.id}`, { name: "x" }).expect(403, "not_owner_of_resource");
  await ben.delete(`${path}/${shared.id}`).expect(403, "not_owner_of_resource");
  for (const [client, name] of [[owner, "a"] as const, [lead, "b"] as const, [anna, "c"] as const]) {
    expect((await client.patch(`${path}/${shared.id}`, { name }).expect(200)).data.name).toBe(name);
  }
  await lead.patch(`${path}/${shared.id}`, { is_shared: false }).expect(200);
  expect(await namesFor(ben)).toEqual([]);
  await lead.delete(`${path}/${shared.id}`).expect(404);
  await (await other()).owner.patch(`${path}/${own.id}`, { name: "x" }).expect(404);
});

test("viewers can save only private views", async () => {
  const { as, sql } = await world();
  const viewers = [
    await as({ role: "viewer" }),
    await as({ role: "guest", projectRole: "viewer" }),
    await as({ role: "member", projectRole: "viewer" }),
  ];
  for (const client of viewers) {
    await client.post(path, { name: "x" }).expect(403, "insufficient_role");
    const { data } = await client.post(path, { name: "mine", is_shared: false }).expect(201);
    await client.patch(`${path}/${data.id}`, { is_shared: true }).expect(403, "insufficient_role");
    await client.patch(`${path}/${data.id}`, { name: "ours" }).expect(200);
    expect(await namesFor(client)).toEqual(["ours"]);
  }
  const guest = await as({ role: "guest", projectRole: "member" });
  const { data } = await guest.post(path, { name: "for all" }).expect(201);
  await sql(`update project_member set role = 'viewer' where user_id = $1`, [guest.userId]);
  await guest.patch(`${path}/${data.id}`, { name: "x" }).expect(403, "insufficient_role");
  await (await as({ role: "guest" })).get(path).expect(404);
});

test("at most a hundred of each kind exist, even if created concurrently", async () => {
  const { owner, as, sql, project, workspace } = await world();
  const fill = (userId: string, shared: boolean) =>
    sql(
      `insert into saved_view (id, workspace_id, project_id, name, filter, is_shared, layout, columns, created_by, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'x', '{}', $4, 'board', '{}', $3, now(), now() from generate_series(1, 97)`,
      [workspace.id, project.id, userId, shared],
    );
  await fill(owner.userId, true);
  await fill(owner.userId, false);
  for (const is_shared of [true, false]) {
    const replies = await Promise.all(Array.from({ length: 8 }, () => owner.post(path, { name: "y", is_shared })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply.body).toMatchObject({ status: 409, code: "view_limit_reached" });
    }
  }
  const { data } = await (await as({ role: "member" })).post(path, { name: "z", is_shared: false }).expect(201);
  expect(data.name).toBe("z");
  await owner.delete("P").expect(200);
  await owner.post(path, { name: "y" }).expect(409, "archived");
});
