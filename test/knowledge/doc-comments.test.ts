import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";

const docOf = async (owner: Client, body: object = {}) =>
  (await owner.post("W/docs", body).expect(201)).data.id as string;
const say = async (client: Client, doc: string, body_md: string, more: object = {}) =>
  (await client.post(`W/docs/${doc}/comments`, { body_md, ...more }).expect(201)).data;
const listed = async (client: Client, doc: string) => (await client.get(`W/docs/${doc}/comments`).expect(200)).data;

test("a comment has the fields of the API description", async () => {
  const { owner } = await world();
  const doc = await docOf(owner);
  const comment = await say(owner, doc, "Who **signs**?", { anchor: { quote: "Tag the commit" } });
  expect(comment).toEqual({
    id: expect.any(String),
    doc_id: doc,
    parent_id: null,
    author: { id: owner.userId, email: owner.email, name: "Olive Owner" },
    body_md: "Who **signs**?",
    body_html: "<p>Who <strong>signs</strong>?</p>\n",
    created_at: expect.any(String),
    updated_at: comment.created_at,
    anchor: { quote: "Tag the commit" },
    resolved_at: null,
    edited_at: null,
    deleted_at: null,
    mentions: [],
    reply_count: 0,
  });
  expect(await listed(owner, doc)).toEqual([comment]);
});

test("comments are listed oldest first, with nested replies under the ids that were given", async () => {
  const { owner } = await world();
  const doc = await docOf(owner);
  const first = await say(owner, doc, "1");
  const reply = await say(owner, doc, "2", { parent_id: first.id });
  const nested = await say(owner, doc, "3", { parent_id: reply.id });
  const rows = await listed(owner, doc);
  expect(rows.map(({ id, parent_id, reply_count }: Record<string, unknown>) => [id, parent_id, reply_count])).toEqual([
    [first.id, null, 1],
    [reply.id, first.id, 1],
    [nested.id, reply.id, 0],
  ]);
  const other = await docOf(owner);
  await owner.post(`W/docs/${other}/comments`, { body_md: "x", parent_id: first.id }).expect(400, "invalid_reference");
});

test("a deleted comment with replies stays empty, and goes with the last of them", async () => {
  const { owner } = await world();
  const doc = await docOf(owner);
  const first = await say(owner, doc, "1", { anchor: { quote: "secret" } });
  const reply = await say(owner, doc, "2", { parent_id: first.id });
  const nested = await say(owner, doc, "3", { parent_id: reply.id });
  const remove = (id: string) => owner.delete(`W/docs/${doc}/comments/${id}`).expect(200);
  expect((await remove(first.id)).data).toEqual({ id: first.id, deleted: true });
  await remove(reply.id);
  const rows = await listed(owner, doc);
  expect(rows.map(({ body_md, anchor }: Record<string, unknown>) => [body_md, anchor])).toEqual([
    ["", null],
    ["", null],
    ["3", null],
  ]);
  expect(rows[0].deleted_at).not.toBeNull();
  await owner.delete(`W/docs/${doc}/comments/${first.id}`).expect(404);
  await owner.post(`W/docs/${doc}/comments`, { body_md: "x", parent_id: first.id }).expect(400, "invalid_reference");
  await remove(nested.id);
  expect(await listed(owner, doc)).toEqual([]);
});

test("the author and admins change and delete a comment; others do not", async () => {
  const here = await world();
  const doc = await docOf(here.owner);
  const author = await here.as({ role: "member" });
  const comment = await say(author, doc, "first");
  const path = `W/docs/${doc}/comments/${comment.id}`;
  const other = await here.as({ role: "member" });
  await other.patch(path, { body_md: "mine" }).expect(403, "not_owner_of_resource");
  await other.delete(path).expect(403, "not_owner_of_resource");
  await (await here.as({ role: "viewer" })).patch(path, { body_md: "mine" }).expect(403, "insufficient_role");
  const { data } = await author.patch(path, { body_md: "second" }).expect(200);
  expect(data).toMatchObject({ body_md: "second", edited_at: expect.any(String) });
  const admin = await here.as({ role: "admin" });
  expect((await admin.patch(path, { resolved: true }).expect(200)).data).toMatchObject({
    resolved_at: expect.any(String),
    edited_at: data.edited_at,
  });
  expect((await admin.patch(path, { resolved: false }).expect(200)).data.resolved_at).toBeNull();
  await admin.delete(path).expect(200);
});

test("only people who see the doc are mentioned", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const insider = await hidden.as({ role: "member", projectRole: "member", name: "Ina" });
  const outsider = await here.as({ role: "member", name: "Otto" });
  const guest = await here.as({ role: "guest", projectRole: "member", name: "Gus" });
  const all = [insider, outsider, guest].map(({ userId }) => `@[Name](${userId})`).join(" ");
  const mentionedIn = async (body: object) => {
    const doc = await docOf(here.owner, body);
    return (await say(here.owner, doc, all)).mentions.map(({ id }: { id: string }) => id).sort();
  };
  expect(await mentionedIn({})).toEqual([insider.userId, outsider.userId].sort());
  expect(await mentionedIn({ project: hidden.project.id })).toEqual([insider.userId]);
  expect(await mentionedIn({ project: here.project.id })).toEqual(
    [insider.userId, outsider.userId, guest.userId].sort(),
  );
  expect(await mentionedIn({ visibility: "private" })).toEqual([]);
});

test("a guest of the project reads comments without addresses, and writes none", async () => {
  const here = await world();
  const doc = await docOf(here.owner, { project: here.project.id });
  await say(here.owner, doc, "hello");
  const guest = await here.as({ role: "guest", projectRole: "member" });
  expect((await listed(guest, doc))[0].author).toEqual({ id: here.owner.userId, name: "Olive Owner" });
  await guest.post(`W/docs/${doc}/comments`, { body_md: "hi" }).expect(403, "insufficient_role");
});
