import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { migrate } from "../../src/migrate.ts";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

const channels = "W/chat/channels";
const channel = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post(channels, { name: "General", ...body }).expect(201)).data.id as string;
const say = async (client: Client, id: string, body_md: string, more: Record<string, unknown> = {}) =>
  (await client.post(`${channels}/${id}/messages`, { body_md, ...more }).expect(201)).data;
const textsFor = async (client: Client, id: string, query = "") =>
  (await client.get(`${channels}/${id}/messages${query}`).expect(200)).data.map(
    ({ body_md }: { body_md: string }) => body_md,
  );
const unread = async (client: Client, id: string) =>
  (await client.get(`${channels}/${id}`).expect(200)).data.unread_count;
const eventsOf = ({ sql, workspace }: World) =>
  sql<{ type: string; channel_id: string | null; project_id: string | null; changed: string[] | null }>(
    "select type, channel_id, project_id, changed from event where workspace_id = $1 and type like 'chat.%' order by id",
    [workspace.id],
  );

test("a message is written, changed, and deleted, and whoever writes joins the public channel", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const id = await channel(here.owner);
  const data = await say(member, id, "Hello **you**");
  expect(data).toEqual({
    id: expect.any(String),
    channel_id: id,
    author_id: member.userId,
    body_md: "Hello **you**",
    parent_id: null,
    root_id: null,
    reply_count: 0,
    last_reply_at: null,
    edited_at: null,
    deleted_at: null,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    reactions: [],
    author_kind: "user",
    mentions: [],
    streaming: false,
    seq: null,
    stream_status: null,
  });
  expect((await member.get(`${channels}/${id}`).expect(200)).data).toMatchObject({
    is_member: true,
    member_count: 2,
    last_message_at: data.created_at,
  });
  const path = `${channels}/${id}/messages/${data.id}`;
  const refused = await here.owner.patch(path, { body_md: "x" }).expect(403, "not_owner_of_resource");
  expect(refused.body.detail).toBe("Only its author can change a message. An admin can delete it.");
  const changed = (await member.patch(path, { body_md: "Bye" }).expect(200)).data;
  expect(changed).toMatchObject({ body_md: "Bye", edited_at: changed.updated_at });
  expect((await member.patch(path, { body_md: "Bye" }).expect(200)).data).toEqual(changed);
  expect((await here.owner.delete(path).expect(200)).data).toEqual({ id: data.id, deleted: true });
  await member.delete(path).expect(404);
  expect(await textsFor(member, id)).toEqual([]);
  expect(await eventsOf(here)).toMatchObject([
    { type: "chat.message.created", channel_id: null, project_id: null },
    { type: "chat.message.updated", changed: ["body_md", "edited_at"] },
    { type: "chat.message.deleted" },
  ]);
});

test("threads count their replies, and a deleted message with replies stays without its text", async () => {
  const { owner } = await world();
  const id = await channel(owner);
  const root = await say(owner, id, "root");
  const reply = await say(owner, id, "reply", { parent_id: root.id });
  const nested = await say(owner, id, "nested", { parent_id: reply.id });
  expect(nested).toMatchObject({ parent_id: reply.id, root_id: root.id });
  const list = async (query = "") => (await owner.get(`${channels}/${id}/messages${query}`).expect(200)).data;
  expect((await list()).map((m: { body_md: string; reply_count: number }) => [m.body_md, m.reply_count])).toEqual([
    ["nested", 0],
    ["reply", 1],
    ["root", 2],
  ]);
  expect((await list())[2].last_reply_at).toBe(nested.created_at);
  expect(await textsFor(owner, id, "?top_level=true")).toEqual(["root"]);
  expect(await textsFor(owner, id, `?root_id=${root.id}`)).toEqual(["nested", "reply"]);
  await owner.delete(`${channels}/${id}/messages/${reply.id}`).expect(200);
  expect((await list()).map((m: { body_md: string; reply_count: number }) => [m.body_md, m.reply_count])).toEqual([
    ["nested", 0],
    ["", 1],
    ["root", 1],
  ]);
  expect((await list())[1].deleted_at).not.toBeNull();
  await owner
    .post(`${channels}/${id}/messages`, { body_md: "x", parent_id: reply.id })
    .expect(400, "invalid_reference");
  await owner.delete(`${channels}/${id}/messages/${nested.id}`).expect(200);
  expect((await list()).map((m: { body_md: string; reply_count: number }) => [m.body_md, m.reply_count])).toEqual([
    ["root", 0],
  ]);
});

