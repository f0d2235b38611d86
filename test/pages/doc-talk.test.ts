import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** What is said about a doc, and its history, as pages. */

await servePublicly();
const here = await world();
const docs = `/w/${here.workspace.slug}/docs`;
const ada = await here.as({ role: "member", name: "Ada <b>Lovelace" });
const viewer = await here.as({ role: "viewer" });
const newDoc = async (body_md = "one\ntwo\nthree") =>
  (await here.owner.post("W/docs", { title: "Plan", body_md }).expect(201)).body.data as { id: string };

test("people comment on a doc, answer, change, resolve and delete", async () => {
  const { id } = await newDoc();
  const path = `${docs}/${id}`;
  const visitor = await browser(here.app, here.owner.userId);
  const talk = async () => (await here.owner.get(`W/docs/${id}/comments`)).body.data;

  const form = await visitor.get(path);
  const said = await sendForm(visitor, form, { body_md: "Who **signs** it? <script>", quote: "<i>two" });
  expect(said.text).toContain("Your comment is added.");
  expect(said.text).toContain("Who <strong>signs</strong> it? &lt;script&gt;");
  expect(said.text).toContain("&lt;i&gt;two</blockquote>");
  // The same sending of the form again.
  const once = /name="once" value="([^"]+)"/.exec(form.text)![1]!;
  await visitor.post(`${path}/comment`, { once, do: "new", quote: "<i>two", body_md: "Who **signs** it? <script>" });
  const [comment] = await talk();
  expect(await talk()).toHaveLength(1);

  const answering = await open(visitor, `${path}?at=${comment.id}&do=reply`);
  const answered = await sendForm(visitor, answering, { body_md: "Ada does", do: "reply" });
  expect(answered.text).toMatch(/class="replies"[\s\S]*Ada does/);
  const changing = await open(visitor, `${path}?at=${comment.id}&do=change`);
  expect((await sendForm(visitor, changing, { body_md: "Who signs?", revision: "" })).text).toContain(
    "The comment is changed.",
  );
  const meanwhile = await sendForm(visitor, changing, { body_md: "Who signs, in fact?", do: "change" });
  expect(meanwhile.status).toBe(412);
  expect(meanwhile.text).toContain("Who signs, in fact?</textarea>");
  expect((await talk())[0].body_md).toBe("Who signs?");

  const resolved = await visitor.follow(await visitor.post(`${path}/comment-resolve`, { comment: comment.id }));
  expect(resolved.text).toContain("The comment is resolved.");
  expect(resolved.text).toContain('Resolved: <span dir="auto">Who signs?');
  await visitor.post(`${path}/comment-reopen`, { comment: comment.id });
  expect((await talk())[0].resolved_at).toBeNull();
  const deleted = await visitor.follow(await visitor.post(`${path}/comment-delete`, { comment: comment.id }));
  expect(deleted.text).toContain("This comment was deleted.");
  expect(deleted.text).toContain("Ada does");
  expect((await visitor.post(`${path}/comment`, { do: "new", body_md: "" })).status).toBe(400);
});

test("a link to a comment opens the page of comments that has it", async () => {
  const { id } = await newDoc();
  const ids: string[] = [];
  for (let n = 1; n <= 51; n++)
    ids.push((await here.owner.post(`W/docs/${id}/comments`, { body_md: `Comment ${n}.` }).expect(201)).body.data.id);
  const visitor = await browser(here.app, here.owner.userId);
  const first = await visitor.get(`${docs}/${id}`);
  expect(first.text).not.toContain("Comment 51.");
  expect((await open(visitor, linkOn(first, "More comments"))).text).toContain("Comment 51.");
  const linked = await visitor.get(`${docs}/${id}?at=${ids[50]}`);
  expect(linked.text).toContain(`id="comment-${ids[50]}"`);
  // A comment that is gone leads to the first ones.
  expect((await visitor.get(`${docs}/${id}?at=${id}`)).text).toContain("Comment 1.");
});

