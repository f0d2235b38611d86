import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** The list of projects, and how people create one. */

await servePublicly();

test("a person creates a project from a template, and finds it in the list", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const base = `/w/${here.workspace.slug}/projects`;
  const board = await sendForm(visitor, await visitor.get(`${base}/new`), {
    name: "<i>Spring</i> campaign",
    template: "content",
    key: "SPRING",
  });
  expect(board.text).toContain("&lt;i&gt;Spring&lt;&#x2F;i&gt; campaign is created.");
  expect(board.text).toContain("Editing");
  expect(board.text).not.toContain("In Review");
  const list = await visitor.get(base);
  expect(list.text).toContain("SPRING");
  expect(list.text).not.toContain("<i>Spring");
  await here.owner.delete("W/projects/SPRING").expect(200);
  expect((await visitor.get(base)).text).not.toContain("SPRING");
  expect((await visitor.get(`${base}?archived=true`)).text).toContain("SPRING");
});

test("a refused project is shown again as typed; sent twice, it is created once", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const base = `/w/${here.workspace.slug}/projects`;
  const refused = await visitor.post(`${base}/new/create`, { name: "Second", key: "W-1", template: "simple" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="W-1"');
  expect(refused.text).toContain('value="simple" checked');
  const form = { once: "0190aaaa", name: "Third", key: "THIRD", template: "simple" };
  await visitor.post(`${base}/new/create`, form);
  expect((await visitor.post(`${base}/new/create`, form)).status).toBe(303);
  const { body } = await here.owner.get("W/projects");
  expect(body.data.map(({ key }: { key: string }) => key)).toEqual(["THIRD", "WEB"]);
});

test("viewers cannot create one, and other tenants find no list", async () => {
  const here = await world();
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const base = `/w/${here.workspace.slug}/projects`;
  expect((await viewer.get(base)).text).not.toContain("New project");
  expect((await viewer.post(`${base}/new/create`, { name: "Mine" })).status).toBe(403);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.get(base)).status).toBe(404);
});

test.skipIf(noBrowser)(`projects in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  await here.owner.post("P/issues", { title: "One", status: "done" });
  await here.owner.post("P/issues", { title: "Two", status: "in_progress" });
  const name = "Ein sehr langer Name eines Projekts ".repeat(2);
  await here.owner
    .post("W/projects", { name, key: "LONG", icon: "🚀", target_at: "2026-01-01", scoped: true })
    .expect(201);
  const page = await tabOf(here, here.owner);
  const base = `${here.app.baseUrl}/w/${here.workspace.slug}/projects`;
  await page.goto(base);
  await look(page, "projects");
  await page.goto(`${base}/new`);
  await page.click("text=Key, description and dates");
  await look(page, "project-new");
});
