import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** Seeing a thing marks what is about it as read, and people stop hearing of things. */

await servePublicly();

const mention = ({ userId }: Client, name = "You") => `@[${name}](${userId})`;
const unread = async (person: Client): Promise<{ kind: string; body: string; id: string }[]> =>
  (await person.get("W/notifications?unread=true").expect(200)).data;
const kinds = async (person: Client) => (await unread(person)).map(({ kind }) => kind).sort();

async function notified(): Promise<{ here: World; ada: Client; doc: { id: string }; channel: { id: string } }> {
  const here = await world();
  const ada = await here.as({ role: "member", name: "Ada" });
  await here.owner.post("P/issues", { title: "x", assignee: ada.userId }).expect(201);
  await here.owner.post("P/issues/WEB-1/comments", { body_md: `**Look**, ${mention(ada)}` }).expect(201);
  const { data: doc } = await here.owner.post("W/docs", { title: "Plan", body_md: mention(ada) }).expect(201);
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "general" }).expect(201);
  await here.owner.post(`W/chat/channels/${channel.id}/messages`, { body_md: mention(ada) }).expect(201);
  await drain();
  return { here, ada, doc, channel };
}

test("pages that a person sees mark what is about them as read, and neither HEAD nor a prefetch does", async () => {
  const { here, ada, doc, channel } = await notified();
  expect(await kinds(ada)).toEqual(["assigned", "chat_mention", "mentioned", "mentioned"]);
  const visitor = await browser(here.app, ada.userId);
  const base = `/w/${here.workspace.slug}`;
  for (const headers of [{ "sec-purpose": "prefetch" }, { purpose: "prefetch" }])
    await visitor.get(`${base}/p/web/WEB-1`, { ...headers } as unknown as Record<string, string>);
  expect(await kinds(ada)).toHaveLength(4);
  const issue = await visitor.get(`${base}/p/web/WEB-1`);
  expect(issue.text).toMatch(/id="unread"><span class="count">2</);
  expect(await kinds(ada)).toEqual(["chat_mention", "mentioned"]);
  await visitor.get(`${base}/docs/${doc.id}`);
  expect(await kinds(ada)).toEqual(["chat_mention"]);
  await visitor.get(`${base}/chat/${channel.id}`);
  expect(await kinds(ada)).toEqual([]);
});

test("reads of the API mark what is about an object as read only with mark_read", async () => {
  const { ada, doc, channel } = await notified();
  await ada.get("P/issues/WEB-1").expect(200);
  expect(await kinds(ada)).toHaveLength(4);
  await ada.get("P/issues/WEB-1?mark_read=true").expect(200);
  expect(await kinds(ada)).toEqual(["chat_mention", "mentioned"]);
  await ada.get(`W/docs/${doc.id}?mark_read=true`).expect(200);
  expect(await kinds(ada)).toEqual(["chat_mention"]);
  await ada.get(`W/chat/channels/${channel.id}/messages?mark_read=false`).expect(200);
  expect(await kinds(ada)).toEqual(["chat_mention"]);
  await ada.post(`W/chat/channels/${channel.id}/read`, {}).expect(200);
  expect(await kinds(ada)).toEqual([]);
});

test("whoever stops watching an issue hears of it again after a mention or an assignment, and not after a comment", async () => {
  const here = await world();
  const ada = await here.as({ role: "member", name: "Ada" });
  const comments = "P/issues/WEB-1/comments";
  await ada.post("P/issues", { title: "x", assignee: ada.userId }).expect(201);
  await ada.delete("P/issues/WEB-1/watchers/me").expect(200);
  await ada.post(comments, { body_md: "Done." }).expect(201);
  await here.owner.post(comments, { body_md: "And?" }).expect(201);
  await here.owner.patch("P/issues/WEB-1", { status: "in_progress" }).expect(200);
  await drain();
  expect(await kinds(ada)).toEqual([]);
  const watchers = async () =>
    (await ada.get("P/issues/WEB-1/watchers")).data.map((w: { user_id: string }) => w.user_id);
  expect(await watchers()).toEqual([here.owner.userId]);
  await here.owner.post(comments, { body_md: `You, ${mention(ada)}` }).expect(201);
  await here.owner.post(comments, { body_md: "And?" }).expect(201);
  await drain();
  expect(await kinds(ada)).toEqual(["commented", "mentioned"]);
  expect(await watchers()).toContain(ada.userId);
});

