import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { drain } from "../support/jobs.ts";
import { servePublicly } from "../support/oauth.ts";
import { open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** The inbox and the search. */

await servePublicly();

async function notified(): Promise<World> {
  const here = await world();
  const member = await here.as({ role: "member", name: "<b>Mel</b>" });
  const me = here.owner.userId;
  await member.post("P/issues", { title: "<u>Broken</u> checkout", assignee_ids: [me] }).expect(201);
  await member.post("P/issues", { title: "Second", assignee_ids: [me] }).expect(201);
  await drain();
  return here;
}

test("people read their notifications and mark them", async () => {
  const here = await notified();
  const inbox = `/w/${here.workspace.slug}/inbox`;
  const visitor = await browser(here.app, here.owner.userId);
  const page = await visitor.get(inbox);
  expect(page.text).toContain("WEB-1");
  expect(page.text).not.toMatch(/<b>Mel|<u>Broken/);
  const marked = await sendForm(visitor, page, { read: "true" });
  expect(marked.text.split("object-line").length).toBe(2);
  const all = await open(visitor, `${inbox}?show=all`);
  expect(all.text.split("object-line").length).toBe(3);
  const done = await visitor.follow(await visitor.post(`${inbox}/mark-all`));
  expect(done.text).toContain("Everything is marked as read.");
  expect(done.text).toContain("Nothing is unread");
  expect((await visitor.post(`${inbox}/mark`, { id: "none", read: "true" })).status).toBe(404);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.get(inbox)).status).toBe(404);
});

test("people search everything that they see", async () => {
  const here = await notified();
  const visitor = await browser(here.app, here.owner.userId);
  const search = `/w/${here.workspace.slug}/search`;
  const { text } = await visitor.get(`${search}?q=checkout`);
  expect(text).toContain("/p/web/WEB-1".replaceAll("/", "&#x2F;"));
  expect(text).not.toContain("<u>Broken");
  expect((await visitor.get(`${search}?q=WEB-2`)).text).toContain("Second");
  expect((await visitor.get(`${search}?q=checkout&type=doc`)).text).toContain("Nothing found");
  expect((await visitor.get(search)).status).toBe(200);
  expect((await visitor.get(`${search}?q=%3Cscript%3E`)).text).not.toContain("<script>");
  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  expect((await stranger.get(`${search}?q=checkout`)).status).toBe(404);
  expect((await stranger.get(`/w/${other.workspace.slug}/search?q=checkout`)).text).toContain("Nothing found");
});

test.skipIf(noBrowser)(`inbox and search in four looks${noBrowser}`, { timeout: 90_000 }, async () => {
  const here = await notified();
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/inbox`);
  await look(page, "inbox");
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/search?q=checkout`);
  await look(page, "search");
});
