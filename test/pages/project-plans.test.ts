import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** Backlog, sprints, milestones and releases as pages. */

await servePublicly();

const pathOf = (here: World) => `/w/${here.workspace.slug}/p/web`;

test("a person plans a sprint from the backlog, starts it, and completes it", async () => {
  const here = await world();
  for (const title of ["One", "Two", "Three"]) await here.owner.post("P/issues", { title });
  const visitor = await browser(here.app, here.owner.userId);
  const path = pathOf(here);
  const made = await sendForm(visitor, await visitor.get(`${path}/sprints`), {
    name: "<b>First</b>",
    goal: "*Ship*",
    start_at: "2026-11-01",
    end_at: "2026-11-14",
  });
  expect(made.text).toContain("&lt;b&gt;First&lt;&#x2F;b&gt; is planned.");
  expect(made.text).toContain("<em>Ship</em>");
  const [sprint] = (await here.owner.get("P/sprints")).body.data;
  // The boxes stand in the list, and belong to the form below it.
  expect((await visitor.get(`${path}/backlog`)).text).toContain('form="plan" name="issue" value="WEB-1"');
  const none = await visitor.post(`${path}/backlog/plan`, { sprint_id: sprint.id });
  expect([none.status, none.text]).toEqual([400, expect.stringContaining("Choose some issues first.")]);
  const sent = await visitor.post(`${path}/backlog/plan`, { issue: ["WEB-1", "WEB-2"], sprint_id: sprint.id });
  const planned = await visitor.follow(sent);
  expect(planned.text).toContain("2 issues put into the sprint.");
  expect(planned.text).not.toContain('value="WEB-1"');

  const sprintPath = `${path}/sprints/${sprint.id}`;
  await visitor.post(`${sprintPath}/start`, {});
  await here.owner.patch("P/issues/WEB-1", { status: "done" });
  expect((await visitor.get(path)).text).toContain("&lt;b&gt;First&lt;&#x2F;b&gt;</a>");
  const active = await visitor.get(sprintPath);
  expect(active.text).toMatch(/<img src="[^"]*burndown[^"]*" alt="[^"]*" width="500" height="\d+">/);
  const created = await sendForm(visitor, active, { title: "Four", status_id: here.columns.Done! });
  expect(created.text).toContain("WEB-4 is created.");
  expect((await here.owner.get("P/issues/WEB-4")).body.data.sprint_id).toBe(sprint.id);
  const moved = await visitor.post(`${sprintPath}/board/move`, { issue: "WEB-2", status_id: here.columns["To Do"]! });
  expect(moved.headers.get("location")).toBe(`${sprintPath}#card-WEB-2`);
  expect(active.text).toContain("Its open issue goes to");
  const completed = await sendForm(visitor, active, { move_open_issues_to: "backlog" });
  expect(completed.text).toContain("is completed.");
  expect((await here.owner.get("P/issues/WEB-2")).body.data.sprint_id).toBeNull();
  const stale = await visitor.post(`${sprintPath}/save`, { revision: '"old"', name: "Mine" });
  expect(stale.status).toBe(412);
  expect(stale.text).toContain("Somebody else changed this meanwhile.");
});

test("people order the backlog, and put an issue into a sprint from its menu", async () => {
  const here = await world();
  for (const title of ["One", "Two", "Three"]) await here.owner.post("P/issues", { title });
  const sprint = (await here.owner.post("P/sprints", { name: "Next" })).body.data;
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${pathOf(here)}/backlog`;
  const orderOf = (text: string) => [...text.matchAll(/id="line-(WEB-\d)"/g)].map(([, key]) => key);
  const menu = await visitor.get(`${path}?move=WEB-3`);
  const up = await sendForm(visitor, menu, { issue: "WEB-3", place: "before:WEB-2" });
  expect(up.text).toContain("WEB-3 is moved.");
  expect(orderOf(up.text)).toEqual(["WEB-1", "WEB-3", "WEB-2"]);
  expect(up.text).toContain("autofocus");
  const top = await sendForm(visitor, up, { issue: "WEB-3", place: "top" });
  expect(orderOf(top.text)).toEqual(["WEB-3", "WEB-1", "WEB-2"]);
  const dragged = await visitor.post(`${path}/move`, { issue: "WEB-3", after: "WEB-1" });
  expect(dragged.headers.get("location")).toBe(`${path}#line-WEB-3`);
  const refused = await visitor.post(`${path}/move`, { issue: "WEB-3", place: "before:WEB-9" });
  expect(refused.status).toBe(400);
  const planned = await sendForm(visitor, menu, { issue: "WEB-3", sprint_id: sprint.id });
  expect(orderOf(planned.text)).toEqual(["WEB-1", "WEB-2"]);
});