test("people watch docs and stop, and mute conversations", async () => {
  const here = await world();
  const [ada, bob] = [await here.as({ role: "member", name: "Ada" }), await here.as({ role: "member" })];
  const { data: doc } = await ada.post("W/docs", { title: "Plan" }).expect(201);
  const watchers = `W/docs/${doc.id}/watchers`;
  expect((await bob.get(watchers).expect(200)).data).toMatchObject([{ user_id: ada.userId, name: "Ada" }]);
  await bob.post(watchers).expect(200);
  await bob.delete(`${watchers}/${ada.userId}`).expect(403);
  await ada.delete(`${watchers}/me`).expect(200);
  await ada.post(`W/docs/${doc.id}/comments`, { body_md: "Mine" }).expect(201);
  expect((await ada.get(watchers)).data).toMatchObject([{ user_id: bob.userId }]);
  await here.owner.post(`W/docs/${doc.id}/comments`, { body_md: "Fine" }).expect(201);
  const { data: dm } = await here.owner.post("W/chat/dms", { user_ids: [ada.userId] }).expect(201);
  const me = `W/chat/channels/${dm.id}/members/me`;
  expect((await ada.patch(me, { muted: true }).expect(200)).data.muted).toBe(true);
  await ada.patch(`W/chat/channels/${dm.id}/members/${here.owner.userId}`, { muted: true }).expect(403);
  await here.owner.post(`W/chat/channels/${dm.id}/messages`, { body_md: "Hello" }).expect(201);
  await drain();
  expect([await kinds(ada), await kinds(bob)]).toEqual([[], ["commented", "commented"]]);
  await here.owner.post(`W/chat/channels/${dm.id}/messages`, { body_md: `Hello ${mention(ada)}` }).expect(201);
  await drain();
  expect(await kinds(ada)).toEqual(["chat_mention"]);
});

test("a mention that is edited away notifies nobody any more", async () => {
  const { here, ada, doc } = await notified();
  const [comment] = (await here.owner.get("P/issues/WEB-1/comments")).data;
  await here.owner.patch(`P/issues/WEB-1/comments/${comment.id}`, { body_md: `\`${mention(ada)}\`` }).expect(200);
  await here.owner.patch(`W/docs/${doc.id}`, { body_md: "Gone" }).expect(200);
  await drain();
  expect(await kinds(ada)).toEqual(["assigned", "chat_mention"]);
});

test("mentions show the present name of the id, whatever was typed", async () => {
  const here = await world();
  const ben = await here.as({ role: "member", name: "Ben" });
  const ada = await here.as({ role: "member", name: "Ada" });
  const text = `${mention(ben, "Olive")} approved, **${mention(ada)}**; @[Eve](01a20b0f-8918-7393-9d1d-dea9ae191826)`;
  await here.owner.post("P/issues", { title: "x", description_md: text }).expect(201);
  const { data } = await here.owner.post("P/issues/WEB-1/comments", { body_md: text }).expect(201);
  expect(data.body_html).toContain(">@Ben</span> approved");
  await drain();
  await here.sql("update app_user set name = 'Benedict' where id = $1", [ben.userId]);
  expect((await here.owner.get("P/issues/WEB-1/comments")).data[0].body_html).toContain(">@Benedict</span> approved");
  expect((await unread(ada)).find(({ kind }) => kind === "mentioned")?.body).toMatch(
    /^(x|@Benedict approved, @Ada; @Eve)$/,
  );
  const page = await (await browser(here.app, ada.userId)).get(`/w/${here.workspace.slug}/p/web/WEB-1`);
  expect(page.text.split(">@Benedict</a>")).toHaveLength(3);
  expect(page.text).toContain("; @Eve</p>");
  expect(page.text).not.toContain("@Olive<");
  const { data: doc } = await here.owner.post("W/docs", { title: "D", body_md: `${text} \`x\`` }).expect(201);
  const exported = async (format: string) =>
    (await here.owner.get(`W/docs/${doc.id}/export?format=${format}`).expect(200)).data.content;
  expect(await exported("md")).toContain(`@[Benedict](${ben.userId}) approved`);
  expect(await exported("html")).toContain('<span class="mention">@Benedict</span> approved');
  expect((await here.owner.get(`W/docs/${doc.id}`)).data.body_md).toContain("@[Olive](");
});
