import { expect, test } from "vitest";
import { browser } from "./support/browser.ts";
import { world } from "./support/world.ts";

test("a workspace's page is for its members", async () => {
  const { app, owner, workspace, other } = await world();
  const visitor = await browser(app, owner.userId);
  const page = await visitor.get(`/w/${workspace.slug}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`Workspace ${workspace.slug}`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

  const elsewhere = await other();
  expect((await visitor.get(`/w/${elsewhere.workspace.slug}`)).status).toBe(404);
});

test("whoever is not signed in is asked to", async () => {
  const { app, workspace } = await world();
  const nobody = await browser(app);
  const page = await nobody.get(`/w/${workspace.slug}?x=1`);
  expect(page.status).toBe(303);
  expect(page.headers.get("location")).toBe(`/sign-in?return_to=${encodeURIComponent(`/w/${workspace.slug}?x=1`)}`);
});

test("a session that ended opens nothing", async () => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  await sql(`update session set expires_at = now() - interval '1 second' where user_id = $1`, [owner.userId]);
  expect((await visitor.get(`/w/${workspace.slug}`)).status).toBe(303);
});
