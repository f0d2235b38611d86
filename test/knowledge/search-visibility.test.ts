import { expect, onTestFinished, test } from "vitest";
import type { Client } from "../support/client.ts";
import { search } from "../support/search.ts";
import { type World, world } from "../support/world.ts";

/** Results are only what the caller may read, for each type of object. */

const ALL = "types=issue,doc,comment,message";
const WORD = "sesame";

type Place = { world: World; scope: { project?: string }; channel?: "public" | "private"; visibility?: string };

/** An object of each type that contains the word. Returns the ids by type. */
async function fill(author: Client, { scope, channel = "public", visibility }: Place): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const doc = await author.post("W/docs", { title: WORD, ...scope, ...(visibility ? { visibility } : {}) }).expect(201);
  ids.set("doc", doc.data.id);
  ids.set("comment of the doc", await made(author, `W/docs/${doc.data.id}/comments`));
  const room = await author
    .post("W/chat/channels", { name: `Room ${ids.get("doc")}`, kind: channel, ...scope })
    .expect(201);
  ids.set("message", await made(author, `W/chat/channels/${room.data.id}/messages`));
  if (scope.project) {
    const issue = await author.post(`W/projects/${scope.project}/issues`, { title: WORD }).expect(201);
    ids.set("issue", issue.data.id);
    ids.set("comment", await made(author, `W/projects/${scope.project}/issues/${issue.data.key}/comments`));
  }
  return ids;
}

const made = async (author: Client, path: string): Promise<string> =>
  (await author.post(path, { body_md: `about ${WORD}` }).expect(201)).data.id;

/** What is found with small pages too, so that pages and cursors do not tell of hidden objects. */
async function found(client: Client, q = WORD): Promise<string[]> {
  const whole = (await search(client, q, ALL)).map(({ id }) => id);
  const paged: string[] = [];
  let cursor = "";
  do {
    const { body } = await client.get(`W/search?q=${q}&${ALL}&limit=2${cursor && `&cursor=${cursor}`}`).expect(200);
    paged.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.pagination.next_cursor) expect(body.data).toHaveLength(2);
    cursor = body.pagination.next_cursor ?? "";
  } while (cursor);
  expect(paged).toEqual(whole);
  return whole.sort();
}

const all = (ids: Map<string, string>) => [...ids.values()].sort();
const only = (ids: Map<string, string>, ...names: string[]) => names.map((name) => ids.get(name)!).sort();

test("an open project's objects are found by everybody but guests and keys of other projects", async () => {
  const here = await world();
  const ids = await fill(here.owner, { world: here, scope: { project: "WEB" } });
  const hidden = await here.hidden();
  for (const who of [
    here.owner,
    await here.as({ role: "admin" }),
    await here.as({ role: "member" }),
    await here.as({ role: "viewer" }),
    await here.as({ role: "guest", projectRole: "viewer" }),
    await here.as({ role: "member", projectIds: [here.project.id] }),
  ]) {
    expect(await found(who)).toEqual(all(ids));
  }
  for (const who of [
    await here.as({ role: "guest" }),
    await hidden.as({ role: "guest", projectRole: "admin" }),
    await here.as({ role: "owner", projectIds: [hidden.project.id] }),
    await here.as({ role: "owner", projectIds: [] }),
    (await here.other()).owner,
  ]) {
    expect(await found(who)).toEqual([]);
    expect(await search(who, "WEB-1")).toEqual([]);
  }
});

test("a scoped project's objects are found by its members and admins alone", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const ids = await fill(here.owner, { world: hidden, scope: { project: "HID" } });
  for (const who of [
    here.owner,
    await here.as({ role: "admin" }),
    await hidden.as({ role: "member", projectRole: "viewer" }),
    await hidden.as({ role: "guest", projectRole: "viewer" }),
    await hidden.as({ role: "admin", projectIds: [hidden.project.id] }),
  ]) {
    expect(await found(who)).toEqual(all(ids));
    expect((await search(who, "hid-1"))[0]).toMatchObject({ key: "HID-1", score: 1000 });
  }
  for (const who of [
    await here.as({ role: "member", projectRole: "admin" }),
    await here.as({ role: "viewer" }),
    await here.as({ role: "guest", projectRole: "admin" }),
    await here.as({ role: "admin", projectIds: [here.project.id] }),
  ]) {
    expect(await found(who)).toEqual([]);
    expect(await found(who, `-${WORD}x`)).toEqual([]);
    expect(await search(who, "HID-1")).toEqual([]);
  }
});

test("objects of the whole workspace are found by its members, not by guests and keys limited to projects", async () => {
  const here = await world();
  const ids = await fill(here.owner, { world: here, scope: {} });
  for (const role of ["owner", "admin", "member", "viewer"] as const) {
    expect(await found(await here.as({ role }))).toEqual(all(ids));
  }
  expect(await found(await here.as({ role: "guest", projectRole: "admin" }))).toEqual([]);
  expect(await found(await here.as({ role: "owner", projectIds: [here.project.id] }))).toEqual([]);
});