test("versions are compared with any other one, and restored without losing what is there", async () => {
  const { id } = await newDoc();
  await ada.patch(`W/docs/${id}`, { body_md: "one\ntwo, by Ada\nthree", snapshot: true }).expect(200);
  await here.owner.patch(`W/docs/${id}`, { title: "<u>Plan", body_md: "one\nthree", snapshot: true }).expect(200);
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${docs}/${id}`;
  const history = await open(visitor, linkOn(await visitor.get(path), "History"));
  expect(history.text).toContain("Version 3");
  expect(history.text).toContain("Ada &lt;b&gt;Lovelace");
  const second = await open(visitor, linkOn(history, "Version 2"));
  expect(second.text).toContain("From version 1 to version 2");
  expect(second.text).toContain("two, by Ada");
  const { data: versions } = (await here.owner.get(`W/docs/${id}/versions`)).body;
  const compared = await visitor.get(`${path}/history/${versions[1].id}?with=${versions[0].id}`);
  expect(compared.text).toContain("From version 2 to version 3");
  expect(compared.text).toContain("&lt;u&gt;Plan</strong>");
  const whole = await open(visitor, linkOn(second, "Whole text"));
  expect(whole.text).toContain("two, by Ada");
  expect(whole.text).not.toContain("From version");

  const back = await visitor.follow(await visitor.post(`${path}/history/${versions[1].id}/restore`));
  expect(back.text).toContain("The doc is back at this version.");
  expect((await here.owner.get(`W/docs/${id}`)).body.data).toMatchObject({
    title: "Plan",
    body_md: "one\ntwo, by Ada\nthree",
  });
  const kept = (await here.owner.get(`W/docs/${id}/versions`)).body.data;
  expect(kept.map(({ title }: { title: string }) => title)).toContain("<u>Plan");
  expect((await visitor.get(`${path}/history`)).text).toContain("Restored");
});

test("viewers read only, and other tenants find nothing", async () => {
  const { id } = await newDoc();
  const path = `${docs}/${id}`;
  const { data: comment } = (await here.owner.post(`W/docs/${id}/comments`, { body_md: "Mine" }).expect(201)).body;
  const { data: versions } = (await here.owner.get(`W/docs/${id}/versions`)).body;
  const reader = await browser(here.app, viewer.userId);
  const page = await reader.get(path);
  expect(page.text).toContain("Mine");
  expect(page.text).not.toMatch(/action="[^"]*comment/);
  expect((await reader.post(`${path}/comment`, { body_md: "x" })).status).toBe(403);
  expect((await reader.get(`${path}/history/${versions[0].id}`)).text).not.toContain("Restore version");
  expect((await reader.post(`${path}/history/${versions[0].id}/restore`)).status).toBe(403);
  const member = await browser(here.app, ada.userId);
  expect((await member.get(path)).text).not.toContain("do&#x3D;change");
  expect((await member.post(`${path}/comment-change`, { comment: comment.id, body_md: "x" })).status).toBe(403);
  expect((await member.post(`${path}/comment-delete`, { comment: comment.id })).status).toBe(403);

  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  const foreign = `/w/${other.workspace.slug}/docs/${id}`;
  for (const base of [path, foreign]) {
    for (const rest of ["/history", `/history/${versions[0].id}`, `?at=${comment.id}`])
      expect((await stranger.get(base + rest)).status).toBe(404);
    expect((await stranger.post(`${base}/comment`, { body_md: "x" })).status).toBe(404);
    expect((await stranger.post(`${base}/comment-delete`, { comment: comment.id })).status).toBe(404);
    expect((await stranger.post(`${base}/history/${versions[0].id}/restore`)).status).toBe(404);
  }
});

test.skipIf(noBrowser)(`talk and history in four looks${noBrowser}`, { timeout: 180_000 }, async () => {
  const word = "Donaudampfschifffahrt".repeat(5);
  const { id } = await newDoc(`We release **every Tuesday**.\n\n- Tag the commit\n- Watch the errors\n\n${word}\n`);
  await ada
    .patch(`W/docs/${id}`, { replace: [{ find: "Tuesday", with: "Monday" }], title: "The plan", snapshot: true })
    .expect(200);
  const say = async (body: object) =>
    (await ada.post(`W/docs/${id}/comments`, body).expect(201)).body.data as { id: string };
  const first = await say({ body_md: "Who **signs** the tag?", anchor: { quote: "Tag the commit" } });
  await here.owner.post(`W/docs/${id}/comments`, { body_md: "You do.", parent_id: first.id }).expect(201);
  const done = await say({ body_md: `Is ${word} right?` });
  await ada.patch(`W/docs/${id}/comments/${done.id}`, { resolved: true }).expect(200);
  const page = await tabOf(here, here.owner);
  const base = `${here.app.baseUrl}${docs}/${id}`;
  await page.goto(`${base}?at=${first.id}&do=change#comment-${first.id}`);
  await look(page, "doc-talk");
  await page.goto(`${base}/history`);
  await look(page, "doc-history");
  await page.click("text=Version 1");
  await page.click("text=Go back to this version");
  await look(page, "doc-version");
});
