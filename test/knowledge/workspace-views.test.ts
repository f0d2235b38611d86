import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";

const path = "W/views";
const everything = {
  projectIds: [] as string[],
  statuses: [] as string[],
  priorities: [] as string[],
  types: [] as string[],
  assigneeId: null as string | null,
  sort: "updated_desc",
};
const namesFor = async (client: Client) =>
  (await client.get(path).expect(200)).data.map(({ name }: { name: string }) => name);
const titlesOf = async (client: Client, id: string) =>
  (await client.get(`${path}/${id}/issues`).expect(200)).data.map(({ title }: { title: string }) => title);

test("a view is saved, read, changed and deleted", async () => {
  const { owner, project } = await world();
  const filter = { ...everything, projectIds: [project.id], statuses: ["todo"], sort: "due_asc" };
  const { data } = await owner.post(path, { name: " Mine ", filter, layout: "Board", columns: ["key"] }).expect(201);
  expect(data).toEqual({
    id: expect.any(String),
    name: "Mine",
    filter,
    is_shared: true,
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    layout: "board",
    group_by: null,
    columns: ["key"],
  });
  expect((await owner.get(path).expect(200)).body).toEqual({ data: [data], pagination: { next_cursor: null } });
  expect((await owner.get(`${path}/${data.id}`).expect(200)).data).toEqual(data);
  expect((await owner.patch(`${path}/${data.id}`, data).expect(200)).data).toEqual(data);

  const changes = { name: "Ours", filter: { ...filter, sort: "created_desc" }, group_by: "type", is_shared: false };
  const changed = (await owner.patch(`${path}/${data.id}`, changes).expect(200)).data;
  expect(changed).toEqual({ ...data, ...changes, updated_at: expect.any(String) });
  expect(changed.updated_at > data.updated_at).toBe(true);
  expect((await owner.delete(`${path}/${data.id}`).expect(200)).data).toEqual({ id: data.id, deleted: true });
  for (const suffix of ["", "/issues"]) await owner.get(`${path}/${data.id}${suffix}`).expect(404);
  await owner.patch(`${path}/${data.id}`, {}).expect(404);
  await owner.delete(`${path}/${data.id}`).expect(404);
  await owner.delete(`${path}/x`).expect(404);
});

test("a filter has all six fields, and nothing else", async () => {
  const { owner, project } = await world();
  const { data } = await owner.post(path, { name: "x" }).expect(201);
  expect(data).toMatchObject({ filter: everything, is_shared: true, layout: "list", group_by: null, columns: [] });
  const send = (filter: unknown) => [
    owner.post(path, { name: "x", filter }),
    owner.patch(`${path}/${data.id}`, { filter }),
  ];
  for (const field of Object.keys(everything)) {
    const { [field as "sort"]: _, ...others } = everything;
    for (const reply of send(others)) {
      const { body } = await reply.expect(400, "validation_failed");
      expect(body.error.details.errors).toMatchObject([{ path: `/filter/${field}` }]);
    }
  }
  for (const reply of send({ ...everything, labels: [] })) {
    const { body } = await reply.expect(400);
    expect(body.error.details.errors).toMatchObject([{ code: "unknown_field", path: "/filter/labels" }]);
  }
  for (const wrong of [
    { statuses: ["open"] },
    { priorities: ["p1"] },
    { types: ["story", "saga"] },
    { sort: "rank" },
    { sort: null },
    { projectIds: null },
    { statuses: "todo" },
  ]) {
    for (const reply of send({ ...everything, ...wrong })) await reply.expect(400, "validation_failed");
  }
  for (const wrong of [
    { projectIds: [project.id, "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a01"] },
    { projectIds: ["NONE"] },
    { assigneeId: "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a01" },
    { assigneeId: "nobody@example.test" },
    { assigneeId: "none" },
  ]) {
    for (const reply of send({ ...everything, ...wrong })) await reply.expect(400, "invalid_reference");
  }
  for (const filter of [null, [], "todo", {}])
    for (const reply of send(filter)) {
      const { status } = await reply;
      // `null` on creation means absent, as for every optional field.
      expect([filter, status]).toEqual([filter, filter === null && status === 201 ? 201 : 400]);
    }
});