test("private docs and channels are found by their people alone", async () => {
  const here = await world();
  const author = await here.as({ role: "member" });
  const ids = await fill(author, { world: here, scope: {}, channel: "private", visibility: "private" });
  expect(await found(author)).toEqual(all(ids));
  for (const role of ["owner", "admin", "member", "guest"] as const) {
    expect(await found(await here.as({ role, projectRole: "admin" }))).toEqual([]);
  }
  const doc = `W/docs/${ids.get("doc")}`;
  await author.patch(doc, { visibility: "workspace" }).expect(200);
  expect(await found(here.owner)).toEqual(only(ids, "doc", "comment of the doc"));
  await author.patch(doc, { visibility: "private" }).expect(200);
  expect(await found(here.owner)).toEqual([]);
});

test("someone who leaves a channel, a project or the workspace finds nothing of it from that moment", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const member = await hidden.as({ role: "member", projectRole: "member" });
  const room = await here.owner
    .post("W/chat/channels", { name: "Room", kind: "private", member_ids: [member.userId] })
    .expect(201);
  const message = await made(here.owner, `W/chat/channels/${room.data.id}/messages`);
  const ids = await fill(here.owner, { world: hidden, scope: { project: "HID" } });
  expect(await found(member)).toEqual([...all(ids), message].sort());
  await member.delete(`W/chat/channels/${room.data.id}/members/me`).then(async ({ status }) => {
    if (status !== 200) await here.owner.delete(`W/chat/channels/${room.data.id}/members/${member.userId}`).expect(200);
  });
  expect(await found(member)).toEqual(all(ids));
  await here.owner.delete(`W/projects/HID/members/${member.userId}`).expect(200);
  expect(await found(member)).toEqual([]);
  await here.owner.delete(`W/members/${member.userId}`).expect(200);
  expect((await member.get(`W/search?q=${WORD}`)).status).not.toBe(200);
});

test("deleted and archived objects, and what belongs to them, are not found", async () => {
  const here = await world();
  const { owner } = here;
  const ids = await fill(owner, { world: here, scope: { project: "WEB" } });
  const { data: rooms } = await owner.get("W/chat/channels").expect(200);
  const messages = `W/chat/channels/${rooms[0].id}/messages`;
  const more = await made(owner, messages);
  await owner.delete(`${messages}/${more}`).expect(200);
  const comment = await made(owner, "P/issues/WEB-1/comments");
  await owner.delete(`P/issues/WEB-1/comments/${comment}`).expect(200);
  const docComment = await made(owner, `W/docs/${ids.get("doc")}/comments`);
  await owner.delete(`W/docs/${ids.get("doc")}/comments/${docComment}`).expect(200);
  expect(await found(owner)).toEqual(all(ids));

  await owner.delete("P/issues/WEB-1").expect(200);
  expect(await found(owner)).toEqual(only(ids, "doc", "comment of the doc", "message"));
  await owner.delete(`W/docs/${ids.get("doc")}`).expect(200);
  expect(await found(owner)).toEqual(only(ids, "message"));
  await owner.patch(`W/chat/channels/${rooms[0].id}`, { archived: true }).expect(200);
  expect(await found(owner)).toEqual([]);
  await owner.post("P/issues/WEB-1/restore").expect(200);
  expect(await found(owner)).toEqual(only(ids, "issue", "comment"));
});

test("a streamed message is found once it is done", async () => {
  const { owner } = await world();
  const room = await owner.post("W/chat/channels", { name: "Room" }).expect(201);
  const stream = `W/chat/channels/${room.data.id}/messages/stream`;
  const { data } = await owner.post(stream, { delta: `The ${WORD} ` }).expect(201);
  expect(await found(owner)).toEqual([]);
  await owner.post(stream, { message_id: data.message_id, seq: 1, delta: "opens", done: true }).expect(201);
  const [message] = await search(owner, WORD, "types=message");
  expect(message).toMatchObject({ type: "message", id: data.message_id, title: "Room", key: null, status: null });
  expect(message!.snippet).toBe(`The <mark>${WORD}</mark> opens`);
});

test("labels of hidden projects do not tell of themselves", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const label = await hidden.owner.post("P/labels", { name: WORD }).expect(201);
  await hidden.owner.post("P/issues", { title: "Hidden", labels: [label.data.id] }).expect(201);
  await here.owner.post("P/issues", { title: "Shown" }).expect(201);
  const member = await here.as({ role: "member" });
  expect(await found(member)).toEqual([]);
  expect((await search(member, `-${WORD}`)).map(({ title }) => title)).toEqual(["Shown"]);
  expect((await search(here.owner, WORD)).map(({ title }) => title)).toEqual(["Hidden"]);
});

