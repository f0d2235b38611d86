import { expect, test } from "vitest";
import { closeStreams } from "../../src/workers/knowledge/close-streams.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

const channels = "W/chat/channels";
const channel = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post(channels, { name: "General", ...body }).expect(201)).data.id as string;
const stream = (client: Client, id: string, body: Record<string, unknown>) =>
  client.post(`${channels}/${id}/messages/stream`, body);
const opened = async (client: Client, id: string, body: Record<string, unknown> = {}) =>
  (await stream(client, id, body).expect(201)).data.message_id as string;
const messagesOf = async (client: Client, id: string) =>
  (await client.get(`${channels}/${id}/messages`).expect(200)).data;
const eventsOf = ({ sql }: World, id: string) =>
  sql<{ type: string; data: Record<string, unknown>; changed: string[] | null; actor_kind: string }>(
    "select type, data, changed, actor_kind from event where type like 'chat.%' and data ->> 'id' = $1 order by id",
    [id],
  );

test("a message grows part by part, and everybody sees it grow", async () => {
  const here = await world();
  const reader = await here.as({ role: "member" });
  const id = await channel(here.owner);
  const first = (await stream(here.owner, id, { delta: "Hel" }).expect(201)).data;
  expect(first).toEqual({ message_id: expect.any(String), done: false, seq: 0, length: 3 });
  const message_id = first.message_id;
  expect((await messagesOf(reader, id))[0]).toMatchObject({
    ...{ id: message_id, body_md: "Hel", streaming: true, stream_status: "open", seq: 0 },
  });
  const second = (await stream(here.owner, id, { message_id, delta: "lo ", seq: 1 }).expect(201)).data;
  expect(second).toEqual({ message_id, done: false, seq: 1, length: 6 });
  expect((await messagesOf(reader, id))[0].body_md).toBe("Hello ");
  const last = (
    await stream(here.owner, id, { message_id, delta: `@[R](${reader.userId})`, seq: 2, done: true }).expect(201)
  ).data;
  expect(last).toMatchObject({ done: true, seq: 2 });
  const [message] = await messagesOf(reader, id);
  expect(message).toMatchObject({
    ...{ body_md: `Hello @[R](${reader.userId})`, streaming: false, stream_status: "done", edited_at: null },
    mentions: [{ id: reader.userId, kind: "user" }],
  });
  expect(await here.sql("select 1 from chat_part where message_id = $1", [message_id])).toEqual([]);
  const events = await eventsOf(here, message_id);
  expect(events.map(({ type, data }) => [type, data.streaming, data.body_md])).toEqual([
    ["chat.message.created", true, "Hel"],
    ["chat.message.updated", false, message.body_md],
  ]);
  expect(events[1]!.changed).toEqual(["streaming", "stream_status", "mentions", "body_md"]);
});

test("repeats are ignored, gaps are refused, and nothing follows the end", async () => {
  const here = await world();
  const other = await here.as({ role: "member" });
  const { owner } = here;
  const id = await channel(owner);
  const message_id = await opened(owner, id, { delta: "a", client_id: "c" });
  expect(await opened(owner, id, { delta: "zzz", client_id: "c" })).toBe(message_id);
  const append = (seq: number | undefined, delta: string, more: Record<string, unknown> = {}) =>
    stream(owner, id, { message_id, seq, delta, ...more });
  await append(1, "b").expect(201);
  expect((await append(1, "REPEATED").expect(201)).data).toEqual({ message_id, done: false, seq: 1, length: 2 });
  expect((await append(0, "REPEATED").expect(201)).data.seq).toBe(1);
  const gap = await append(3, "d").expect(409, "stream_gap");
  expect(gap.body.error.details.expected_seq).toBe(2);
  const refused = await stream(other, id, { message_id, seq: 2, delta: "x" }).expect(403, "not_owner_of_resource");
  expect(refused.body.detail).toBe("Only its author can add parts to a message. Open one of your own.");
  await stream(owner, id, { message_id: owner.userId, delta: "x" }).expect(404);
  await append(2, "c", { body_md: "x" }).expect(400, "validation_failed");
  expect((await append(undefined, "c").expect(201)).data).toMatchObject({ seq: 2, length: 3 });
  await owner.patch(`${channels}/${id}/messages/${message_id}`, { body_md: "x" }).expect(409, "invalid_state_change");
  await append(3, "d", { done: true }).expect(201);
  expect((await append(3, "d", { done: true }).expect(201)).data).toEqual({
    message_id,
    done: true,
    seq: 3,
    length: 4,
  });
  await append(4, "e").expect(409, "stream_closed");
  await append(3, "d").expect(409, "stream_closed");
  await append(undefined, "", { done: true }).expect(409, "stream_closed");
  expect((await messagesOf(owner, id)).map(({ body_md }: { body_md: string }) => body_md)).toEqual(["abcd"]);
});

