import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";

const path = "W/chat/channels";
const namesFor = async (client: Client, query = "") =>
  (await client.get(path + query).expect(200)).data.map(({ name }: { name: string | null }) => name);
const channel = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post(path, { name: "General", ...body }).expect(201)).data;

test("a channel is created, renamed, archived and brought back", async () => {
  const { owner } = await world();
  const data = await channel(owner, { name: " Release 2.0 ", topic: "x" });
  expect(data).toEqual({
    id: expect.any(String),
    kind: "public",
    name: "Release 2.0",
    slug: "release-2-0",
    topic: "x",
    created_by: owner.userId,
    archived_at: null,
    last_message_at: null,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    member_count: 1,
    is_member: true,
    project_id: null,
    unread_count: 0,
    my_role: "owner",
    others: null,
  });
  expect((await owner.get(`${path}/${data.id}`).expect(200)).data).toEqual(data);
  expect((await owner.patch(`${path}/${data.id}`, { name: "Release 2.0" }).expect(200)).data).toEqual(data);
  const renamed = (await owner.patch(`${path}/${data.id}`, { name: "日本 ✨", topic: null }).expect(200)).data;
  expect(renamed).toMatchObject({ name: "日本 ✨", slug: "日本", topic: null });
  const archived = (await owner.patch(`${path}/${data.id}`, { archived: true }).expect(200)).data;
  expect(archived.archived_at).toBe(archived.updated_at);
  await owner.patch(`${path}/${data.id}`, { name: "x" }).expect(409, "archived");
  expect(await namesFor(owner)).toEqual([]);
  expect(await namesFor(owner, "?archived=true")).toEqual(["日本 ✨"]);
  const other = await channel(owner, { name: "日本" });
  const taken = await owner.patch(`${path}/${data.id}`, { archived: false }).expect(409, "already_exists");
  expect(taken.body.error.details.existing_id).toBe(other.id);
  const back = await owner.patch(`${path}/${data.id}`, { archived: false, name: "Nihon" }).expect(200);
  expect(back.data).toMatchObject({ archived_at: null, slug: "nihon" });
});

