import { expect, test } from "vitest";
import { agentIn } from "../support/agents.ts";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** Seeing a thing marks what is about it as read, and people stop hearing of things. */

await servePublicly();

const mention = ({ userId }: Client, name = "You") => `@[${name}](${userId})`;
type Unread = { kind: string; body: string; id: string; issue_key: string | null };
const unread = async (person: Client): Promise<Unread[]> =>
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

test("moving, closing and archiving an issue, and answering, mark what is about it as read; other changes do not", async () => {
  const here = await world();
  const ada = await here.as({ role: "member", name: "Ada" });
  const about = async () => {
    await here.owner.post("P/issues/WEB-1/comments", { body_md: mention(ada) }).expect(201);
    await here.owner.post("P/issues/WEB-2/comments", { body_md: mention(ada) }).expect(201);
    await drain();
    expect((await unread(ada)).filter(({ issue_key }) => issue_key === "WEB-1").length).toBeGreaterThan(0);
  };
  const left = async () => (await unread(ada)).filter(({ issue_key }) => issue_key !== "WEB-2");
  const others = async () => (await unread(ada)).length - (await left()).length;
  for (const title of ["x", "y"]) await here.owner.post("P/issues", { title, assignee: ada.userId }).expect(201);
  await about();
  await ada.patch("P/issues/WEB-1", { priority: "high" }).expect(200);
  await ada.post("P/issues/WEB-1/transition", { status: "nonsense" }).expect(400);
  await here.owner.post("P/issues/WEB-1/transition", { status: "todo" }).expect(200);
  expect(await left()).not.toEqual([]);
  const ways = [
    () => ada.post("P/issues/WEB-1/transition", { status: "in_progress" }).expect(200),
    () => ada.post("P/issues/WEB-1/transition", { status: "in_review", comment_md: "Look." }).expect(200),
    () => ada.patch("P/issues/WEB-1", { status: "done" }).expect(200),
    () => ada.patch("P/issues/WEB-1", { status: "todo", title: "z" }).expect(200),
    () => ada.post("P/issues/WEB-1/comments", { body_md: "Yes." }).expect(201),
    () => ada.post("P/issues/WEB-1/comments/bulk", { items: [{ body_md: "Yes." }] }).expect(201),
    () => ada.delete("P/issues/WEB-1").expect(200),
  ];
  for (const [n, way] of ways.entries()) {
    if (n > 0) await about();
    await way();
    expect(await left(), String(n)).toEqual([]);
    expect(await others()).toBeGreaterThan(0);
  }
});

test("an answered message and an answered question of an agent are read", async () => {
  const { here, ada, channel } = await notified();
  await ada.post(`W/chat/channels/${channel.id}/messages`, { body_md: "Yes" }).expect(201);
  expect(await kinds(ada)).toEqual(["assigned", "mentioned", "mentioned"]);
  const { client } = await agentIn(here);
  const { data: session } = await client.post("W/agent-sessions", { issue_key: "WEB-1", title: "Fix" }).expect(201);
  const question = { text: "Which one?", options: ["A", "B"] };
  await client.patch(`W/agent-sessions/${session.id}`, { state: "needs_input", question }).expect(200);
  await drain();
  expect(await kinds(ada)).toContain("session_needs_input");
  await ada.post("P/issues/WEB-1/comments", { body_md: "A" }).expect(201);
  expect(await kinds(ada)).toEqual(["mentioned"]);
});

test("an edit that repeats a mention notifies neither people nor agents again", async () => {
  const { here, ada, doc, channel } = await notified();
  const { id } = await agentIn(here);
  const both = `${mention(ada)} @[Bot](${id})`;
  const { owner } = here;
  const make = async (path: string) => {
    const { data } = await owner.post(path, { body_md: both }).expect(201);
    return `${path}/${data.id}`;
  };
  const texts = [
    await make("P/issues/WEB-1/comments"),
    await make(`W/docs/${doc.id}/comments`),
    await make(`W/chat/channels/${channel.id}/messages`),
  ];
  await drain();
  const told = async () => [
    await unread(ada).then((rows) => rows.map((row) => row.id)),
    await here.sql("select id from notification where workspace_id = $1 order by id", [here.workspace.id]),
    await here.sql("select seq, name from agent_frame where agent_id = $1 order by seq", [id]),
  ];
  const before = await told();
  expect(before[2]).not.toEqual([]);
  for (const path of texts) await owner.patch(path, { body_md: `${both} again, **${mention(ada)}**` }).expect(200);
  await drain();
  expect(await told()).toEqual(before);
});

test("a list of comments marks what is about the listed ones as read with mark_read", async () => {
  const { here, ada, doc } = await notified();
  await here.owner.post(`W/docs/${doc.id}/comments`, { body_md: mention(ada) }).expect(201);
  await drain();
  await ada.get("P/issues/WEB-1/comments").expect(200);
  await ada.get("P/issues/WEB-1/comments?mark_read=false").expect(200);
  expect(await kinds(ada)).toEqual(["assigned", "chat_mention", "mentioned", "mentioned", "mentioned"]);
  await ada.get("P/issues/WEB-1/comments?mark_read=true").expect(200);
  expect(await kinds(ada)).toEqual(["assigned", "chat_mention", "mentioned", "mentioned"]);
  await ada.get(`W/docs/${doc.id}/comments?mark_read=true`).expect(200);
  expect(await kinds(ada)).toEqual(["assigned", "chat_mention", "mentioned"]);
});

test("mark_read needs the scope to write notifications, and marks nothing without it", async () => {
  const { here, ada, doc } = await notified();
  const key = await here.keyFor(ada, { scopes: ["issues:read", "comments:read", "docs:read", "notifications:read"] });
  for (const path of ["P/issues/WEB-1", `W/docs/${doc.id}`].flatMap((path) => [path, `${path}/comments`])) {
    const { body } = await key.get(`${path}?mark_read=true`).expect(403, "insufficient_scope");
    expect(body.error.details.required_scope).toBe("notifications:write");
    await key.get(path).expect(200);
  }
  expect(await kinds(ada)).toHaveLength(4);
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

test("a mention that is edited away leaves no notification, unread or read", async () => {
  const { here, ada, doc } = await notified();
  await ada.get("P/issues/WEB-1?mark_read=true").expect(200);
  const [comment] = (await here.owner.get("P/issues/WEB-1/comments")).data;
  await here.owner.patch(`P/issues/WEB-1/comments/${comment.id}`, { body_md: `\`${mention(ada)}\`` }).expect(200);
  await here.owner.patch(`W/docs/${doc.id}`, { body_md: "Gone" }).expect(200);
  await drain();
  const left = (await ada.get("W/notifications").expect(200)).data.map(({ kind }: Unread) => kind).sort();
  expect(left).toEqual(["assigned", "chat_mention"]);
});

test("a notification shows the present name of the one who caused it", async () => {
  const { here, ada } = await notified();
  const shown = async () =>
    (await ada.get("W/notifications").expect(200)).data.map(({ title, actor_name }: Titled) => [title, actor_name]);
  type Titled = { title: string; actor_name: string };
  const before: [string, string][] = await shown();
  const former = before[0]![1];
  await here.sql("update app_user set name = 'Dmitri Petrov' where id = $1", [here.owner.userId]);
  expect(before[0]![0]).toContain(`${former} mentioned you`);
  expect(await shown()).toEqual(before.map(([title]) => [title.replace(former, "Dmitri Petrov"), "Dmitri Petrov"]));
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
