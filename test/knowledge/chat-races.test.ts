import { expect, test } from "vitest";
import { closeStreams } from "../../src/workers/knowledge/close-streams.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { hold, waitersFor } from "../support/locks.ts";
import { world } from "../support/world.ts";

/** Chat, when two calls meet. The test locks a row until both have begun. */

const channels = "W/chat/channels";
const channel = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post(channels, { name: "General", ...body }).expect(201)).data.id as string;

const lockOf = (table: string, id: string) => hold(`select 1 from ${table} where id = $1 for update`, [id]);

test("a member who is removed from a private channel while they add themselves stays out", async () => {
  const here = await world();
  const [owner, other] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const id = await channel(owner, { kind: "private", member_ids: [other.userId] });
  const release = await lockOf("workspace", here.workspace.id);
  const joining = Promise.resolve(other.post(`${channels}/${id}/members`, { user_id: "me" }));
  await waitersFor(here, 1);
  await owner.delete(`${channels}/${id}/members/${other.userId}`).expect(200);
  await release();
  expect((await joining).status).toBe(404);
  await other.get(`${channels}/${id}`).expect(404);
});

test("somebody who is removed from the workspace while they write is no member of the channel", async () => {
  const here = await world();
  const leaver = await here.as({ role: "member" });
  const id = await channel(here.owner);
  const release = await lockOf("chat_channel", id);
  const writing = Promise.resolve(leaver.post(`${channels}/${id}/messages`, { body_md: "Bye" }));
  await waitersFor(here, 1);
  await here.owner.delete(`W/members/${leaver.userId}`).expect(200);
  await release();
  expect((await writing).status).toBe(404);
  expect((await here.owner.get(`${channels}/${id}/members`).expect(200)).data).toHaveLength(1);
  expect((await here.owner.get(`${channels}/${id}`).expect(200)).data).toMatchObject({
    member_count: 1,
    last_message_at: null,
  });
});

test("a channel keeps an owner when its owner and the next one leave at the same time", async () => {
  const here = await world();
  const people = [];
  for (let n = 0; n < 3; n++) people.push(await here.as({ role: "member" }));
  const [first, second, third] = people as [Client, Client, Client];
  const id = await channel(first, { kind: "private" });
  for (const { userId } of [second, third])
    await first.post(`${channels}/${id}/members`, { user_id: userId }).expect(201);
  const release = await hold("select 1 from chat_member where channel_id = $1 and user_id = $2 for update", [
    id,
    second.userId,
  ]);
  const leaving = Promise.resolve(second.delete(`${channels}/${id}/members/me`));
  await waitersFor(here, 1);
  const removing = Promise.resolve(here.owner.delete(`W/members/${first.userId}`));
  await waitersFor(here, 2);
  await release();
  expect([(await leaving).status, (await removing).status]).toEqual([200, 200]);
  const { data } = await third.get(`${channels}/${id}`).expect(200);
  expect(data).toMatchObject({ my_role: "owner", member_count: 1 });
});

test("a message that is deleted while a part arrives leaves no part behind", async () => {
  const here = await world();
  const id = await channel(here.owner);
  const messages = `${channels}/${id}/messages`;
  const { message_id } = (await here.owner.post(`${messages}/stream`, { delta: "a" }).expect(201)).data;
  const release = await lockOf("chat_message", message_id);
  const adding = Promise.resolve(here.owner.post(`${messages}/stream`, { message_id, seq: 1, delta: "b" }));
  await waitersFor(here, 1);
  const deleting = Promise.resolve(here.owner.delete(`${messages}/${message_id}`));
  await waitersFor(here, 2);
  await release();
  expect([(await adding).status, (await deleting).status]).toEqual([201, 200]);
  expect(await here.sql("select seq from chat_part where message_id = $1", [message_id])).toEqual([]);
});

test("a message whose author continues just before the sweep ends it stays open", async () => {
  const here = await world();
  const id = await channel(here.owner);
  const path = `${channels}/${id}/messages/stream`;
  const { message_id } = (await here.owner.post(path, { delta: "a" }).expect(201)).data;
  await here.sql("update chat_message set stream_due_at = now() where id = $1", [message_id]);
  const release = await lockOf("chat_channel", id);
  const sweep = drain({ also: [closeStreams] });
  await waitersFor(here, 1);
  await here.owner.post(path, { message_id, seq: 1, delta: "b" }).expect(201);
  await release();
  await sweep;
  const reply = await here.owner.post(path, { message_id, seq: 2, delta: "c" }).expect(201);
  expect(reply.data).toMatchObject({ done: false, length: 3 });
});
