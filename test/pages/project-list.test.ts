import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** The list of a project with its filters and saved views, and the filters of its board. */

await servePublicly();

const pathOf = (here: World) => `/w/${here.workspace.slug}/p/web`;

async function withIssues(): Promise<World> {
  const here = await world();
  const { body } = await here.owner.post("P/labels", { name: "<b>Backend</b>", color: "#ef4444" });
  await here.owner.post("P/issues", { title: "A bug of mine", type: "bug", assignee: "me", labels: [body.data.id] });
  await here.owner.post("P/issues", { title: "A task of nobody", priority: "high" });
  await here.owner.post("P/issues", { title: "A story", type: "story", status: "done" });
  return here;
}

test("people filter the list and the board, read the filters as chips, and remove one", async () => {
  const here = await withIssues();
  const visitor = await browser(here.app, here.owner.userId);
  const list = await visitor.get(`${pathOf(here)}/list?type=bug&type=story&assignee=me&q=bug`);
  expect(list.text).toContain("A bug of mine");
  expect(list.text).not.toContain("A task of nobody");
  for (const chip of ["Type: Bug", "Type: Story", "Assignee: Me"])
    expect(list.text).toContain(`Remove the filter ${chip}`);
  const [, href] = /<a href="([^"]*)" aria-label="Remove the filter Assignee: Me"/.exec(list.text)!;
  expect(href!.replaceAll("&#x2F;", "/").replaceAll("&#x3D;", "=").replaceAll("&amp;", "&")).toBe(
    `${pathOf(here)}/list?type=bug%2Cstory&q=bug`,
  );
  const board = await visitor.get(`${pathOf(here)}?assignee=none`);
  expect(board.text).toContain("A task of nobody");
  expect(board.text).not.toContain("A bug of mine");
  const moved = await sendForm(visitor, await open(visitor, `${pathOf(here)}?assignee=none&move=WEB-2`), {
    issue: "WEB-2",
    status_id: here.columns.Done!,
    position: "top",
  });
  expect(moved.text).toContain("WEB-2 is in Done now.");
  expect(moved.text).not.toContain("A bug of mine");
  const wrong = await visitor.get(`${pathOf(here)}/list?sprint=nothing&type=bug`);
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("Remove the filter Sprint: nothing");
});

test("an address with thousands of filters makes a page of a usual size, and they can be removed", async () => {
  const here = await withIssues();
  const visitor = await browser(here.app, here.owner.userId);
  const many = (count: number) => Array.from({ length: count }, (_, n) => `l${n}`).join(",");
  for (const [query, removing] of [
    [`label=${many(2_500)}`, "Label: 2500 values"],
    [Array.from({ length: 400 }, (_, n) => `customFields.${n}=1`).join("&"), "400 filters"],
  ] as const) {
    const { text } = await visitor.get(`${pathOf(here)}/list?${query}`);
    expect(text).toContain(`Remove the filter ${removing}`);
    expect(text.length).toBeLessThan(1_000_000);
  }
});

test("a person saves a view, changes it, and deletes it", async () => {
  const here = await withIssues();
  const visitor = await browser(here.app, here.owner.userId);
  const list = await visitor.get(`${pathOf(here)}/list?type=bug`);
  const saved = await sendForm(visitor, list, { name: "<i>Bugs</i>", is_shared: "true" });
  expect(saved.text).toContain("The view “&lt;i&gt;Bugs&lt;&#x2F;i&gt;” is saved.");
  expect(saved.text).not.toContain("A story");
  const { body } = await here.owner.get("P/saved-views");
  const [{ id, filter }] = body.data;
  expect(filter).toEqual({ issueTypes: ["bug"] });

  const changed = await visitor.get(`${pathOf(here)}/list?view=${id}&changed=1&type=story&sort=due_asc`);
  expect(changed.text).toContain("A story");
  const after = await sendForm(visitor, changed, {
    revision: /name="revision" value="([^"]*)"/.exec(changed.text)![1]!.replaceAll("&quot;", '"'),
  });
  expect(after.text).toContain("is saved");
  expect((await here.owner.get("P/saved-views")).body.data[0].filter).toEqual({
    issueTypes: ["story"],
    sort: "due_asc",
  });

  const stale = await visitor.post(`${pathOf(here)}/list/views/${id}/rename`, { revision: '"old"', name: "Mine" });
  expect(stale.status).toBe(412);
  expect(stale.text).toContain("Somebody else changed this meanwhile.");
  await visitor.post(`${pathOf(here)}/list/views/${id}/delete`, {});
  expect((await here.owner.get("P/saved-views")).body.data).toEqual([]);
});

test("people filter by the project's own fields, and views keep that", async () => {
  const here = await withIssues();
  const made = await here.owner.post("P/custom-field-defs", {
    name: "Cause & effect",
    kind: "select",
    options: ["Code, mostly", "Data"],
  });
  const { id } = made.body.data;
  await here.owner.patch("P/issues/WEB-2", { custom_fields: { [id]: "Code, mostly" } });
  const visitor = await browser(here.app, here.owner.userId);
  const value = encodeURIComponent("Code\\, mostly");
  const list = await visitor.get(`${pathOf(here)}/list?customFields.${id}=${value}&customFields.${id}=none`);
  expect(list.text).toContain("Remove the filter Cause &amp; effect: Code, mostly");
  expect(list.text).toContain("Remove the filter Cause &amp; effect: None");
  const one = await visitor.get(`${pathOf(here)}/list?customFields.${id}=${value}`);
  expect(one.text).toContain("A task of nobody");
  expect(one.text).not.toContain("A bug of mine");
  await sendForm(visitor, one, { name: "By code", is_shared: "true" });
  const [view] = (await here.owner.get("P/saved-views")).body.data;
  expect(view.filter).toEqual({ customFields: { [id]: ["Code, mostly"] } });
  const seen = await visitor.get(`${pathOf(here)}/list?view=${view.id}`);
  expect(seen.text).toContain("Remove the filter Cause &amp; effect: Code, mostly");
  expect(seen.text).not.toContain("A bug of mine");
  const ready = await visitor.get(`${pathOf(here)}/list?ready=true`);
  expect(ready.text).toContain("Remove the filter Ready: I could start now");
});

test("a viewer saves a view only for themself; other tenants find nothing", async () => {
  const here = await withIssues();
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const list = await viewer.get(`${pathOf(here)}/list?type=bug`);
  expect(list.text).not.toContain("New issue");
  expect((await sendForm(viewer, list, { name: "My bugs" })).text).toContain("My bugs (only you)");
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.get(`${pathOf(here)}/list`)).status).toBe(404);
  expect((await stranger.post(`${pathOf(here)}/list/views/create`, { name: "x" })).status).toBe(404);
});

test.skipIf(noBrowser)(`list and filters in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await withIssues();
  await here.owner.post("P/issues", {
    title: `A long word: ${"Donaudampfschifffahrt".repeat(8)}`,
    due_at: "2026-01-01",
  });
  await here.owner.post("P/saved-views", { name: "Bugs and stories", filter: { issueTypes: ["bug", "story"] } });
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}${pathOf(here)}/list?status=${here.columns["To Do"]}&assignee=none`);
  await look(page, "list");
  await page.click("summary:has-text('Filter')");
  await look(page, "list-filter");
  await page.goto(`${here.app.baseUrl}${pathOf(here)}?assignee=me&type=bug`);
  await look(page, "board-filtered");
});