test("the time of the last reply is that of the last one that is left", async () => {
  const here = await world();
  const id = await channel(here.owner);
  const root = await say(here.owner, id, "root");
  const first = await say(here.owner, id, "first", { parent_id: root.id });
  const answer = await say(here.owner, id, "answer", { parent_id: first.id });
  const last = await say(here.owner, id, "last", { parent_id: root.id });
  const counts = async () => {
    const { data } = await here.owner.get(`${channels}/${id}/messages`).expect(200);
    return [root, first].map((one) => {
      const { reply_count, last_reply_at } = data.find((message: { id: string }) => message.id === one.id);
      return [reply_count, last_reply_at];
    });
  };
  const remove = (message: { id: string }) => here.owner.delete(`${channels}/${id}/messages/${message.id}`).expect(200);
  const ofFirst = [1, answer.created_at];
  expect(await counts()).toEqual([[3, last.created_at], ofFirst]);
  await remove(last);
  expect(await counts()).toEqual([[2, answer.created_at], ofFirst]);
  await remove(answer);
  expect(await counts()).toEqual([
    [1, first.created_at],
    [0, null],
  ]);
});

test("a streamed reply that ends without text is no reply", async () => {
  const here = await world();
  const id = await channel(here.owner);
  const root = await say(here.owner, id, "root");
  const path = `${channels}/${id}/messages`;
  const { message_id } = (await here.owner.post(`${path}/stream`, { parent_id: root.id }).expect(201)).data;
  await here.owner.post(`${path}/stream`, { message_id, seq: 1, done: true }).expect(201);
  expect((await here.owner.get(path).expect(200)).data).toEqual([
    { ...root, updated_at: expect.any(String), reply_count: 0, last_reply_at: null },
  ]);
});

test("unread messages are counted for each member, and reading, writing and marking set the mark", async () => {
  const here = await world();
  const [a, b] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const id = await channel(here.owner, { member_ids: [a.email, b.email] });
  const first = await say(here.owner, id, "1");
  await say(here.owner, id, "2");
  expect([await unread(here.owner, id), await unread(a, id), await unread(b, id)]).toEqual([0, 2, 2]);
  expect(await textsFor(a, id, "?limit=1")).toEqual(["2"]);
  expect([await unread(a, id), await unread(b, id)]).toEqual([0, 2]);
  const marked = await b.post(`${channels}/${id}/read`, { message_id: first.id }).expect(200);
  expect(marked.data.unread_count).toBe(1);
  expect((await b.post(`${channels}/${id}/read`).expect(200)).data.unread_count).toBe(0);
  await say(b, id, "3");
  expect([await unread(a, id), await unread(b, id)]).toEqual([1, 0]);
  // Whoever joins later has read what was before.
  const late = await here.as({ role: "member" });
  await late.post(`${channels}/${id}/members`).expect(201);
  expect(await unread(late, id)).toBe(0);
});

test("the same client id makes one message, also for calls at the same time", async () => {
  const { owner } = await world();
  const id = await channel(owner);
  const made = await Promise.all(Array.from({ length: 6 }, () => say(owner, id, "once", { client_id: "c-1" })));
  expect(new Set(made.map((message) => message.id)).size).toBe(1);
  expect(await textsFor(owner, id)).toEqual(["once"]);
});

