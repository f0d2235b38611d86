import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";

/** Lengths and forms of texts in chat. An emoji is one character, although JavaScript counts it as two. */

const channels = "W/chat/channels";
const messagesOfNew = async (client: Client) =>
  `${channels}/${(await client.post(channels, { name: "General" }).expect(201)).data.id}/messages`;

const emojis = (count: number) => "😀".repeat(count);

test("a message of 64,000 emoji is stored whole, and one more is refused", async () => {
  const { owner } = await world();
  const path = await messagesOfNew(owner);
  const { data } = await owner.post(path, { body_md: emojis(64_000) }).expect(201);
  expect(data.body_md === emojis(64_000)).toBe(true);
  const errors = [{ path: "/body_md", code: "too_long", maximum: 64_000 }];
  const refused = await owner.post(path, { body_md: emojis(64_001) }).expect(400, "validation_failed");
  expect(refused.body.error.details).toMatchObject({ errors });
  await owner.patch(`${path}/${data.id}`, { body_md: `${emojis(63_999)}ab` }).expect(400, "validation_failed");
  const [kept] = (await owner.get(path).expect(200)).data;
  expect(kept.body_md === emojis(64_000)).toBe(true);
});

test("a streamed message has up to 64,000 characters, in parts of up to 16,000", async () => {
  const { owner } = await world();
  const path = await messagesOfNew(owner);
  const send = (body: Record<string, unknown>) => owner.post(`${path}/stream`, body);
  await send({ delta: emojis(16_001) }).expect(400, "validation_failed");
  const { message_id, length } = (await send({ delta: emojis(16_000) }).expect(201)).data;
  expect(length).toBe(16_000);
  for (let seq = 1; seq < 4; seq++) await send({ message_id, seq, delta: emojis(16_000) }).expect(201);
  await send({ message_id, seq: 4, delta: "a" }).expect(400, "validation_failed");
  expect((await send({ message_id, seq: 4, done: true }).expect(201)).data.length).toBe(64_000);
  const [kept] = (await owner.get(path).expect(200)).data;
  expect(kept.body_md === emojis(64_000)).toBe(true);
});

test("a reaction is removed by every text that adds it, and by the text that is shown", async () => {
  const { owner } = await world();
  const path = await messagesOfNew(owner);
  const { id } = (await owner.post(path, { body_md: "Hello" }).expect(201)).data;
  const reactions = `${path}/${id}/reactions`;
  const forms = ["👍", " 👍🏽 ", "a/b", "%2F", "\u202a👎", "a\tb", "e\u0301", emojis(16), "👩🏽‍❤️‍💋‍👨🏿", "?", "#"];
  for (const emoji of forms) {
    const [{ emoji: shown }] = (await owner.post(reactions, { emoji }).expect(200)).data.reactions;
    for (const text of [emoji, shown]) {
      await owner.post(reactions, { emoji }).expect(200);
      const { data } = await owner.delete(`${reactions}/${encodeURIComponent(text)}`).expect(200);
      expect(data.reactions, emoji).toEqual([]);
    }
  }
  // Its normal form has 32 characters.
  const tooLong = ["\u0958".repeat(16), emojis(17), "👨‍👩‍👧‍👦".repeat(16)];
  for (const emoji of tooLong) {
    await owner.post(reactions, { emoji }).expect(400, "validation_failed");
    await owner.delete(`${reactions}/${encodeURIComponent(emoji)}`).expect(404, "not_found");
  }
});

test("a message mentions up to a thousand people, each once, and only those who can read it", {
  timeout: 60_000,
}, async () => {
  const here = await world();
  const path = await messagesOfNew(here.owner);
  const ids = (
    await here.sql<{ id: string }>(
      `with added as (
         insert into app_user (id, kind, email, name, created_at, updated_at)
         select uuidv7(), 'person', $2 || n || '@many.test', 'M', now(), now() from generate_series(1, 1000) n returning id)
       insert into member (workspace_id, user_id, role, joined_at) select $1, id, 'member', now() from added
       returning user_id as id`,
      [here.workspace.id, here.workspace.slug],
    )
  ).map(({ id }) => id);
  const stranger = await here.other();
  const named = [...ids, stranger.owner.userId, ...ids.slice(0, 300)];
  const body_md = named.map((id) => `@[M](${id})`).join("");
  const { data } = await here.owner.post(path, { body_md }).expect(201);
  expect(data.mentions.map((one: { id: string }) => one.id).sort()).toEqual([...ids].sort());
});