test.each([
  ["three of two hundred", 3],
  ["a hundred and one of two hundred", 101],
])("a member of %s projects finds what is in them, and nothing else", async (_, seen) => {
  const here = await world();
  const member = await here.as({ role: "member" });
  await here.sql(
    `insert into project (id, workspace_id, key, slug, name, scoped, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, 'N' || n, 'n' || n, 'N ' || n, true, $2, now(), now() from generate_series(1, 200) n`,
    [here.workspace.id, here.owner.userId],
  );
  await here.sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, priority, rank, reporter_id,
                        created_by, created_at, updated_at)
     select gen_random_uuid(), $1, id, 1, key || '-1', 'task', 'sesame', 'todo', 'medium', 'a1', $2, $2, now(), now()
     from project where workspace_id = $1 and scoped`,
    [here.workspace.id, here.owner.userId],
  );
  await here.sql(
    `insert into project_member (project_id, user_id, workspace_id, role, added_at)
     select id, $2, $1, 'member', now() from project
     where workspace_id = $1 and scoped and substr(key, 2)::int <= $3`,
    [here.workspace.id, member.userId, seen],
  );
  const keys: string[] = [];
  let cursor = "";
  do {
    const { body } = await member.get(`W/search?q=sesame&limit=100${cursor && `&cursor=${cursor}`}`).expect(200);
    keys.push(...body.data.map(({ key }: { key: string }) => key));
    cursor = body.pagination.next_cursor ?? "";
  } while (cursor);
  expect(keys.sort()).toEqual(Array.from({ length: seen }, (_, n) => `N${n + 1}-1`).sort());
});

test("comments and messages need the scopes that read them", async () => {
  const here = await world();
  const ids = await fill(here.owner, { world: here, scope: { project: "WEB" } });
  const bare = await here.keyFor(here.owner, { scopes: ["search:read"] });
  expect((await search(bare, WORD)).map(({ id }) => id).sort()).toEqual(only(ids, "issue", "doc"));
  for (const [type, scope] of [
    ["comment", "comments:read"],
    ["message", "chat:read"],
  ] as const) {
    const { body } = await bare.get(`W/search?q=${WORD}&types=issue,${type}`).expect(403, "insufficient_scope");
    expect(body.error.details.required_scope).toBe(scope);
    const able = await here.keyFor(here.owner, { scopes: ["search:read", scope] });
    expect(new Set((await search(able, WORD, `types=${type}`)).map(({ type }) => type))).toEqual(new Set([type]));
  }
});

test("an issue is found by its label although many projects have a label of that name", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const { sql, workspace, owner } = here;
  // Those of the hidden project are older.
  await sql(
    `insert into label (id, workspace_id, project_id, name, color, created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'sesame ' || n, '#64748b', now(), now() from generate_series(1, 250) n`,
    [workspace.id, hidden.project.id],
  );
  const { data: label } = await owner.post("P/labels", { name: WORD }).expect(201);
  await owner.post("P/issues", { title: "Shown", labels: [label.id] }).expect(201);
  const member = await here.as({ role: "member" });
  expect((await search(member, WORD)).map(({ title }) => title)).toEqual(["Shown"]);
  expect(await search(member, `Shown -${WORD}`)).toEqual([]);
});

test("whoever sees nothing of the workspace does not make the server read its index", async () => {
  const here = await world();
  await fill(here.owner, { world: here, scope: {} });
  const guest = await here.as({ role: "guest" });
  const limited = await here.as({ role: "owner", projectIds: [] });
  const { database } = here.app.resources;
  const { query } = database;
  const sent: string[] = [];
  database.query = (statement, values) => {
    if (statement.text.includes("@@ $")) sent.push(statement.text);
    return query(statement, values);
  };
  onTestFinished(() => {
    database.query = query;
  });
  for (const who of [guest, limited]) expect(await search(who, WORD, "types=issue,comment,message")).toEqual([]);
  expect(sent).toEqual([]);
});

test("direct messages are found by their people, except while they have archived them for themselves", async () => {
  const here = await world();
  const [a, b] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const { data: dm } = await a.post("W/chat/dms", { user_ids: [b.userId] }).expect(201);
  const message = await made(a, `W/chat/channels/${dm.id}/messages`);
  for (const who of [a, b]) expect(await found(who)).toEqual([message]);
  for (const who of [here.owner, await here.as({ role: "admin" })]) expect(await found(who)).toEqual([]);
  await b.patch(`W/chat/channels/${dm.id}`, { archived: true }).expect(200);
  expect(await found(b)).toEqual([]);
  expect(await found(a)).toEqual([message]);
  await b.patch(`W/chat/channels/${dm.id}`, { archived: false }).expect(200);
  expect(await found(b)).toEqual([message]);
});
