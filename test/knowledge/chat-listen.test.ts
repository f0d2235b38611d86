import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { listen } from "../support/listen.ts";
import { world } from "../support/world.ts";

const channels = "W/chat/channels";
const channel = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post(channels, { name: "General", ...body }).expect(201)).data.id as string;

test("readers hear messages, and parts while they are written", async () => {
  const here = await world();
  const reader = await here.as({ role: "viewer" });
  const id = await channel(here.owner);
  const heard = await listen(here, reader, id);
  expect(heard.reply.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await here.owner.post(`${channels}/${id}/messages`, { body_md: "Hello" }).expect(201);
  const stream = (body: Record<string, unknown>) =>
    here.owner.post(`${channels}/${id}/messages/stream`, body).expect(201);
  const { message_id } = (await stream({ delta: "a" })).data;
  for (let seq = 1; seq <= 20; seq++) await stream({ message_id, seq, delta: `${seq} ` });
  await stream({ message_id, seq: 20, delta: "again" });
  await stream({ message_id, seq: 21, done: true });
  await heard.until(({ event, data }) => event === "chat.message.updated" && data.id === message_id);
  const reacted = await here.owner
    .post(`${channels}/${id}/messages/${message_id}/reactions`, { emoji: "🎉" })
    .expect(200);
  await heard.until(({ event }) => event === "chat.message.reactions");
  expect(heard.frames.pop()!.data).toEqual(reacted.data);
  const deltas = heard.frames.filter(({ event }) => event === "chat.message.delta").map(({ data }) => data);
  expect(deltas.map(({ seq }) => seq)).toEqual(Array.from({ length: 22 }, (_, n) => n));
  const text = deltas.map(({ delta }) => delta).join("");
  expect(deltas.at(-1)).toEqual({ message_id, channel_id: id, seq: 21, delta: "", done: true });
  const [created, opened] = heard.frames.filter(({ event }) => event === "chat.message.created");
  expect(created!.data.body_md).toBe("Hello");
  expect(opened!.data).toMatchObject({ id: message_id, streaming: true, body_md: "a" });
  expect(heard.frames.at(-1)!.data).toMatchObject({ body_md: text, streaming: false });
  heard.stop();
  await heard.ended;
});

test("a member who leaves a private channel hears nothing from that moment", async () => {
  const here = await world();
  const [a, b] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const id = await channel(a, { kind: "private", member_ids: [b.email] });
  const heard = await listen(here, b, id);
  await a.post(`${channels}/${id}/messages`, { body_md: "1" }).expect(201);
  await heard.until(({ data }) => data.body_md === "1");
  await b.delete(`${channels}/${id}/members/me`).expect(200);
  await a.post(`${channels}/${id}/messages`, { body_md: "2" }).expect(201);
  await heard.ended;
  expect(heard.frames.map(({ event }) => event)).toEqual(["stream.ready", "chat.message.created", "stream.closed"]);
  expect(heard.frames.at(-1)!.data).toEqual({ reason: "no_access" });
  await b.get(`${channels}/${id}/stream`).expect(404);
});

test("a key whose expiry is moved hears nothing after its new end", async () => {
  const here = await world();
  const id = await channel(here.owner);
  const { data } = await here.owner.post("W/api-keys", { name: "Reader", scopes: ["chat:read"] }).expect(201);
  const heard = await listen(here, { ...here.owner, key: data.plaintext } as Client, id);
  const expires_at = new Date(Date.now() + 1_000).toISOString();
  await here.owner.patch(`W/api-keys/${data.id}`, { expires_at }).expect(200);
  await heard.ended;
  expect(Date.now() - Date.parse(expires_at)).toBeLessThan(3_000);
});

test("a key has at most 20 streams open, and opens at most 60 a minute", async () => {
  const here = await world();
  const id = await channel(here.owner);
  const open = await Promise.all(Array.from({ length: 20 }, () => listen(here, here.owner, id)));
  const refused = await here.owner.get(`${channels}/${id}/stream`).expect(429, "too_many_streams");
  expect(refused.headers.get("retry-after")).toBe("60");
  open[0]!.stop();
  await open[0]!.ended;
  const next = await listen(here, here.owner, id);
  for (const one of [...open, next]) one.stop();
  await Promise.all([...open, next].map(({ ended }) => ended));
  // 22 calls so far.
  for (let calls = 22; calls < 60; calls++) {
    const one = await listen(here, here.owner, id);
    one.stop();
    await one.ended;
  }
  const { body, headers } = await here.owner.get(`${channels}/${id}/stream`).expect(429, "rate_limited");
  expect(body.error.details).toMatchObject({ limit: 60, "violated-policies": ["chat-messages.listen"] });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  await here.owner.get(`${channels}/${id}`).expect(200);
});