test("reactions are added and removed once", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const id = await channel(here.owner, { member_ids: [member.email] });
  const message = await say(here.owner, id, "x");
  const path = `${channels}/${id}/messages/${message.id}/reactions`;
  await Promise.all(Array.from({ length: 4 }, () => here.owner.post(path, { emoji: "🎉" }).expect(200)));
  const { data } = await member.post(path, { emoji: "🎉" }).expect(200);
  expect(data).toEqual({
    message_id: message.id,
    reactions: [{ emoji: "🎉", count: 2, user_ids: [here.owner.userId, member.userId] }],
  });
  const encoded = `${path}/${encodeURIComponent("🎉")}`;
  expect((await here.owner.delete(encoded).expect(200)).data.reactions).toEqual([
    { emoji: "🎉", count: 1, user_ids: [member.userId] },
  ]);
  await here.owner.delete(encoded).expect(200);
  for (const emoji of ["", "x".repeat(17), 5]) await member.post(path, { emoji }).expect(400, "validation_failed");
});

test("an emoji with and without a variation selector is one reaction, stored as Unicode lists it", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const id = await channel(here.owner, { member_ids: [member.email] });
  const message = await say(here.owner, id, "x");
  const path = `${channels}/${id}/messages/${message.id}/reactions`;
  const spellings: [string, ...string[]][] = [
    ["\u2764\ufe0f", "\u2764", "\u2764\ufe0e"],
    ["1\ufe0f\u20e3", "1\u20e3"],
    ["\u{1f441}\ufe0f\u200d\u{1f5e8}\ufe0f", "\u{1f441}\u200d\u{1f5e8}", "\u{1f441}\ufe0f\u200d\u{1f5e8}"],
    ["\u261d\u{1f3fd}", "\u261d\ufe0f\u{1f3fd}"],
    ["\u{1f389}", "\u{1f389}\ufe0f"],
  ];
  for (const [listed, ...others] of spellings) {
    for (const emoji of others) await here.owner.post(path, { emoji }).expect(200);
    const { data } = await member.post(path, { emoji: listed }).expect(200);
    expect(data.reactions.at(-1)).toEqual({
      emoji: listed,
      count: 2,
      user_ids: [here.owner.userId, member.userId],
    });
  }
  // Without a skin tone it is another reaction, and digits are no emoji.
  for (const [sent, shown] of [
    ["\u261d", "\u261d\ufe0f"],
    ["1", "1"],
  ]) {
    const { data } = await member.post(path, { emoji: sent }).expect(200);
    expect(data.reactions.at(-1)).toMatchObject({ emoji: shown, count: 1 });
  }
  await member.delete(`${path}/${encodeURIComponent("\u2764\ufe0e")}`).expect(200);
  const { data } = await here.owner.delete(`${path}/${encodeURIComponent("\u2764")}`).expect(200);
  expect(data.reactions.map(({ emoji }: { emoji: string }) => emoji)).not.toContain("\u2764\ufe0f");
});

test("stored reactions that differ in a variation selector are merged by the migration", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const id = await channel(here.owner, { member_ids: [member.email] });
  const message = await say(here.owner, id, "x");
  const path = `${channels}/${id}/messages/${message.id}/reactions`;
  await here.owner.post(path, { emoji: "\u2764" }).expect(200);
  await here.sql(
    `insert into chat_reaction (message_id, emoji, user_id, workspace_id, created_at)
     select message_id, e, u, workspace_id, created_at + interval '1 second' * n from chat_reaction,
       unnest($2::text[], $3::uuid[]) with ordinality as old (e, u, n) where message_id = $1`,
    [
      message.id,
      ["\u2764", "\u2764", "\u2764\ufe0e", "it's"],
      [here.owner.userId, member.userId, member.userId, member.userId],
    ],
  );
  await here.sql(`delete from migration where name = '0160-one-form-of-reactions'`);
  const { DATABASE_URL } = here.app.config;
  await migrate(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATABASE_URL }));
  const { data } = await here.owner.get(`${channels}/${id}/messages`).expect(200);
  expect(data[0].reactions).toEqual([
    { emoji: "\u2764\ufe0f", count: 2, user_ids: [here.owner.userId, member.userId] },
    { emoji: "it's", count: 1, user_ids: [member.userId] },
  ]);
});

