import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";

/** A person's account: time zone and workspaces. */

await servePublicly();

test("pages show times in the person's time zone, else in the workspace's", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const settings = `/w/${here.workspace.slug}/settings`;
  expect((await visitor.get(settings)).text).toMatch(/Since<.dt><dd>[^<]* UTC</);
  await here.owner.patch("W", { timezone: "Asia/Tokyo" }).expect(200);
  expect((await visitor.get(settings)).text).toMatch(/Since<.dt><dd>[^<]* GMT\+9</);

  const saved = await visitor.follow(await visitor.post("/account/zone", { timezone: "Asia/Kolkata" }));
  expect(saved.text).toContain("in your time zone from now on");
  expect(saved.text.replaceAll("&#x2F;", "/")).toContain('<option value="Asia/Kolkata" selected>');
  expect((await visitor.get(settings)).text).toMatch(/Since<.dt><dd>[^<]* GMT\+5:30</);
  // Others keep theirs.
  const admin = await browser(here.app, (await here.as({ role: "admin" })).userId);
  expect((await admin.get(settings)).text).toMatch(/Since<.dt><dd>[^<]* GMT\+9</);

  const refused = await visitor.post("/account/zone", { timezone: "<b>Mars" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("must be one of those in the list");
  expect(refused.text).not.toContain("<b>Mars");
  expect((await visitor.post("/account/zone", { timezone: "workspace" })).status).toBe(303);
  expect((await visitor.get(settings)).text).toMatch(/Since<.dt><dd>[^<]* GMT\+9</);
});

test("a person leaves a workspace, but not as its last owner", async () => {
  const here = await world();
  const owner = await browser(here.app, here.owner.userId);
  const leave = `/w/${here.workspace.slug}/leave`;
  expect((await owner.get("/account")).text.replaceAll("&#x2F;", "/")).toContain(`action="${leave}"`);
  const refused = await owner.post(leave);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("Make another member an owner first");

  const member = await browser(here.app, (await here.as({ role: "member" })).userId);
  expect((await member.post(leave)).headers.get("location")).toBe("/w");
  expect((await member.get("/w/new")).text).toContain("You have left");
  expect((await member.get("/account")).text).not.toContain("Your workspaces");
  expect((await member.post(leave)).status).toBe(404);
});

test.skipIf(noBrowser)(`the account in four looks${noBrowser}`, { timeout: 120_000 }, async () => {
  const here = await world();
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}/account`);
  await look(page, "account");
  await page.goto(`${here.app.baseUrl}/account/delete`);
  await look(page, "account-delete");
  await here.as({ role: "member" });
  await page.reload();
  await look(page, "account-delete-blocked");
  await page.goto(`${here.app.baseUrl}/account/email`);
  await page.fill("#email", "olive@example.com");
  await page.click("button:has-text('Mail me')");
  await look(page, "account-email");
});
