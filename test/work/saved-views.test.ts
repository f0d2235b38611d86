import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";

const path = "P/saved-views";
const namesFor = async (client: Client) =>
  (await client.get(path).expect(200)).data.map(({ name }: { name: string }) => name);

test("a view is saved, changed and deleted, and its filter is stored as sent", async () => {
  const { owner } = await world();
  const filter = { z: 1, a: { "2": [null, "ü", 1.5], "1": true }, statuses: ["todo"], q: "" };
  const { data } = await owner
    .post(path, { name: " Mine ", filter, layout: "List", group_by: "assignee", columns: ["status", "due"] })
    .expect(201);
  expect(data).toEqual({
    id: expect.any(String),
    name: "Mine",
    filter,
    is_shared: true,
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    project_key: "WEB",
    layout: "list",
    group_by: "assignee",
    columns: ["status", "due"],
  });
  const { body, text } = await owner.get(path).expect(200);
  expect(body).toEqual({ data: [data], pagination: { next_cursor: null } });
  expect(text).toContain('"z":1,"a":{');

  expect((await owner.patch(`${path}/${data.id}`, { name: "Mine", filter }).expect(200)).data).toEqual(data);
  const { z, a, ...others } = filter;
  const reordered = { ...others, a: { "1": true, "2": a["2"] }, z };
  expect((await owner.patch(`${path}/${data.id}`, { filter: reordered }).expect(200)).data).toEqual(data);
  const changed = (await owner.patch(`${path}/${data.id}`, { filter: [1], group_by: null }).expect(200)).data;
  expect(changed).toEqual({ ...data, filter: [1], group_by: null, updated_at: expect.any(String) });
  expect(changed.updated_at > data.updated_at).toBe(true);
  expect((await owner.get(path).expect(200)).data).toEqual([changed]);
  expect((await owner.delete(`${path}/${data.id}`).expect(200)).data).toEqual({ id: data.id, deleted: true });
  await owner.delete(`${path}/${data.id}`).expect(404);
  await owner.patch(`${path}/${data.id}`, {}).expect(404);
});

test("a filter is any JSON of up to 16 KiB", async () => {
  const { owner } = await world();
  const defaults = { filter: {}, is_shared: true, layout: "board", group_by: null, columns: [] };
  expect((await owner.post(path, { name: "x" }).expect(201)).data).toMatchObject(defaults);
  for (const filter of [null, 0, "text", false, [], [[[]]], { a: { b: {} } }, "ü".repeat(8191)]) {
    const { data } = await owner.post(path, { name: "x", filter }).expect(201);
    expect(data.filter).toEqual(filter);
    expect((await owner.patch(`${path}/${data.id}`, { filter: null }).expect(200)).data.filter).toBeNull();
  }
  for (const filter of ["ü".repeat(8192), Array(9000).fill(1)]) {
    const reply = await owner.post(path, { name: "x", filter }).expect(400, "validation_failed");
    expect(reply.body.error.details.errors).toMatchObject([{ path: "/filter", code: "too_long" }]);
  }
  for (const body of [{}, { name: " " }, { name: "x".repeat(81) }, { name: "x", layout: "cube" }]) {
    await owner.post(path, body).expect(400, "validation_failed");
  }
  await owner.post(path, { name: "x", columns: Array(31).fill("a") }).expect(400, "validation_failed");
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
