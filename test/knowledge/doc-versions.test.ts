import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

const make = async (owner: Client, body: object = {}) =>
  (await owner.post("W/docs", { title: "Notes", body_md: "one", ...body }).expect(201)).data;
const versionsOf = async (client: Client, id: string) => (await client.get(`W/docs/${id}/versions`).expect(200)).data;
const whole = async (client: Client, id: string) =>
  Promise.all(
    (await versionsOf(client, id)).map(
      async (version: { id: string }) => (await client.get(`W/docs/${id}/versions/${version.id}`).expect(200)).data,
    ),
  );
/** Lets the five minutes of one version pass. */
const wait = ({ sql }: World, id: string) =>
  sql("update doc_version set begun_at = begun_at - interval '5 minutes' where doc_id = $1", [id]);

test("edits of one author within five minutes are one version; later ones and those of others are their own", async () => {
  const here = await world();
  const { owner } = here;
  const member = await here.as({ role: "member", name: "Mia" });
  const { id } = await make(owner);
  await owner.patch(`W/docs/${id}`, { append: "two" }).expect(200);
  await owner.patch(`W/docs/${id}`, { title: "Changed" }).expect(200);
  await member.patch(`W/docs/${id}`, { append: "three" }).expect(200);
  await wait(here, id);
  await member.patch(`W/docs/${id}`, { append: "four" }).expect(200);
  const versions = await whole(owner, id);
  expect(versions.map(({ number, title, body_md, created_by }) => [number, title, body_md, created_by.id])).toEqual([
    [3, "Changed", "one\ntwo\nthree\nfour", member.userId],
    [2, "Changed", "one\ntwo\nthree", member.userId],
    [1, "Changed", "one\ntwo", owner.userId],
  ]);
  expect(versions[0].created_by).toEqual({ id: member.userId, email: member.email, name: "Mia" });
});

test("a list of versions has their lengths and no bodies, and pages through them", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await make(owner);
  for (const text of ["two", "three"]) await owner.patch(`W/docs/${id}`, { append: text, snapshot: true }).expect(200);
  const first = await owner.get(`W/docs/${id}/versions?limit=2`).expect(200);
  expect(first.data[0]).toEqual({
    id: expect.any(String),
    doc_id: id,
    title: "Notes",
    created_by: { id: owner.userId, email: owner.email, name: "Olive Owner" },
    created_at: expect.any(String),
    number: 3,
    reason: "edit",
    body_md_length: 13,
  });
  const rest = await owner.get(`W/docs/${id}/versions?limit=2&cursor=${first.body.pagination.next_cursor}`).expect(200);
  expect(rest.data.map(({ number }: { number: number }) => number)).toEqual([1]);
});

test("snapshot: true makes a version of its own, which later edits do not overwrite", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await make(owner);
  await owner.patch(`W/docs/${id}`, { append: "two", snapshot: true }).expect(200);
  await owner.patch(`W/docs/${id}`, { append: "three" }).expect(200);
  const { data } = await owner.patch(`W/docs/${id}`, { snapshot: true }).expect(200);
  expect(data.version).toBe(3);
  await owner.patch(`W/docs/${id}`, { append: "four" }).expect(200);
  expect((await whole(owner, id)).map(({ body_md }) => body_md)).toEqual([
    "one\ntwo\nthree\nfour",
    "one\ntwo\nthree",
    "one\ntwo",
    "one",
  ]);
});

test("an edit that clears the JSON keeps the version that has it", async () => {
  const { owner } = await world();
  const json = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "rich" }] }] };
  const { id } = await make(owner, { body_json: json, body_md: undefined });
  await owner.patch(`W/docs/${id}`, { append: "two" }).expect(200);
  await owner.patch(`W/docs/${id}`, { append: "three" }).expect(200);
  const versions = await whole(owner, id);
  expect(versions.map(({ body_md, body_json }) => [body_md, body_json])).toEqual([
    ["rich\ntwo\nthree", null],
    ["rich\n", json],
  ]);
});

