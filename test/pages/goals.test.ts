import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { linkOn, open, sendForm } from "../support/page-forms.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** Goals, key results and portfolios as pages. */

await servePublicly();

const goalsOf = ({ workspace }: World) => `/w/${workspace.slug}/goals`;

test("people set a goal, measure it, and see how its progress is computed", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const nothing = await visitor.get(goalsOf(here));
  expect(nothing.text).toContain("No goals yet");
  const form = await open(visitor, linkOn(nothing, "New goal"));
  const goal = await sendForm(visitor, form, {
    title: "<b>Faster</b> checkout",
    description_md: "Why: **money**",
    owner_user_id: here.owner.userId,
    cycle_start_at: "2026-01-01",
    cycle_due_at: "2026-12-31",
  });
  expect(goal.text).toContain("&lt;b&gt;Faster&lt;&#x2F;b&gt; checkout</h1>");
  expect(goal.text).toContain("<strong>money</strong>");
  expect(goal.text).toContain("Nothing measures this goal yet");
  const added = await sendForm(visitor, goal, {
    title: "Seconds to pay",
    kind: "manual",
    start_value: "90",
    target_value: "40",
    unit: "s",
  });
  expect(added.text).toContain("The key result is added.");
  const reported = await sendForm(visitor, added, { current_value: "65" });
  expect(reported.text).toContain("65 s, from 90 s to 40 s");
  expect(reported.text).toContain("50 %");
  expect(reported.text).toContain("How the progress is computed");
  const wrong = await sendForm(visitor, reported, { current_value: "soon" });
  expect(wrong.status).toBe(400);

  const child = await sendForm(visitor, await open(visitor, linkOn(reported, "New goal below")), {
    title: "Less to type",
  });
  expect(child.text).toContain("checkout</a>");
  expect((await visitor.get(goalsOf(here))).text).toMatch(
    /checkout<\/a>[\s\S]*<ul class="tree"><li>[\s\S]*Less to type/,
  );
});

test("a goal changed by somebody else meanwhile is not overwritten, and it is deleted after a question", async () => {
  const here = await world();
  const { data: goal } = await here.owner.post("W/goals", { title: "First" }).expect(201);
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${goalsOf(here)}/${goal.id}`;
  const form = await visitor.get(`${path}/edit`);
  await here.owner.patch(`W/goals/${goal.id}`, { title: "Theirs" }).expect(200);
  const refused = await sendForm(visitor, form, { title: "Mine", status_override: "at_risk", progress_override: "" });
  expect(refused.status).toBe(412);
  expect(refused.text).toContain("Theirs");
  const saved = await sendForm(visitor, refused, {
    title: "Mine",
    status_override: "at_risk",
    progress_override: "30",
  });
  expect(saved.text).toContain("At risk");
  expect((await here.owner.get(`W/goals/${goal.id}`)).body.data).toMatchObject({ title: "Mine", progress_pct: 30 });
  const gone = await visitor.follow(await visitor.post(`${path}/delete`));
  expect(gone.text).toContain("The goal is deleted.");
});

test("admins make portfolios of goals and projects", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const base = `/w/${here.workspace.slug}/portfolios`;
  const made = await sendForm(visitor, await visitor.get(`${base}/new`), {
    name: "Payments",
    description_md: "",
    color: "#0f766e",
  });
  expect(made.text).toContain("The portfolio is created.");
  const added = await sendForm(visitor, made, { project_id: here.project.id });
  expect(added.text).toContain("The project is added.");
  const removed = await sendForm(visitor, added, { project: here.project.id });
  expect(removed.text).toContain("removed from the portfolio");
  expect((await visitor.get(goalsOf(here))).text).toContain("Payments");
});

test("viewers read only, guests and other tenants see no goals", async () => {
  const here = await world();
  const { data: goal } = await here.owner.post("W/goals", { title: "Seen" }).expect(201);
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const page = await viewer.get(`${goalsOf(here)}/${goal.id}`);
  expect(page.text).toContain("Seen");
  expect(page.text).not.toMatch(/goals[^"]*\/(edit|delete|key-result|new)/);
  expect((await viewer.post(`${goalsOf(here)}/${goal.id}/edit/save`, { title: "x" })).status).toBe(403);
  const guest = await browser(here.app, (await here.as({ role: "guest", projectRole: "viewer" })).userId);
  expect((await guest.get(goalsOf(here))).text).not.toContain("Seen");
  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  expect((await stranger.get(`${goalsOf(here)}/${goal.id}`)).status).toBe(404);
  expect((await stranger.get(`${goalsOf(other)}/${goal.id}`)).status).toBe(404);
  expect((await stranger.post(`${goalsOf(other)}/${goal.id}/delete`)).status).toBe(404);
});

test.skipIf(noBrowser)(`goals in four looks${noBrowser}`, { timeout: 180_000 }, async () => {
  const here = await world();
  const { data: portfolio } = await here.owner.post("W/portfolios", { name: "Payments", color: "#7c3aed" }).expect(201);
  await here.owner.post(`W/portfolios/${portfolio.id}/projects`, { project_id: "WEB" }).expect(201);
  const { data: goal } = await here.owner
    .post("W/goals", {
      title: "Customers can pay within a minute",
      description_md: "Half of all people **leave** at the account page.",
      cycle_start_at: "2026-10-01",
      cycle_due_at: "2026-12-31",
      portfolio_id: portfolio.id,
    })
    .expect(201);
  for (const title of ["Nobody needs an account", "Donaudampfschifffahrt".repeat(6)]) {
    await here.owner
      .post("W/goals", { title, parent_goal_id: goal.id, portfolio_id: portfolio.id, progress_override: 70 })
      .expect(201);
  }
  await here.owner.post("W/goals", { title: "Happy people", status_override: "on_track" }).expect(201);
  await here.owner
    .post(`W/goals/${goal.id}/key-results`, {
      ...{ title: "Seconds to pay", kind: "manual", unit: "s" },
      ...{ start_value: 90, target_value: 40, current_value: 70 },
    })
    .expect(201);
  await here.owner.post(`W/goals/${goal.id}/key-results`, { title: "Bugs are gone", kind: "auto" }).expect(201);
  const page = await tabOf(here, here.owner);
  const base = `${here.app.baseUrl}${goalsOf(here)}`;
  await page.goto(base);
  await look(page, "goals");
  await page.goto(`${base}/${goal.id}`);
  await page.click("text=How the progress is computed");
  await look(page, "goal");
  await page.goto(`${base}/${goal.id}/edit`);
  await look(page, "goal-edit");
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/portfolios/${portfolio.id}`);
  await look(page, "portfolio");
});