test("other spellings are stored in one form", async () => {
  const { owner, project } = await world();
  const filter = {
    projectIds: ["web", project.id],
    statuses: ["In Progress", "canceled", "todo", "todo"],
    priorities: ["Urgent"],
    types: ["BUG"],
    assigneeId: owner.email,
    sort: "Priority-Desc",
  };
  const { data } = await owner.post(path, { name: "x", filter }).expect(201);
  expect(data.filter).toEqual({
    projectIds: [project.id],
    statuses: ["in_progress", "cancelled", "todo"],
    priorities: ["critical"],
    types: ["bug"],
    assigneeId: owner.userId,
    sort: "priority_desc",
  });
});

test("members see shared views and their own; only the creator and admins change them", async () => {
  const { owner, as, other } = await world();
  const [anna, ben, admin] = [await as({ role: "member" }), await as({ role: "member" }), await as({ role: "admin" })];
  const { data: shared } = await anna.post(path, { name: "shared" }).expect(201);
  const { data: own } = await anna.post(path, { name: "own", is_shared: false }).expect(201);
  expect(await namesFor(anna)).toEqual(["own", "shared"]);
  for (const client of [owner, admin, ben]) {
    expect(await namesFor(client)).toEqual(["shared"]);
    for (const suffix of ["", "/issues"]) await client.get(`${path}/${own.id}${suffix}`).expect(404);
    await client.patch(`${path}/${own.id}`, { name: "x" }).expect(404);
    await client.delete(`${path}/${own.id}`).expect(404);
  }
  await ben.patch(`${path}/${shared.id}`, { name: "x" }).expect(403, "not_owner_of_resource");
  await ben.delete(`${path}/${shared.id}`).expect(403, "not_owner_of_resource");
  for (const [client, name] of [[owner, "a"] as const, [admin, "b"] as const, [anna, "c"] as const]) {
    expect((await client.patch(`${path}/${shared.id}`, { name }).expect(200)).data.name).toBe(name);
  }
  await admin.patch(`${path}/${shared.id}`, { is_shared: false }).expect(200);
  expect(await namesFor(admin)).toEqual([]);
  await admin.delete(`${path}/${shared.id}`).expect(404);
  const { owner: stranger } = await other();
  for (const suffix of ["", "/issues"]) await stranger.get(`${path}/${shared.id}${suffix}`).expect(404);
  await stranger.delete(`${path}/${shared.id}`).expect(404);
});

test("viewers and guests save only views of their own, and guests see no others", async () => {
  const { owner, as, keyFor, project } = await world();
  const { data: shared } = await owner.post(path, { name: "shared" }).expect(201);
  await owner.post("P/issues", { title: "Here" }).expect(201);
  for (const [role, sees] of [["viewer", ["mine", "shared"]] as const, ["guest", ["mine"]] as const]) {
    const client = await as({ role, projectRole: "viewer" });
    await client.post(path, { name: "x" }).expect(403, "insufficient_role");
    const { data } = await client.post(path, { name: "mine", is_shared: false }).expect(201);
    await client.patch(`${path}/${data.id}`, { is_shared: true }).expect(403, "insufficient_role");
    expect(await namesFor(client)).toEqual(sees);
    expect(await titlesOf(client, data.id)).toEqual(["Here"]);
    for (const suffix of ["", "/issues"]) {
      await client.get(`${path}/${shared.id}${suffix}`).expect(role === "guest" ? 404 : 200);
    }
    await client.patch(`${path}/${shared.id}`, {}).expect(role === "guest" ? 404 : 403);
    await client.delete(`${path}/${data.id}`).expect(200);
  }
  // A member who became a guest keeps what they created.
  const limited = await keyFor(owner, { projectIds: [project.id] });
  await limited.get(path).expect(403, "key_project_limit");
  await limited.get(`${path}/${shared.id}`).expect(403, "key_project_limit");
  await limited.post(path, { name: "z" }).expect(403, "key_project_limit");
  await limited.patch(`${path}/${shared.id}`, { name: "z" }).expect(403, "key_project_limit");
  await limited.get(`${path}/${shared.id}/issues`).expect(403, "key_project_limit");
});