test("the end may replace the text, an empty message disappears, and a text has a limit", async () => {
  const here = await world();
  const { owner } = here;
  const id = await channel(owner);
  const replaced = await opened(owner, id, { delta: "draft" });
  await stream(owner, id, { message_id: replaced, done: true, body_md: "Final" }).expect(201);
  const empty = await opened(owner, id);
  await stream(owner, id, { message_id: empty, done: true, seq: 1 }).expect(201);
  expect((await messagesOf(owner, id)).map(({ body_md }: { body_md: string }) => body_md)).toEqual(["Final"]);
  expect((await eventsOf(here, empty)).map(({ type }) => type)).toEqual([
    "chat.message.created",
    "chat.message.deleted",
  ]);
  expect((await stream(owner, id, { message_id: empty, done: true, seq: 1 }).expect(201)).data.done).toBe(true);

  const long = await opened(owner, id, { delta: "x".repeat(16_000) });
  for (let n = 0; n < 3; n++) await stream(owner, id, { message_id: long, delta: "x".repeat(16_000) }).expect(201);
  await stream(owner, id, { message_id: long, delta: "y" }).expect(400, "validation_failed");
  expect((await stream(owner, id, { message_id: long, done: true }).expect(201)).data.length).toBe(64_000);
  await stream(owner, id, { delta: "x".repeat(16_001) }).expect(400, "validation_failed");
});

test("1,000 parts of a client that repeats, reorders and breaks off give the text once", async () => {
  const { owner } = await world();
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  const random = seeded(seed);
  const id = await channel(owner);
  const parts = Array.from({ length: 1_000 }, (_, n) => `${n} `);
  const message_id = await opened(owner, id, { delta: parts[0] });
  let next = 1;
  while (next < parts.length) {
    // A few parts at once, some of them twice, in any order; replies of some are never read.
    const from = Math.max(1, next - random.below(3));
    const batch = Array.from({ length: 1 + random.below(6) }, (_, n) => from + n).filter((n) => n < parts.length);
    const shuffled = [...batch, ...batch.filter(() => random.below(10) < 3)].sort(() => random.below(3) - 1);
    const replies = await Promise.all(
      shuffled.map(async (seq) => (await stream(owner, id, { message_id, seq, delta: parts[seq] })).body),
    );
    const known = replies.map((body) => body.data?.seq ?? body.error.details.expected_seq - 1);
    next = Math.max(next, ...known.map((seq) => seq + 1));
    for (const body of replies) if (!body.data) expect(body.code).toBe("stream_gap");
  }
  await stream(owner, id, { message_id, seq: parts.length, done: true }).expect(201);
  expect((await messagesOf(owner, id))[0].body_md, `FUZZ_SEED=${seed}`).toBe(parts.join(""));
}, 60_000);

test("a stream that is silent for two minutes ends, once", async () => {
  const here = await world();
  const { owner, sql } = here;
  const id = await channel(owner);
  const [message_id, empty] = [await opened(owner, id, { delta: "half" }), await opened(owner, id)];
  await sql("update chat_message set stream_due_at = now() where channel_id = $1", [id]);
  await drain({ also: [closeStreams] });
  const [message, ...others] = await messagesOf(owner, id);
  expect(others).toEqual([]);
  expect(message).toMatchObject({ id: message_id, body_md: "half", streaming: false, stream_status: "timed_out" });
  await stream(owner, id, { message_id, delta: "x" }).expect(409, "stream_closed");
  const events = await eventsOf(here, message_id);
  expect(events.map(({ type, actor_kind }) => [type, actor_kind])).toEqual([
    ["chat.message.created", "user"],
    ["chat.message.updated", "system"],
  ]);
  expect((await eventsOf(here, empty)).map(({ type }) => type)).toEqual([
    "chat.message.created",
    "chat.message.deleted",
  ]);
});
