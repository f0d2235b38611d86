import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { eventfulSprint, NAMES } from "../support/reports.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** The reports of a project, as pages. */

await servePublicly();

test("each report is a page with a picture, a table and a file", { timeout: 120_000 }, async () => {
  const { here } = await eventfulSprint();
  const base = `/w/${here.workspace.slug}/p/web/reports`;
  const viewer = await here.as({ role: "viewer" });
  const visitor = await browser(here.app, viewer.userId);
  expect((await visitor.get(base)).text).toContain("Burndown");
  for (const name of NAMES) {
    const page = await visitor.get(`${base}/${name}`);
    expect(page.status, name).toBe(200);
    expect(page.text).toContain(`${name}&#x2F;picture.svg`);
    const picture = await visitor.get(`${base}/${name}/picture.svg?width=360`);
    expect(picture.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
    expect(picture.text).toContain('width="360"');
    // The page keeps the room of the picture before it has come.
    const [, height] = /<svg [^>]* height="(\d+)"/.exec(picture.text)!;
    expect(page.text, name).toContain(`width="360" height="${height}"`);
    // Days and headings are those of people, not of the API.
    const table = page.text.slice(page.text.indexOf('class="numbers"'), page.text.indexOf("</table>"));
    expect(table, name).toContain('<th scope="row">');
    expect(table, name).not.toMatch(/>\d{4}-\d\d-\d\d<|_/);
    const file = await visitor.get(`${base}/${name}/table.csv`);
    expect(file.headers.get("content-type")).toMatch(/^text\/csv/);
    expect(file.headers.get("content-disposition")).toContain(`web-${name}.csv`);
  }
});

test("without estimates the table counts issues, as the picture does", async () => {
  const here = await world();
  const { owner } = here;
  const { data: sprint } = await owner.post("P/sprints", { name: "Sprint 1" }).expect(201);
  await owner.post("P/issues", { title: "One", sprint_id: sprint.id }).expect(201);
  await owner.post("P/issues", { title: "Two", sprint_id: sprint.id }).expect(201);
  await owner.patch(`P/sprints/${sprint.id}`, { status: "active" }).expect(200);
  const visitor = await browser(here.app, owner.userId);
  for (const name of ["burndown", "velocity"]) {
    const { text } = await visitor.get(`/w/${here.workspace.slug}/p/web/reports/${name}`);
    expect(text, name).toContain("Nothing here is estimated");
    expect(text.slice(text.indexOf("<tbody>")), name).toContain(`<td class="number">2</td>`);
    expect(text, name).not.toContain("points</th>");
  }
});

test("wrong days are said on the page; unknown reports and other tenants' are not found", async () => {
  const here = await world();
  const base = `/w/${here.workspace.slug}/p/web/reports`;
  const visitor = await browser(here.app, here.owner.userId);
  const wrong = await visitor.get(`${base}/throughput?from=2026-02-01&to=2026-01-01`);
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("must not be before");
  expect((await visitor.get(`${base}/nothing`)).status).toBe(404);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  for (const path of ["", "/workload", "/workload/picture.svg", "/workload/table.csv"]) {
    expect((await stranger.get(base + path)).status, path).toBe(404);
  }
});

test.skipIf(noBrowser)(`reports in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const { here } = await eventfulSprint();
  const page = await tabOf(here, here.owner);
  for (const name of ["burndown", "status-breakdown"]) {
    await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/p/web/reports/${name}`);
    await look(page, `report-${name}`);
  }
});
