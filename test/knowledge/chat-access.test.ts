import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Client } from "../support/client.ts";
import { listen } from "../support/listen.ts";
import { connect, post, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** Readers of a channel who lose the right to read it while they listen. */

await servePublicly();

type Case = {
  /** Makes a channel and one of its readers. */
  prepare(here: World): Promise<{ channel: Record<string, unknown>; reader: Client }>;
  /** Takes away the reader's right. */
  take(here: World, reader: Client, channelId: string): Promise<unknown>;
};

const member = (here: World) => here.as({ role: "member" });

/** A member of a private channel. */
const invited = async (here: World) => {
  const reader = await member(here);
  return { reader, channel: { kind: "private", member_ids: [reader.userId] } };
};
/** A reader of a public channel. */
const anybody = async (here: World) => ({ reader: await member(here), channel: {} });
/** A member of a scoped project that has a public channel. */
const insider = async (here: World) => {
  await here.owner.patch("P", { scoped: true }).expect(200);
  return { reader: await here.as({ role: "member", projectRole: "member" }), channel: { project: here.project.key } };
};

const cases: Record<string, Case> = {
  "leaves the channel": {
    prepare: invited,
    take: (_, reader, id) => reader.delete(`W/chat/channels/${id}/members/me`).expect(200),
  },
  "is removed from the channel": {
    prepare: invited,
    take: ({ owner }, { userId }, id) => owner.delete(`W/chat/channels/${id}/members/${userId}`).expect(200),
  },
  "is removed from the workspace": {
    prepare: anybody,
    take: ({ owner }, { userId }) => owner.delete(`W/members/${userId}`).expect(200),
  },
  "is no longer an admin": {
    async prepare(here) {
      await here.owner.patch("P", { scoped: true }).expect(200);
      return { reader: await here.as({ role: "admin" }), channel: { project: here.project.key } };
    },
    take: ({ owner }, { userId }) => owner.patch(`W/members/${userId}`, { role: "member" }).expect(200),
  },
  "is removed from the channel's project": {
    prepare: insider,
    take: ({ owner }, { userId }) => owner.delete(`P/members/${userId}`).expect(200),
  },
  "no longer sees the channel's project": {
    prepare: async (here) => ({ reader: await member(here), channel: { project: here.project.key } }),
    take: ({ owner }) => owner.patch("P", { scoped: true }).expect(200),
  },
  "listens with a key that is revoked": {
    prepare: anybody,
    async take({ owner, sql }, { userId }) {
      const [key] = await sql<{ id: string }>(`select id from api_key where user_id = $1`, [userId]);
      await owner.delete(`W/api-keys/${key!.id}`).expect(200);
    },
  },
  "gives up a grant": {
    async prepare(here) {
      const { access_token, agent_id } = await connect(here, here.owner.userId, { scope: "read write" });
      const reader = new Client(here.app.baseUrl, {}, { key: access_token, userId: agent_id, email: "" });
      return { reader, channel: {} };
    },
    async take(here, { key, userId }) {
      const [grant] = await here.sql<{ client_id: string }>(`select client_id from api_key where user_id = $1`, [
        userId,
      ]);
      const reply = await post(here, "revoke", { token: key!, client_id: grant!.client_id });
      expect(reply.status).toBe(200);
    },
  },
};

test.each(Object.entries(cases))("a reader who %s hears nothing from that moment", async (_, { prepare, take }) => {
  const here = await world();
  const { reader, channel } = await prepare(here);
  const { id } = (await here.owner.post("W/chat/channels", { name: "General", ...channel }).expect(201)).data;
  const say = (body_md: string) => here.owner.post(`W/chat/channels/${id}/messages`, { body_md }).expect(201);
  const heard = await listen(here, reader, id);
  await say("1");
  await heard.until(({ data }) => data.body_md === "1");
  await take(here, reader, id);
  await say("2");
  await Promise.race([heard.ended, sleep(1_000)]);
  heard.stop();
  expect(heard.frames.map(({ event }) => event)).toEqual(["stream.ready", "chat.message.created", "stream.closed"]);
  expect(heard.frames.at(-1)!.data).toEqual({ reason: "no_access" });
});

test("a reader whose rights are changed and stay sufficient hears every message", async () => {
  const here = await world();
  const reader = await here.as({ role: "member" });
  const { id } = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data;
  const heard = await listen(here, reader, id);
  const texts = Array.from({ length: 20 }, (_, n) => `${n}`);
  for (const [n, body_md] of texts.entries()) {
    const role = n % 2 ? "member" : "viewer";
    await here.owner.patch(`W/members/${reader.userId}`, { role }).expect(200);
    await here.owner.post(`W/chat/channels/${id}/messages`, { body_md }).expect(201);
  }
  await heard.until(({ data }) => data.body_md === texts.at(-1));
  expect(heard.frames.slice(1).map(({ data }) => data.body_md)).toEqual(texts);
  heard.stop();
});
