import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** The settings of a project as a page. */

await servePublicly();

test("a person changes a project, its columns, rules, labels, fields and members", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const path = `/w/${here.workspace.slug}/p/web/settings`;
  const post = async (form: string, values: Record<string, string | string[]>) => {
    const page = await visitor.post(`${path}/${form}`, values);
    expect(page.status, `${form}: ${page.text}`).toBe(303);
  };
  const member = await here.as({ role: "member", name: "<b>Mia</b>" });
  await post("save", { name: "New name", estimation_unit: "points" });
  await post("columns/create", { name: "Ready", category: "todo", color: "#ff0000", wip_limit: "3" });
  await post("rules", {
    wip_mode: "warn",
    restricted: "true",
    column: [here.columns["To Do"]!],
    [`to-${here.columns["To Do"]}`]: [here.columns.Done!],
  });
  await post("labels/create", { name: "Backend", color: "#00ff00" });
  await post("fields/create", { name: "Cause", kind: "select", options: "Code\r\nData", applies_to: ["bug"] });
  await post("members/add", { user_id: member.userId, role: "admin" });

  const project = (await here.owner.get("P")).body.data;
  expect(project).toMatchObject({ name: "New name", estimation_unit: "points", wip_mode: "warn" });
  expect(project.transition_rules).toEqual({ [here.columns["To Do"]!]: [here.columns.Done] });
  const page = await visitor.get(path);
  for (const text of ["Ready", "Backend", "Cause", "&lt;b&gt;Mia"]) expect(page.text).toContain(text);
  const label = (await here.owner.get("P/labels")).body.data[0];
  await post(`labels/${label.id}/save`, { name: "Server", color: "#00ff00" });
  await post(`labels/${label.id}/delete`, {});
  await post("members/remove", { user_id: member.userId });

  const stale = await visitor.post(`${path}/save`, { revision: '"old"', name: "Mine", estimation_unit: "time" });
  expect(stale.status).toBe(412);
  expect(stale.text).toContain('<dt>Name</dt><dd class="plain-text" dir="auto">New name</dd>');
  await post("archive", {});
  expect((await visitor.get(path)).text).toContain("Restore this project");
  await post("restore", {});
});

test("a person orders columns and fields, and a refused form keeps what was typed", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const path = `/w/${here.workspace.slug}/p/web/settings`;
  const [first, second] = (await here.owner.get("P/statuses")).body.data;
  const moved = await visitor.post(`${path}/columns/${second.id}/place`, { place: `before:${first.id}` });
  expect(moved.headers.get("location")).toBe(`${path}#item-${second.id}`);
  expect((await here.owner.get("P/statuses")).body.data[0].id).toBe(second.id);

  await visitor.post(`${path}/fields/create`, { name: "Effort", kind: "number" });
  const field = (await here.owner.get("P/custom-field-defs")).body.data[0];
  const page = await visitor.get(path);
  expect(page.text).toContain('name="precision"');
  const values = { name: "Effort", was: "number", kind: "number", min: "1", max: "5", default_value: "3" };
  await visitor.post(`${path}/fields/${field.id}/save`, values);
  expect((await here.owner.get("P/custom-field-defs")).body.data[0]).toMatchObject({
    min: 1,
    max: 5,
    default_value: 3,
  });
  const refused = await visitor.post(`${path}/fields/${field.id}/save`, {
    ...values,
    default_value: "9",
    name: "Typed",
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="Typed"');
  expect(refused.text.match(/That did not work/g)).toHaveLength(1);
  const wrong = await visitor.post(`${path}/columns/create`, { name: "", color: "#ff0000", description: "Typed, too" });
  expect(wrong.text).toContain('value="Typed, too"');

  const project = (await here.owner.get("P")).body.data;
  await visitor.post(`${path}/save`, {
    ...{ name: project.name, estimation_unit: "points", color: "#123456", color_was: "#0f766e" },
    ...{ start_at: "2030-01-01", target_at: "2030-02-01", default_assignee_id: here.owner.userId },
  });
  expect((await here.owner.get("P")).body.data).toMatchObject({
    ...{ color: "#123456", start_at: "2030-01-01T00:00:00.000Z", default_assignee_id: here.owner.userId },
  });
});

test("viewers see no forms, and strangers no page", async () => {
  const here = await world();
  const path = `/w/${here.workspace.slug}/p/web/settings`;
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  expect((await viewer.get(path)).text).not.toContain(`action="${path}`);
  expect((await viewer.post(`${path}/archive`, {})).status).toBe(403);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.post(`${path}/archive`, {})).status).toBe(404);
});

test.skipIf(noBrowser)(`settings in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  await here.owner.post("P/labels", { name: "Backend", color: "#ef4444" });
  await here.owner.post("P/custom-field-defs", { name: "Effort", kind: "number", required: true });
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/p/web/settings`);
  await page.click("summary:has-text('Change') >> nth=0");
  await look(page, "project-settings");
});

test("viewers read what others set, and so does everybody in an archived project", async () => {
  const here = await world();
  await here.owner.patch("P", {
    description_md: "About **it**",
    start_at: "2030-01-01",
    lead_user_id: here.owner.userId,
  });
  await here.owner.post("P/labels", { name: "<i>Urgent</i>", color: "#00ff00" });
  const path = `/w/${here.workspace.slug}/p/web/settings`;
  const viewer = await browser(here.app, (await here.as({ role: "viewer" })).userId);
  const told = ["About <strong>it</strong>", "Led by", "1 Jan 2030", "&lt;i&gt;Urgent", "To Do"];
  const page = await viewer.get(path);
  for (const text of told) expect(page.text).toContain(text);
  expect(page.text).not.toContain(`action="${path}`);
  await here.owner.delete("P");
  const archived = await (await browser(here.app, here.owner.userId)).get(path);
  for (const text of told) expect(archived.text).toContain(text);
});
