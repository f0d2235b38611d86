import { expect, test } from "vitest";
import { beginningOf } from "../../src/api/pages/kit/beginning.ts";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { linkOn, open, plain, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { counting } from "../support/statements.ts";
import { type World, world } from "../support/world.ts";

/** Chat as pages: channels, messages, threads and reactions. */

await servePublicly();

const chatOf = ({ workspace }: World) => `/w/${workspace.slug}/chat`;

test("people make a channel, write, react, answer in a thread, change and delete", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const channel = await sendForm(visitor, await visitor.get(chatOf(here)), {
    name: "<b>Release</b>",
    topic: "",
    kind: "public",
  });
  expect(channel.text).toContain("&lt;b&gt;Release&lt;&#x2F;b&gt;</h1>");
  const sent = await sendForm(visitor, channel, { body_md: "It is **ready** <script>" });
  expect(sent.text).toContain("It is <strong>ready</strong> &lt;script&gt;");
  const { data: channels } = (await here.owner.get("W/chat/channels")).body;
  const path = `${chatOf(here)}/${channels[0].id}`;
  const read = async () => (await here.owner.get(`W/chat/channels/${channels[0].id}/messages`)).body.data;
  const [{ id }] = await read();

  const menu = await visitor.get(`${path}?on=${id}`);
  const reacted = await visitor.follow(await visitor.post(`${path}/messages/${id}/react`, { emoji: "🎉" }));
  expect(menu.text).toContain("React with 🎉");
  expect(reacted.text).toContain('aria-pressed="true"');
  await visitor.post(`${path}/messages/${id}/unreact`, { emoji: "🎉" });
  expect((await read())[0].reactions).toEqual([]);

  const thread = await visitor.get(`${path}?thread=${id}`);
  const answered = await sendForm(visitor, thread, { body_md: "Great!", thread: id });
  expect(answered.text).toContain("Great!");
  expect(answered.text).toContain("It is <strong>ready</strong>");
  const whole = await visitor.get(path);
  expect(whole.text).toContain("1 reply</a>");
  expect(whole.text).not.toContain("Great!");

  const changed = await sendForm(visitor, await visitor.get(`${path}?on=${id}`), { body_md: "It is out" });
  expect(changed.text).toContain("The message is changed.");
  const deleted = await visitor.follow(await visitor.post(`${path}/messages/${id}/delete`));
  expect(deleted.text).toContain("This message was deleted.");
});

test("a message that is sent twice is written once, and an empty one is refused", async () => {
  const here = await world();
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "One" }).expect(201);
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${chatOf(here)}/${channel.id}`;
  const once = /name="once" value="([^"]+)"/.exec((await visitor.get(path)).text)![1]!;
  for (let n = 0; n < 2; n++) expect((await visitor.post(`${path}/write`, { body_md: "Hi", once })).status).toBe(303);
  expect((await here.owner.get(`W/chat/channels/${channel.id}/messages`)).body.data).toHaveLength(1);
  expect((await visitor.post(`${path}/write`, { body_md: "" })).status).toBe(400);
});

test("unread messages are counted until the channel is read; older ones are on further pages", async () => {
  const here = await world();
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "Busy" }).expect(201);
  const member = await here.as({ role: "member", name: "Ada Lovelace" });
  const visitor = await browser(here.app, member.userId);
  await member.post(`W/chat/channels/${channel.id}/members`, {}).expect(201);
  for (let n = 1; n <= 52; n++)
    await here.owner.post(`W/chat/channels/${channel.id}/messages`, { body_md: `Message ${n}.` });
  expect((await visitor.get(chatOf(here))).text).toContain("52 new");
  const page = await visitor.get(`${chatOf(here)}/${channel.id}`);
  expect(page.text).not.toContain("Message 2.");
  const older = /href="([^"]*)" rel="next"/
    .exec(page.text)![1]!
    .replaceAll("&amp;", "&")
    .replaceAll("&#x3D;", "=")
    .replaceAll("&#x2F;", "/");
  expect((await open(visitor, older)).text).toContain("Message 2.");
  expect((await visitor.get(chatOf(here))).text).not.toContain(" new</span>");
  const dm = await visitor.follow(await visitor.post(`${chatOf(here)}/new/dm`, { user_ids: here.owner.userId }));
  expect((await visitor.post(`${chatOf(here)}/new/dm`)).status).toBe(400);
  expect(dm.text).toContain("Olive Owner</h1>");
});

test("a long message is cut, and shown whole to those who want to read it", async () => {
  const here = await world();
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "Long" }).expect(201);
  const write = async (body_md: string) =>
    (await here.owner.post(`W/chat/channels/${channel.id}/messages`, { body_md }).expect(201)).data.id as string;
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${chatOf(here)}/${channel.id}`;
  const toWhole = ({ text }: { text: string }) => plain(/href="([^"]*whole[^"]*)"/.exec(text)![1]!);
  await write("Short.");
  const before = (await visitor.get(path)).text.length;
  const id = await write(`${"a\n\n".repeat(19_000)}The end.`);
  const cut = await visitor.get(path);
  // Fifty of them are less than a megabyte.
  expect(cut.text.length - before).toBeLessThan(20_000);
  expect(cut.text).not.toContain("The end.");
  expect(cut.text.match(/Show all/g)).toHaveLength(1);
  const whole = await visitor.get(toWhole(cut));
  expect(whole.text).toContain("The end.");
  expect(whole.text).not.toContain("Show all");
  const thread = await visitor.get(`${path}?thread=${id}`);
  expect(thread.text).not.toContain("The end.");
  expect((await visitor.get(toWhole(thread))).text).toContain("The end.");
});