test("names are unique, also for two calls at the same time", async () => {
  const { owner } = await world();
  const replies = await Promise.all(Array.from({ length: 5 }, () => owner.post(path, { name: "General" })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  await owner.post(path, { name: "general!" }).expect(409, "already_exists");
  await owner.post(path, { name: "x", kind: "dm" }).expect(400, "validation_failed");
});

test("private channels exist for their members only, also not for admins", async () => {
  const here = await world();
  const [a, b, admin] = [
    await here.as({ role: "member" }),
    await here.as({ role: "member" }),
    await here.as({ role: "admin" }),
  ];
  const { id } = await channel(a, { name: "Secret", kind: "private", member_ids: [b.email] });
  expect(await namesFor(b)).toEqual(["Secret"]);
  expect(await namesFor(admin)).toEqual([]);
  for (const client of [admin, here.owner]) {
    await client.get(`${path}/${id}`).expect(404);
    await client.get(`${path}/${id}/members`).expect(404);
    await client.patch(`${path}/${id}`, { topic: "x" }).expect(404);
    await client.post(`${path}/${id}/members`, {}).expect(404);
    await client.delete(`${path}/${id}/members/${a.userId}`).expect(404);
  }
  await b.patch(`${path}/${id}`, { topic: "x" }).expect(403, "insufficient_role");
  await b.post(`${path}/${id}/members`, { user_id: admin.email }).expect(403, "insufficient_role");
  await a.post(`${path}/${id}/members`, { user_id: admin.email }).expect(201);
  expect((await admin.get(`${path}/${id}`).expect(200)).data).toMatchObject({ member_count: 3, my_role: "member" });
  // The last owner leaves, and the one who joined first becomes owner.
  expect((await a.delete(`${path}/${id}/members/me`).expect(200)).data).toEqual({
    channel_id: id,
    user_id: a.userId,
    removed: true,
  });
  await a.get(`${path}/${id}`).expect(404);
  expect((await b.get(`${path}/${id}`).expect(200)).data).toMatchObject({ member_count: 2, my_role: "owner" });
});

test("guests see channels of their projects only", async () => {
  const here = await world();
  const guest = await here.as({ role: "guest", projectRole: "member" });
  const viewer = await here.as({ role: "viewer" });
  await channel(here.owner, { name: "All" });
  const web = await channel(here.owner, { name: "Web", project: "WEB" });
  expect(web.project_id).toBe(here.project.id);
  expect(await namesFor(guest)).toEqual(["Web"]);
  expect(await namesFor(viewer)).toEqual(["Web", "All"]);
  await guest.post(`${path}/${web.id}/members`).expect(201);
  const hidden = await here.hidden();
  await channel(hidden.owner, { name: "Hidden", project: "HID" });
  expect(await namesFor(viewer)).toEqual(["Web", "All"]);
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  expect(await namesFor(limited)).toEqual(["Web"]);
  await here.owner.post(path, { name: "x", member_ids: [guest.email] }).expect(400, "invalid_reference");
  await here.owner.post("W/chat/dms", { user_ids: [guest.email] }).expect(400, "invalid_reference");
});

test("a direct message is the same for the same people, and is archived for oneself only", async () => {
  const here = await world();
  const [a, b] = [await here.as({ role: "viewer" }), await here.as({ role: "member" })];
  const opened = await Promise.all([
    a.post("W/chat/dms", { user_ids: [b.email] }).expect(201),
    b.post("W/chat/dms", { user_ids: [a.userId, "me"] }).expect(201),
  ]);
  const [first, second] = opened.map(({ data }) => data);
  expect(first.id).toBe(second.id);
  expect(first).toMatchObject({ kind: "dm", name: null, slug: null, member_count: 2, my_role: "member" });
  await a.post("W/chat/dms", { user_ids: ["me"] }).expect(400, "validation_failed");
  await here.owner.get(`${path}/${first.id}`).expect(404);
  const archived = (await a.patch(`${path}/${first.id}`, { archived: true }).expect(200)).data;
  expect(archived.archived_at).toEqual(expect.any(String));
  expect((await a.get(`${path}/${first.id}`).expect(200)).data).toEqual(archived);
  expect((await a.get(`${path}?archived=true`).expect(200)).data).toEqual([archived]);
  expect((await b.get(`${path}/${first.id}`).expect(200)).data.archived_at).toBe(null);
  expect((await b.get(`${path}?archived=true`).expect(200)).data).toEqual([]);
  await b.patch(`${path}/${first.id}`, { archived: true }).expect(200);
  await b.post(`${path}/${first.id}/messages`, { body_md: "Hello" }).expect(201);
  expect((await b.get(`${path}/${first.id}`).expect(200)).data.archived_at).toBe(null);
  expect(await namesFor(a)).toEqual([null]);
  await a.patch(`${path}/${first.id}`, { archived: true }).expect(200);
  expect(await namesFor(a)).toEqual([]);
  expect(await namesFor(b)).toEqual([null]);
  await a.patch(`${path}/${first.id}`, { name: "x" }).expect(400, "immutable_field");
  await a.post("W/chat/dms", { user_ids: [b.userId] }).expect(201);
  expect(await namesFor(a)).toEqual([null]);
});

test("a viewer neither creates nor renames a channel", async () => {
  const here = await world();
  const viewer = await here.as({ role: "viewer" });
  const { id } = (await here.owner.post(path, { name: "General" }).expect(201)).data;
  await viewer.post(path, { name: "Mine" }).expect(403, "insufficient_role");
  await viewer.patch(`${path}/${id}`, { name: "Ours" }).expect(403, "insufficient_role");
  await viewer.patch(`${path}/${id}`, { archived: true }).expect(403, "insufficient_role");
});
