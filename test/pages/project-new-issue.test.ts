import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** The form of a new issue, and cards that are dragged. */

await servePublicly();

test("a person creates an issue with all fields, the project's own too", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const path = `/w/${here.workspace.slug}/p/web/new`;
  const field = (
    await here.owner
      .post("P/custom-field-defs", {
        name: "<i>Cause</i>",
        kind: "select",
        options: ["Code", "Data"],
        applies_to: ["bug"],
      })
      .expect(201)
  ).body.data;
  const sprint = (await here.owner.post("P/sprints", { name: "Sprint 1" })).body.data;
  const page = await visitor.get(`${path}?sprint_id=${sprint.id}`);
  expect(page.text).toContain("&lt;i&gt;Cause");
  const made = await sendForm(visitor, page, {
    title: "Login <b>fails</b>",
    description_md: "One\r\nTwo",
    type: "bug",
    priority: "high",
    assignee_ids: [here.owner.userId],
    due_at: "2030-01-31",
    sprint_id: sprint.id,
    estimate_minutes: "1 h 30 min",
    [`field-${field.id}`]: "Data",
  });
  expect(made.text).toContain("WEB-1 “Login &lt;b&gt;fails&lt;&#x2F;b&gt;” is created.");
  const { data } = (await here.owner.get("P/issues/WEB-1")).body;
  expect(data).toMatchObject({
    type: "bug",
    priority: "high",
    description_md: "One\nTwo",
    assignees: [here.owner.userId],
    due_at: "2030-01-31T00:00:00.000Z",
    sprint_id: sprint.id,
    estimate_minutes: 90,
    custom_fields: { [field.id]: "Data" },
  });
});

test("a refused issue is shown again as typed; sent twice, it is created once; viewers and strangers create none", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const path = `/w/${here.workspace.slug}/p/web/new/create`;
  const refused = await visitor.post(path, { title: "Mine", parent: "WEB-99", priority: "low" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="Mine"');
  expect(refused.text).toContain('value="WEB-99"');
  const form = { once: "1", title: "Twice" };
  await visitor.post(path, form);
  expect((await visitor.post(path, form)).status).toBe(303);
  expect((await here.owner.get("P/issues")).body.data).toHaveLength(1);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  expect((await viewer.post(path, { title: "No" })).status).toBe(403);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.post(path, { title: "No" })).status).toBe(404);
});

test.skipIf(noBrowser)(`a new issue in four looks, and a dragged card${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  await here.owner.post("P/labels", { name: "Backend", color: "#ef4444" });
  for (const title of ["First", "Second", "Third"]) await here.owner.post("P/issues", { title });
  const base = `${here.app.baseUrl}/w/${here.workspace.slug}/p/web`;
  const page = await tabOf(here, here.owner);
  await page.goto(`${base}/new`);
  await page.click("text=Plans and estimates");
  await look(page, "new-issue");

  const board = await tabOf(here, here.owner, { script: true });
  await board.goto(base);
  await board.dragAndDrop("#card-WEB-3", `#column-${here.columns["In Progress"]} h2`);
  await board.waitForSelector("text=WEB-3 is in In Progress now.", { timeout: 8_000 });
  expect((await here.owner.get("P/issues/WEB-3")).body.data.status_name).toBe("In Progress");
  await board.dragAndDrop("#card-WEB-2", "#card-WEB-1", { targetPosition: { x: 40, y: 3 } });
  await board.waitForSelector("text=WEB-2 is in To Do now.");
  const { data } = (await here.owner.get("P/issues?status=todo")).body;
  expect(data.map(({ key }: { key: string }) => key)).toEqual(["WEB-2", "WEB-1"]);

  // By keyboard: the menu has the focus, then the moved card, and the form that created an issue has it again.
  const focused = () => board.evaluate("document.activeElement.id");
  await board.focus("#card-WEB-2 .dots");
  await board.keyboard.press("Enter");
  await board.waitForSelector("form.move");
  expect(await focused()).toBe("to-WEB-2");
  await board.keyboard.press("Tab");
  await board.keyboard.press("Enter");
  await board.waitForSelector("text=WEB-2 is in To Do now.");
  expect(await focused()).toBe("card-WEB-2");
  const column = here.columns["To Do"]!;
  await board.click(`#column-${column} summary`);
  await board.fill(`[id="${column}-title"]`, "Fourth");
  await board.keyboard.press("Enter");
  await board.waitForSelector("text=WEB-4 is created.");
  expect(await focused()).toBe(`${column}-title`);
  await here.owner.delete("P/issues/WEB-4");

  await board.goto(`${base}/backlog`);
  await board.dragAndDrop("#line-WEB-1", "#line-WEB-2", { targetPosition: { x: 300, y: 3 } });
  await board.waitForSelector("text=WEB-1 is moved.");
  expect(await board.locator(".issue-line .key").allTextContents()).toEqual(["WEB-1", "WEB-2", "WEB-3"]);
});
