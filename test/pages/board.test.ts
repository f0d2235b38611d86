import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** The board of a project, as a page. */

await servePublicly();

test("people see the board, create an issue in a column and move it, without scripts", async () => {
  const here = await world();
  const board = `/w/${here.workspace.slug}/p/web`;
  await here.owner.post("P/issues", { title: "<b>First</b> & last", priority: "critical" });
  const visitor = await browser(here.app, here.owner.userId);
  const page = await visitor.get(board);
  expect(page.status).toBe(200);
  expect(page.text).toContain("&lt;b&gt;First&lt;&#x2F;b&gt; &amp; last");

  const created = await sendForm(visitor, page, { status_id: here.columns["To Do"]!, title: "Second" });
  expect(created.text).toContain("WEB-2 is created.");
  const opened = await open(visitor, `${board}?move=WEB-2`);
  const moved = await sendForm(visitor, opened, { issue: "WEB-2", status_id: here.columns.Done!, position: "top" });
  expect(moved.text).toContain("WEB-2 is in Done now.");
  expect((await here.owner.get("P/issues/WEB-2")).body.data.status_name).toBe("Done");
});

test("a refused form says why on the board, and changes nothing", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const board = `/w/${here.workspace.slug}/p/web`;
  const page = await visitor.post(`${board}/board/create`, { title: " ", status_id: here.columns["To Do"]! });
  expect(page.status).toBe(400);
  expect(page.text).toContain("That did not work");
  expect(page.text).toContain("autofocus");
  const gone = await visitor.post(`${board}/board/move`, { issue: "WEB-99", status_id: here.columns.Done! });
  expect(gone.status).toBe(404);
  const wrong = await visitor.get(`${board.replace(/web$/, "")}nothing`);
  expect(wrong.status).toBe(404);
  expect(wrong.text).toContain("or you cannot see it");
  expect(wrong.text).toContain(`href="/w/${here.workspace.slug}/projects">Its projects`);
  expect((await here.owner.get("P/issues")).body.data).toEqual([]);
});

test("a refused move opens the menu at its card again, and a full column says so", async () => {
  const here = await world();
  await here.owner.patch("P", { wip_mode: "enforce" });
  await here.owner.patch(`P/statuses/${here.columns.Done}`, { wip_limit: 1 });
  await here.owner.post("P/issues", { title: "One", status_id: here.columns.Done });
  await here.owner.post("P/issues", { title: "Two" });
  const visitor = await browser(here.app, here.owner.userId);
  const path = `/w/${here.workspace.slug}/p/web/board/move`;
  const page = await visitor.post(path, { issue: "WEB-2", status_id: here.columns.Done!, position: "top" });
  expect(page.status).toBe(409);
  expect(page.text).toContain("At its limit of 1 issue. No other issue can be moved here.");
  const menu = page.text.slice(page.text.indexOf('id="card-WEB-2"'));
  const form = menu.slice(menu.indexOf("<form"), menu.indexOf("</form>"));
  expect(form).toContain("Its limit is 1");
  expect(form).toContain(`value="${here.columns.Done}" selected`);
  expect(form).toContain("autofocus");
});

test("viewers see no forms and change nothing; other tenants find no board", async () => {
  const here = await world();
  await here.owner.post("P/issues", { title: "One" });
  const board = `/w/${here.workspace.slug}/p/web`;
  const viewer = await here.as({ role: "viewer" });
  const visitor = await browser(here.app, viewer.userId);
  const page = await visitor.get(board);
  expect(page.text).toContain("WEB-1");
  expect(page.text).not.toContain("/board/");
  const refused = await visitor.post(`${board}/board/move`, { issue: "WEB-1", status_id: here.columns.Done! });
  expect(refused.status).toBe(403);

  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  expect((await stranger.get(board)).status).toBe(404);
  expect((await stranger.post(`${board}/board/move`, { issue: "WEB-1" })).status).toBe(404);
  // A project of that name exists in the other workspace, too: each sees its own.
  const own = await stranger.get(`/w/${other.workspace.slug}/p/web`);
  expect(own.status).toBe(200);
  expect(own.text).not.toContain("WEB-1");
});

test("a role that ends, and a session that ends, end the page with the next call", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const visitor = await browser(here.app, member.userId);
  const board = `/w/${here.workspace.slug}/p/web`;
  expect((await visitor.get(board)).text).toContain("Add an issue");
  await here.owner.patch(`W/members/${member.userId}`, { role: "viewer" });
  expect((await visitor.get(board)).text).not.toContain("Add an issue");
  await here.owner.delete(`W/members/${member.userId}`);
  expect((await visitor.get(board)).status).toBe(404);
  await here.sql(`delete from session where user_id = $1`, [member.userId]);
  expect((await visitor.get(board)).status).toBe(303);
});

test.skipIf(noBrowser)(`the board in four looks${noBrowser}`, { timeout: 60_000 }, async () => {
  const here = await world();
  const board = `/w/${here.workspace.slug}/p/web`;
  await here.owner.post("P/issues", {
    title: `A very long word: ${"Donaudampfschifffahrt".repeat(8)}`,
    priority: "high",
    assignee_ids: ["me"],
    due_at: "2026-01-01T00:00:00Z",
    story_points: 3,
  });
  await here.owner.post("P/issues", { title: "أول مشكلة في هذا المشروع", type: "bug" });
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}${board}`);
  await look(page, "board");
  const link = linkOn({ text: await page.content(), status: 200, headers: new Headers() }, "⋯");
  await page.goto(here.app.baseUrl + link);
  await look(page, "board-move");
});