test("a view names no project that its reader cannot see, and shows none of its issues", async () => {
  const here = await world();
  const { owner, as, sql, project } = here;
  const hidden = await here.hidden();
  await hidden.owner.post("P/issues", { title: "Secret" }).expect(201);
  await owner.post("P/issues", { title: "Open" }).expect(201);
  const anna = await as({ role: "member" });
  await anna.post(path, { name: "x", filter: { ...everything, projectIds: ["HID"] } }).expect(400, "invalid_reference");

  const both = { ...everything, projectIds: [project.id, hidden.project.id] };
  const { data: view } = await owner.post(path, { name: "both", filter: both }).expect(201);
  const { data: only } = await owner
    .post(path, { name: "only", filter: { ...everything, projectIds: [hidden.project.id] } })
    .expect(201);
  const { data: all } = await owner.post(path, { name: "all" }).expect(201);
  const seen = await anna.get(path).expect(200);
  expect(seen.text).not.toContain(hidden.project.id);
  expect(seen.data.map(({ filter }: { filter: typeof both }) => filter.projectIds)).toEqual([[], [], [project.id]]);
  expect((await anna.get(`${path}/${view.id}`).expect(200)).data.filter.projectIds).toEqual([project.id]);
  expect(await titlesOf(anna, view.id)).toEqual(["Open"]);
  // Not all projects, although its list looks empty.
  expect(await titlesOf(anna, only.id)).toEqual([]);
  expect(await titlesOf(anna, all.id)).toEqual(["Open"]);
  expect(await titlesOf(owner, all.id)).toEqual(["Open", "Secret"]);
  expect(await titlesOf(owner, only.id)).toEqual(["Secret"]);

  // Its creator sends back what they see after they have lost a project: the project stays in the view.
  const { data: lost } = await owner.post(path, { name: "lost", filter: both }).expect(201);
  await sql(`update workspace_view set created_by = $1 where id = $2`, [anna.userId, lost.id]);
  const shown = (await anna.get(`${path}/${lost.id}`).expect(200)).data;
  expect((await anna.patch(`${path}/${lost.id}`, shown).expect(200)).data).toEqual(shown);
  const changed = { ...shown.filter, types: ["task"] };
  expect((await anna.patch(`${path}/${lost.id}`, { filter: changed }).expect(200)).data.filter).toEqual(changed);
  expect((await owner.get(`${path}/${lost.id}`).expect(200)).data.filter.projectIds).toEqual(both.projectIds);
});

test("`me` is whoever reads the view, and people who left stay in its filter", async () => {
  const { owner, as } = await world();
  const anna = await as({ role: "member" });
  for (const client of [owner, anna]) {
    await owner.post("P/issues", { title: client.userId, assignee_ids: [client.userId] }).expect(201);
  }
  const { data } = await owner.post(path, { name: "x", filter: { ...everything, assigneeId: "ME" } }).expect(201);
  expect(data.filter.assigneeId).toBe("me");
  for (const client of [owner, anna]) expect(await titlesOf(client, data.id)).toEqual([client.userId]);

  const filter = { ...everything, assigneeId: anna.userId };
  const { data: hers } = await owner.post(path, { name: "x", filter }).expect(201);
  await owner.delete(`W/members/${anna.userId}`).expect(200);
  await owner.post(path, { name: "x", filter }).expect(400, "invalid_reference");
  await owner.patch(`${path}/${hers.id}`, { filter: { ...filter, types: ["bug"] } }).expect(200);
});

test("at most a hundred shared views and a hundred of one's own exist, even if created at once", async () => {
  const { owner, as, sql, workspace } = await world();
  const fill = (shared: boolean) =>
    sql(
      `insert into workspace_view (id, workspace_id, name, filter, is_shared, layout, columns, created_by, created_at, updated_at)
       select gen_random_uuid(), $1, 'x', $4, $3, 'list', '{}', $2, now(), now() from generate_series(1, 93)`,
      [workspace.id, owner.userId, shared, JSON.stringify(everything)],
    );
  await fill(true);
  await fill(false);
  for (const is_shared of [true, false]) {
    const replies = await Promise.all(Array.from({ length: 20 }, () => owner.post(path, { name: "y", is_shared })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(7);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply.body).toMatchObject({ status: 409, code: "view_limit_reached" });
    }
  }
  const anna = await as({ role: "member" });
  const { data } = await anna.post(path, { name: "z", is_shared: false }).expect(201);
  await anna.post(path, { name: "z" }).expect(409, "view_limit_reached");
  await anna.patch(`${path}/${data.id}`, { is_shared: true }).expect(409, "view_limit_reached");
});