test("milestones and releases are made, changed and deleted in their lists", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const path = pathOf(here);
  const milestones = await sendForm(visitor, await visitor.get(`${path}/milestones`), {
    name: "Beta",
    due_at: "2030-01-31",
    status: "planned",
  });
  expect(milestones.text).toContain("Beta is saved.");
  const releases = await sendForm(visitor, await visitor.get(`${path}/releases`), {
    name: "Winter",
    version: "1.4.0",
    status: "planned",
  });
  expect(releases.text).toContain("1.4.0");
  const [release] = (await here.owner.get("P/releases")).body.data;
  await visitor.post(`${path}/releases/${release.id}/save`, { name: "Winter", version: "1.4.0", status: "released" });
  expect((await here.owner.get(`P/releases/${release.id}`)).body.data.released_at).not.toBeNull();
  const refused = await visitor.post(`${path}/milestones/create`, {
    name: "Bad",
    start_at: "2030-02-01",
    due_at: "2030-01-01",
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="Bad"');
  await visitor.post(`${path}/releases/${release.id}/delete`, {});
  expect((await here.owner.get("P/releases")).body.data).toEqual([]);
});

test("viewers plan nothing, and other tenants find nothing", async () => {
  const here = await world();
  const path = pathOf(here);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  const sprint = (await here.owner.post("P/sprints", { name: "One" })).body.data;
  for (const page of ["backlog", "sprints", `sprints/${sprint.id}`, "milestones", "releases"]) {
    const seen = await viewer.get(`${path}/${page}`);
    expect(seen.status, page).toBe(200);
    expect(seen.text, page).not.toContain(`action="${path}`);
  }
  for (const form of [
    "sprints/create",
    `sprints/${sprint.id}/start`,
    `sprints/${sprint.id}/board/create`,
    "milestones/create",
    "releases/create",
  ]) {
    expect((await viewer.post(`${path}/${form}`, { name: "No" })).status, form).toBe(403);
    expect((await stranger.post(`${path}/${form}`, { name: "No" })).status, form).toBe(404);
  }
  expect((await viewer.post(`${path}/backlog/plan`, { issue: "WEB-1", sprint_id: sprint.id })).status).toBe(404);
});

test.skipIf(noBrowser)(`plans in four looks${noBrowser}`, { timeout: 200_000 }, async () => {
  const here = await world();
  const sprint = (
    await here.owner.post("P/sprints", {
      name: "Sprint 1",
      goal: "Ship **it**.",
      start_at: "2026-11-01",
      end_at: "2026-11-14",
      status: "active",
    })
  ).body.data;
  await here.owner.post("P/sprints", { name: "Sprint 2" });
  for (const title of ["One", "Two"]) await here.owner.post("P/issues", { title, sprint_id: sprint.id });
  for (const title of ["Three", `Long: ${"Donaudampfschifffahrt".repeat(5)}`])
    await here.owner.post("P/issues", { title, assignee: "me" });
  await here.owner.post("P/milestones", { name: "Beta", due_at: "2026-01-31" });
  await here.owner.post("P/releases", { name: "Winter", version: "1.4.0", target_date: "2030-01-31" });
  const page = await tabOf(here, here.owner);
  for (const name of ["backlog", "sprints", "milestones", "releases"]) {
    await page.goto(`${here.app.baseUrl}${pathOf(here)}/${name}`);
    await look(page, name);
  }
  await page.goto(`${here.app.baseUrl}${pathOf(here)}/backlog?move=WEB-3`);
  await look(page, "backlog-move");
  await page.goto(`${here.app.baseUrl}${pathOf(here)}/sprints/${sprint.id}`);
  await look(page, "sprint");
});

test("people read what milestones are about, and order them, releases and planned sprints", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  for (const kind of ["milestones", "releases", "sprints"]) {
    const about = kind === "sprints" ? {} : { description_md: "For **all**" };
    const [first, second] = [
      (await here.owner.post(`P/${kind}`, { name: "First", ...about }).expect(201)).data,
      (await here.owner.post(`P/${kind}`, { name: "Second", ...about }).expect(201)).data,
    ];
    const path = `${pathOf(here)}/${kind}`;
    const idsOf = (text: string) => [...text.matchAll(/<li [^>]*id="(?:plan|sprint)-([^"]+)"/g)].map(([, id]) => id);
    const before = idsOf((await visitor.get(path)).text);
    expect(before.toSorted()).toEqual([first.id, second.id].toSorted());
    const place = { place: `before:${before[0]}` };
    const moved = await visitor.follow(await visitor.post(`${path}/${before[1]}/place`, place));
    expect(idsOf(moved.text)).toEqual(before.toReversed());
    if (kind !== "sprints") expect(moved.text).toContain("For <strong>all</strong>");
    const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
    expect((await viewer.get(path)).text).not.toContain("/place");
    expect((await viewer.post(`${path}/${before[1]}/place`, place)).status).toBe(403);
  }
});