test("the beginning of a text ends with a line or a word, and never within a character", () => {
  expect(beginningOf("word ".repeat(600))).toBeNull();
  expect(beginningOf("line\n".repeat(70))).toBeNull();
  expect(beginningOf("line\n".repeat(90))).toBe("line\n".repeat(60).trim());
  expect(beginningOf("word ".repeat(1_000))).toBe(`${"word ".repeat(600).trim()}…`);
  expect(beginningOf(`${"a line of words\n".repeat(50)}${"x".repeat(9_000)}`)).toMatch(/x…$/);
  expect(beginningOf(`x${"😀".repeat(3_000)}`)).toBe(`x${"😀".repeat(1_499)}…`);
});

test("direct messages are listed by the names of the others", async () => {
  const here = await world();
  const [ada, bo] = [await here.as({ role: "member", name: "Ada <b>" }), await here.as({ role: "member", name: "Bo" })];
  const { data: dm } = await here.owner.post("W/chat/dms", { user_ids: [ada.userId, bo.userId] }).expect(201);
  const others = [ada, bo].map(({ userId }) => expect.objectContaining({ user_id: userId, kind: "user" }));
  expect(dm.others).toEqual(expect.arrayContaining(others));
  expect(dm.others).toHaveLength(2);
  const visitor = await browser(here.app, here.owner.userId);
  const { result, statements } = await counting(() => visitor.get(chatOf(here)));
  expect(result.text).toMatch(/(Ada &lt;b&gt;, Bo|Bo, Ada &lt;b&gt;)<\/a>/);
  expect(statements.filter((name) => name.includes("channel_members"))).toEqual([]);
});

test("private channels and other tenants' are not found; in archived ones nobody writes", async () => {
  const here = await world();
  const { data: secret } = await here.owner.post("W/chat/channels", { name: "Secret", kind: "private" }).expect(201);
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "Open" }).expect(201);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const list = await viewer.get(chatOf(here));
  expect(list.text).not.toContain("Secret");
  expect(list.text).not.toContain("New channel");
  expect((await viewer.get(`${chatOf(here)}/${secret.id}`)).status).toBe(404);
  expect((await viewer.post(`${chatOf(here)}/${secret.id}/write`, { body_md: "x" })).status).toBe(404);
  expect((await viewer.get(`${chatOf(here)}/${channel.id}`)).text).not.toContain("Archive");
  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  expect((await stranger.get(`${chatOf(other)}/${channel.id}`)).status).toBe(404);
  const owner = await browser(here.app, here.owner.userId);
  const archived = await owner.follow(await owner.post(`${chatOf(here)}/${channel.id}/archive`));
  expect(archived.text).toContain("This channel is archived.");
  expect(archived.text).not.toContain("/write");
});

test("a link to an old message opens it among those around it, and a reply in its thread", async () => {
  const here = await world();
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "Long", project: "WEB" }).expect(201);
  const messages = `W/chat/channels/${channel.id}/messages`;
  const ids: string[] = [];
  for (let n = 1; n <= 80; n++)
    ids.push((await here.owner.post(messages, { body_md: `Message ${n}.` }).expect(201)).body.data.id);
  const { data: reply } = await here.owner.post(messages, { body_md: "An answer", parent_id: ids[0] }).expect(201);
  const member = await here.as({ role: "member", name: "Ada Lovelace" });
  await member.post(`W/chat/channels/${channel.id}/members`, {}).expect(201);
  const visitor = await browser(here.app, member.userId);
  const path = `${chatOf(here)}/${channel.id}`;

  const old = await visitor.get(`${path}?at=${ids[19]}`);
  expect(old.text).toContain(`id="message-${ids[19]}"`);
  expect(old.text).toContain("Message 1.");
  expect(old.text).not.toContain("Message 80.");
  expect(old.text).not.toContain(`${path}/write`);
  const newer = await open(visitor, linkOn(old, "Newer messages"));
  expect(newer.text).toContain("Message 60.");
  expect((await open(visitor, linkOn(newer, "Older messages"))).text).toContain("Message 20.");
  const newest = await open(visitor, linkOn(old, "Newest messages"));
  expect(newest.text).toContain("/write");
  expect(newest.text).toContain("Website</a>");
  // The reply that only a thread shows is read, too.
  expect((await member.get(`W/chat/channels/${channel.id}`)).body.data.unread_count).toBe(0);

  const replied = await visitor.get(`${path}?at=${reply.id}`);
  expect(replied.headers.get("location")).toContain(`?thread=${ids[0]}&at=${reply.id}#message-${reply.id}`);
  const thread = await visitor.follow(replied);
  expect(thread.text).toContain("An answer");
  expect(thread.text).toContain("Message 1.");
  // A form returns to where it was.
  const reacted = await visitor.post(`${path}/messages/${ids[19]}/react`, { emoji: "🎉", older: "true" });
  expect(reacted.headers.get("location")).toContain(`?at=${ids[19]}#message-`);
  expect((await visitor.get(`${path}?at=${channel.id}`)).text).toContain("This message was deleted.");
});

