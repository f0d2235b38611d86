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
  expect(reported.text).toContain("65 s, on the way from 90 s to 40 s");
  expect(reported.text).toContain("50 % is that of “Seconds to pay” (50 %).");
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

test("a key result counts the issues that people choose, and says which", async () => {
  const here = await world();
  const ada = await here.as({ role: "member", name: "Ada <i>Lovelace" });
  const { data: goal } = await here.owner.post("W/goals", { title: "No bugs" }).expect(201);
  const { data: label } = await here.owner.post("P/labels", { name: "<b>urgent" }).expect(201);
  const visitor = await browser(here.app, here.owner.userId);
  const path = `${goalsOf(here)}/${goal.id}`;
  const form = await sendForm(visitor, await visitor.get(path), { title: "<u>Bugs", kind: "auto" });
  expect(form.text).toContain("Choose which issues count.");
  expect(form.text).toContain("All issues count".toLowerCase());
  const fields = { title: "<u>Bugs", measure: "issues", weight: "2", due_at: "2026-12-31", owner_user_id: ada.userId };
  const chosen = await sendForm(visitor, form, {
    ...fields,
    project_ids: [here.project.id],
    issue_types: ["bug", "story"],
    assignee_id: ada.userId,
  });
  expect(chosen.text).toContain("Saved.");
  expect(chosen.text).toContain(
    "Counts bugs and stories in Website assigned to Ada &lt;i&gt;Lovelace; there are none yet",
  );
  expect(chosen.text).toContain("&lt;u&gt;Bugs</strong>");
  const edit = linkOn(chosen, "Change");
  const further = await visitor.get(edit);
  expect(further.text).toContain("&lt;b&gt;urgent</label>");
  const labelled = await sendForm(visitor, further, { ...fields, assignee_id: "", label_ids: [label.id] });
  expect(labelled.text).toContain("in Website with one label");
  const read = async () => (await here.owner.get(`W/goals/${goal.id}/key-results`)).body.data[0];
  expect(await read()).toMatchObject({ weight: 2, owner_user_id: ada.userId, scope: { label_ids: [label.id] } });

  // Somebody else has changed it meanwhile.
  const { id } = await read();
  await here.owner.patch(`W/goals/${goal.id}/key-results/${id}`, { title: "Theirs" }).expect(200);
  const refused = await sendForm(visitor, further, { ...fields, title: "Mine" });
  expect(refused.status).toBe(412);
  expect(refused.text).toMatch(/<dt>[^<]*<\/dt><dd[^>]*>Theirs</);
  expect((await read()).title).toBe("Theirs");
  const saved = await sendForm(visitor, refused, { ...fields, title: "Mine", project_ids: [], issue_types: [] });
  expect(saved.text).toContain("Saved.");

  const picture = await visitor.get(`${path}/picture.svg?width=400`);
  expect(picture.headers.get("content-type")).toContain("image/svg+xml");
  const member = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  expect((await member.get(path)).text).not.toContain(`${id}/edit`);
  expect((await member.post(`${path}/key-results/${id}/edit/save`, fields)).status).toBe(403);
  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  for (const base of [path, `${goalsOf(other)}/${goal.id}`]) {
    expect((await stranger.get(`${base}/key-results/${id}/edit`)).status).toBe(404);
    expect((await stranger.get(`${base}/picture.svg`)).status).toBe(404);
    expect((await stranger.post(`${base}/key-results/${id}/edit/save`, fields)).status).toBe(404);
  }
  expect((await visitor.get(`${path}/key-results/${goal.id}/edit`)).status).toBe(404);
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
  const led = await sendForm(visitor, made, { name: "Payments", color: "#0f766e", lead_user_id: here.owner.userId });
  expect(led.text).toMatch(/class="goal-facts"[\s\S]*Olive Owner[\s\S]*<section/);
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
  await here.owner.post("P/labels", { name: "checkout" }).expect(201);
  const scope = { project_ids: [here.project.id], issue_types: ["bug"] };
  const { data: auto } = await here.owner
    .post(`W/goals/${goal.id}/key-results`, { title: "Bugs are gone", kind: "auto", scope })
    .expect(201);
  const page = await tabOf(here, here.owner);
  const base = `${here.app.baseUrl}${goalsOf(here)}`;
  await page.goto(base);
  await look(page, "goals");
  await page.goto(`${base}/${goal.id}`);
  await page.click("text=How the progress is computed");
  await look(page, "goal");
  await page.goto(`${base}/${goal.id}/edit`);
  await look(page, "goal-edit");
  await page.goto(`${base}/${goal.id}/key-results/${auto.id}/edit`);
  await look(page, "key-result-edit");
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/portfolios/${portfolio.id}`);
  await look(page, "portfolio");
});