test.each([
  ["its Markdown is replaced", { body_md: "two" }],
  ["its JSON is set to null", { body_json: null }],
  ["the edit is a snapshot itself", { append: "two", snapshot: true }],
  ["the edit also publishes it", { append: "two", visibility: "workspace" }],
  ["the edit also archives it", { append: "two", archived: true }],
])("the JSON of a private doc is kept if %s", async (_, edit) => {
  const here = await world();
  const { owner } = here;
  const json = { other: ["JSON"] };
  const { id } = await make(owner, { body_json: json, visibility: "private" });
  await owner.patch(`W/docs/${id}`, edit).expect(200);
  expect((await whole(owner, id)).map(({ number, body_json }) => [number, body_json])).toEqual([
    [2, null],
    [1, json],
  ]);
  const member = await here.as({ role: "member" });
  if ("visibility" in edit) expect(await whole(member, id)).toMatchObject([{ number: 2 }]);
});

test("a restore brings back exactly what was, and keeps what it replaces", async () => {
  const here = await world();
  const { owner } = here;
  const json = { deep: [{ "": null }] };
  const { id } = await make(owner, { body_json: json, icon: "🚀" });
  await owner.patch(`W/docs/${id}`, { title: "Second", body_md: "two", icon: "🎉", snapshot: true }).expect(200);
  await owner.patch(`W/docs/${id}`, { append: "three" }).expect(200);
  const [, , first] = await versionsOf(owner, id);
  const { data } = await owner.post(`W/docs/${id}/versions/${first.id}/restore`).expect(200);
  expect(data).toMatchObject({ title: "Notes", body_md: "one", body_json: json, icon: "🎉", version: 4 });
  await owner.patch(`W/docs/${id}`, { append: "after" }).expect(200);
  const versions = await whole(owner, id);
  expect(versions.map(({ number, reason, title, body_md }) => [number, reason, title, body_md])).toEqual([
    [5, "edit", "Notes", "one\nafter"],
    [4, "restore", "Notes", "one"],
    [3, "edit", "Second", "two\nthree"],
    [2, "edit", "Second", "two"],
    [1, "edit", "Notes", "one"],
  ]);
  expect(versions[1].body_json).toEqual(json);
});

test("the plan limits how many versions are kept; the newest stay", async () => {
  const { owner } = await world({ plan: "free" });
  const { id } = await make(owner);
  for (let n = 2; n <= 25; n++) await owner.patch(`W/docs/${id}`, { append: `${n}`, snapshot: true }).expect(200);
  const numbers = (await versionsOf(owner, id)).map(({ number }: { number: number }) => number);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => 25 - n));
});

test("versions of the time when a doc was private are shown to its author alone", async () => {
  const here = await world();
  const author = await here.as({ role: "member" });
  const { id } = await make(author, { visibility: "private", body_md: "secret" });
  const [secret] = await versionsOf(author, id);
  await author.patch(`W/docs/${id}`, { visibility: "workspace", body_md: "public" }).expect(200);
  expect((await versionsOf(here.owner, id)).map(({ number }: { number: number }) => number)).toEqual([2]);
  await here.owner.get(`W/docs/${id}/versions/${secret.id}`).expect(404);
  await here.owner.post(`W/docs/${id}/versions/${secret.id}/restore`).expect(404);
  expect((await whole(author, id)).map(({ body_md }) => body_md)).toEqual(["public", "secret"]);
});

test("publishing a doc writes a version of its state, from which others continue", async () => {
  const here = await world();
  const author = await here.as({ role: "member" });
  const { id } = await make(author, { visibility: "private", body_md: "one" });
  await author.patch(`W/docs/${id}`, { visibility: "workspace" }).expect(200);
  await here.owner.patch(`W/docs/${id}`, { append: "two" }).expect(200);
  expect((await whole(here.owner, id)).map(({ number, body_md }) => [number, body_md])).toEqual([
    [3, "one\ntwo"],
    [2, "one"],
  ]);
});

test("versions of another doc and of archived docs cannot be restored", async () => {
  const { owner } = await world();
  const one = await make(owner);
  const other = await make(owner);
  const [version] = await versionsOf(owner, other.id);
  await owner.post(`W/docs/${one.id}/versions/${version.id}/restore`).expect(404);
  await owner.delete(`W/docs/${other.id}`).expect(200);
  await owner.post(`W/docs/${other.id}/versions/${version.id}/restore`).expect(409, "archived");
});