test("messages of private channels and direct messages are for their members", async () => {
  const here = await world();
  const [a, b] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const secret = await channel(a, { name: "Secret", kind: "private" });
  const message = await say(a, secret, "hidden");
  const path = `${channels}/${secret}/messages`;
  for (const client of [b, here.owner]) {
    await client.get(path).expect(404);
    await client.post(path, { body_md: "x" }).expect(404);
    await client.patch(`${path}/${message.id}`, { body_md: "x" }).expect(404);
    await client.delete(`${path}/${message.id}`).expect(404);
    await client.post(`${path}/${message.id}/reactions`, { emoji: "x" }).expect(404);
    await client.delete(`${path}/${message.id}/reactions/x`).expect(404);
    await client.post(`${channels}/${secret}/read`).expect(404);
  }
  const own = await channel(b, { name: "Own" });
  await b.post(`${channels}/${own}/messages`, { body_md: "x", parent_id: message.id }).expect(400, "invalid_reference");
  await b.patch(`${channels}/${own}/messages/${message.id}`, { body_md: "x" }).expect(404);
  const mention = `@[B](${b.userId}) @[A](${a.userId})`;
  expect((await say(a, secret, mention)).mentions).toEqual([{ id: a.userId, kind: "user" }]);
  expect((await eventsOf(here)).map(({ channel_id }) => channel_id)).toEqual([secret, secret]);
});

test("an archived channel can be read, but nothing is written to it", async () => {
  const { owner } = await world();
  const id = await channel(owner);
  const message = await say(owner, id, "x");
  await owner.patch(`${channels}/${id}`, { archived: true }).expect(200);
  expect(await textsFor(owner, id)).toEqual(["x"]);
  const path = `${channels}/${id}/messages`;
  await owner.post(path, { body_md: "y" }).expect(409, "archived");
  await owner.patch(`${path}/${message.id}`, { body_md: "y" }).expect(409, "archived");
  await owner.delete(`${path}/${message.id}`).expect(409, "archived");
  await owner.post(`${path}/${message.id}/reactions`, { emoji: "x" }).expect(409, "archived");
});

test("fifty people write at the same time, and every message has its number", async () => {
  const here = await world();
  const people = await Promise.all(Array.from({ length: 10 }, () => here.as({ role: "member" })));
  const id = await channel(here.owner);
  await Promise.all(people.flatMap((person, n) => [0, 1, 2, 3, 4].map((m) => say(person, id, `${n} ${m}`))));
  const rows = await here.sql<{ number: number }>("select number from chat_message where channel_id = $1 order by 1", [
    id,
  ]);
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  expect((await here.owner.get(`${channels}/${id}`).expect(200)).data).toMatchObject({
    member_count: 11,
    unread_count: 50,
  });
});

test("a message is read with those around it, and by itself; older ones follow", async () => {
  const here = await world();
  const id = await channel(here.owner);
  const member = await here.as({ role: "member" });
  await member.post(`${channels}/${id}/members`, {}).expect(201);
  const said: { id: string }[] = [];
  for (let n = 0; n < 9; n++) said.push(await say(here.owner, id, String(n)));
  await say(here.owner, id, "reply", { parent_id: said[4]!.id });
  const around = (n: number, more = "") => textsFor(member, id, `?around=${said[n]!.id}&limit=4${more}`);
  expect(await around(4)).toEqual(["6", "5", "4", "3"]);
  expect(await around(0)).toEqual(["2", "1", "0"]);
  expect(await around(8, "&top_level=true")).toEqual(["8", "7", "6", "5"]);
  expect(await around(8)).toEqual(["reply", "8", "7", "6"]);
  expect(await textsFor(member, id, `?around=${said[4]!.id}&limit=1`)).toEqual(["4"]);
  const page = (await member.get(`${channels}/${id}/messages?around=${said[4]!.id}&limit=2`).expect(200)).body;
  const next = `&limit=2&cursor=${page.pagination.next_cursor}`;
  expect(await textsFor(member, id, `?around=${said[4]!.id}${next}`)).toEqual(["3", "2"]);
  expect(await unread(member, id)).toBe(10);
  const elsewhere = await say(here.owner, await channel(here.owner, { name: "Other" }), "x");
  for (const other of [elsewhere.id, id]) expect(await textsFor(member, id, `?around=${other}`)).toEqual([]);
  await member.get(`${channels}/${id}/messages?around=none`).expect(400, "invalid_parameter");
});
