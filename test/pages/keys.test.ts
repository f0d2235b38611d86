import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { rollUpKeyUsageNow } from "../support/jobs.ts";
import { counted, keyIdOf } from "../support/key-usage.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** A key's own page: its rights, its usage, and what changes it. */

await servePublicly();

test("an admin reads a key's usage, changes and revokes it", async () => {
  const here = await world();
  const made = (await here.owner.post("W/api-keys", { name: "<b>server</b>", scopes: ["read"] }).expect(201)).data;
  const visitor = await browser(here.app, here.owner.userId);
  const developer = `/w/${here.workspace.slug}/developer`;
  const path = `${developer}/keys/${made.id}`;
  expect((await visitor.get(developer)).text.replaceAll("&#x2F;", "/")).toContain(`href="${path}"`);
  const page = await visitor.get(path);
  expect(page.text).toContain("&lt;b&gt;server");
  expect(page.text).toContain("calls a minute");
  const picture = await visitor.get(`${path}/picture.svg?width=360`);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("image/svg+xml"),
  ]);

  const change = { name: "Server", rate_limit_per_minute: "30", expires_at: "2099-01-31", expires_before: "" };
  expect((await visitor.post(`${path}/change`, change)).status).toBe(303);
  const stored = (await here.owner.get(`W/api-keys/${made.id}`).expect(200)).data;
  expect(stored).toMatchObject({ name: "Server", rate_limit_per_minute: 30, expires_at: "2099-01-31T23:59:59.000Z" });
  const kept = { name: "Server", rate_limit_per_minute: "", expires_at: "2099-01-31", expires_before: "2099-01-31" };
  expect((await visitor.post(`${path}/change`, kept)).status).toBe(303);
  expect((await here.owner.get(`W/api-keys/${made.id}`)).data.rate_limit_per_minute).toBeNull();
  const refused = await visitor.post(`${path}/change`, { ...kept, rate_limit_per_minute: "0", name: "Typed" });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="Typed"')]);
  const stale = await visitor.post(`${path}/change`, { ...kept, revision: '"old"' });
  expect(stale.status).toBe(412);

  expect((await visitor.post(`${path}/revoke`)).status).toBe(303);
  const over = await visitor.get(path);
  expect(over.text).toContain("Revoked");
  expect(over.text).not.toContain("Change the key");
});

test("only admins see a key, and nobody from elsewhere", async () => {
  const here = await world();
  const path = `/w/${here.workspace.slug}/developer/keys/${await keyIdOf(here, here.owner)}`;
  for (const role of ["member", "viewer"] as const) {
    const visitor = await browser(here.app, (await here.as({ role })).userId);
    expect((await visitor.get(path)).status).toBe(403);
    expect((await visitor.post(`${path}/change`, { name: "x" })).status).toBe(403);
    expect((await visitor.get(`${path}/picture.svg`)).status).toBe(403);
  }
  const other = await here.other();
  const stranger = await browser(here.app, other.owner.userId);
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.get(path.replace(here.workspace.slug, other.workspace.slug))).status).toBe(404);
});

test.skipIf(noBrowser)(`a key in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  const id = await keyIdOf(here, here.owner);
  for (const path of ["W", "W/members", "P/issues", "P/issues/WEB-999"]) await here.owner.get(path);
  await rollUpKeyUsageNow();
  await counted(here, id, 4);
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/developer/keys/${id}`);
  await look(page, "key");
});