test("owners of a channel add and remove people; others join and leave", async () => {
  const here = await world();
  const ada = await here.as({ role: "member", name: "Ada <b>Lovelace" });
  const eve = await here.as({ role: "member", name: "Eve" });
  const { data: secret } = await ada.post("W/chat/channels", { name: "Secret", kind: "private" }).expect(201);
  const path = `${chatOf(here)}/${secret.id}`;
  const [owner, stranger] = [await browser(here.app, ada.userId), await browser(here.app, eve.userId)];
  const page = await owner.get(path);
  const added = await sendForm(owner, page, { user_id: eve.userId });
  expect(added.text).toContain("Eve is in the channel now.");
  const seen = await stranger.get(path);
  expect(seen.text).toContain("Ada &lt;b&gt;Lovelace");
  expect(seen.text).not.toMatch(/\/(add|remove)"/);
  expect((await stranger.post(`${path}/add`, { user_id: here.owner.userId })).status).toBe(403);
  expect((await stranger.post(`${path}/remove`, { user_id: ada.userId })).status).toBe(403);
  const removed = await owner.follow(await owner.post(`${path}/remove`, { user_id: eve.userId }));
  expect(removed.text).toContain("They are not in the channel any more.");
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.post(`${path}/join`)).status).toBe(404);
  const { data: open } = await ada.post("W/chat/channels", { name: "Open" }).expect(201);
  const joined = await stranger.follow(await stranger.post(`${chatOf(here)}/${open.id}/join`));
  expect(joined.text).toContain("You are in the channel now.");
  expect((await stranger.follow(await stranger.post(`${chatOf(here)}/${open.id}/leave`))).text).toContain(
    "You have left the channel.",
  );
});

test.skipIf(noBrowser)(`chat in four looks${noBrowser}`, { timeout: 180_000 }, async () => {
  const here = await world();
  const { data: channel } = await here.owner
    .post("W/chat/channels", { name: "Release 2.0", topic: "What is left to do until Friday" })
    .expect(201);
  await here.owner.post("W/chat/channels", { name: "Donaudampfschifffahrt".repeat(3), kind: "private" }).expect(201);
  const ada = await here.as({ role: "member", name: "Ada Lovelace" });
  const bot = await here.as({ role: "member", name: "Release bot", isAgent: true });
  await here.owner.post(`W/chat/channels/${channel.id}/members`, { user_id: bot.userId }).expect(201);
  const path = `W/chat/channels/${channel.id}/messages`;
  const { data: first } = await ada
    .post(path, { body_md: "The changelog is ready. Who reads it?\n\n- English\n- German" })
    .expect(201);
  await here.owner.post(path, { body_md: "I do.", parent_id: first.id }).expect(201);
  await here.owner.post(`${path}/${first.id}/reactions`, { emoji: "🎉" }).expect(200);
  await bot.post(`${path}/stream`, { delta: "Reading the **errors** of the last hour" }).expect(201);
  const { data: own } = await here.owner
    .post(path, { body_md: `Thanks ${"Donaudampfschifffahrt".repeat(6)} مرحبا` })
    .expect(201);
  await ada.post(path, { body_md: "See #WEB-1" }).expect(201);
  await ada.post(path, { body_md: `What the log says:\n\n${"- a line of it\n".repeat(80)}` }).expect(201);
  const page = await tabOf(here, here.owner);
  const base = `${here.app.baseUrl}${chatOf(here)}`;
  await page.goto(base);
  await page.click("text=New direct message");
  await look(page, "chat");
  await page.goto(`${base}/${channel.id}?on=${own.id}`);
  await look(page, "channel");
  await page.goto(`${base}/${channel.id}?about=open`);
  await look(page, "channel-people");
  await page.goto(`${base}/${channel.id}?thread=${first.id}`);
  await look(page, "thread");
});
