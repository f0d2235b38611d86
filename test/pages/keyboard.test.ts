import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { noBrowser } from "../support/browser-path.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** Pages by keyboard alone, without scripts. */

await servePublicly();

/** Presses Tab through the whole page. @returns what is wrong with the stops */
async function tabThrough(page: Page): Promise<{ stops: number; wrong: string[] }> {
  const wrong: string[] = [];
  // Some pages begin in a field. The walk begins at the top.
  await page.evaluate("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')");
  for (let stops = 0; ; stops += 1) {
    await page.keyboard.press("Tab");
    const { isEnd, fault } = (await page.evaluate(STOP)) as { isEnd: boolean; fault: string };
    if (fault) wrong.push(fault);
    if (isEnd) return { stops, wrong };
    if (stops > 400) return { stops, wrong: [...wrong, "a trap"] };
  }
}

/** Whether the focus is after the last one, visible, and within the window. Parts of an input of a day are one. */
const STOP = `{
  const one = document.activeElement;
  const last = window.lastStop;
  const isEnd = one === null || one === document.body || one === window.firstStop;
  window.firstStop ??= one;
  window.lastStop = one;
  const { outlineStyle, outlineWidth } = getComputedStyle(one ?? document.body);
  const { top, bottom, left, right, width } = (one ?? document.body).getBoundingClientRect();
  const what = one?.outerHTML.slice(0, 120);
  const faults = isEnd || one === last ? [] : [
    last && !(last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) ? "out of order: " + what : "",
    outlineStyle === "none" || parseFloat(outlineWidth) < 2 ? "invisible focus: " + what : "",
    bottom < 1 || top > innerHeight - 1 || right < 1 || left > innerWidth - 1 || width < 2 ? "out of sight: " + what : "",
  ];
  ({ isEnd, fault: faults.filter(Boolean).join(", ") });
}`;

async function filled(): Promise<World> {
  const here = await world();
  for (const title of ["One", "Two"]) await here.owner.post("P/issues", { title, assignee_ids: [here.owner.userId] });
  await here.owner.post("P/issues/WEB-1/comments", { body_md: "Hello" });
  await here.owner.post("W/docs", { title: "Plan" });
  await here.owner.post("W/goals", { title: "Win" });
  await here.owner.post("W/chat/channels", { name: "general" });
  return here;
}

const below = (slug: string) =>
  [
    ...["", "/inbox", "/projects", "/docs", "/goals", "/chat", "/agents", "/automations", "/workflows", "/members"],
    ...["/developer", "/webhooks", "/audit", "/billing", "/settings", "/p/web", "/p/web/list", "/p/web/sprints"],
    ...["/p/web/settings", "/p/web/new", "/p/web/WEB-1", "/p/web/WEB-1?edit=labels"],
  ].map((path) => `/w/${slug}${path}`);

test.skipIf(noBrowser !== "")(
  `Tab goes through every page in reading order, and one sees where${noBrowser}`,
  { timeout: 120_000 },
  async () => {
    const here = await filled();
    const page = await tabOf(here, here.owner);
    const wrong: string[] = [];
    for (const path of below(here.workspace.slug)) {
      await page.goto(here.app.baseUrl + path);
      const found = await tabThrough(page);
      if (found.stops < 15) wrong.push(`${path} has ${found.stops} stops`);
      wrong.push(...found.wrong.map((what) => `${path}: ${what}`));
    }
    expect(wrong).toEqual([]);
  },
);

test.skipIf(noBrowser !== "")(`the skip link, menus and folds work by keyboard${noBrowser}`, async () => {
  const here = await filled();
  const page = await tabOf(here, here.owner);
  await page.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/chat`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);

  const menu = page.locator("#account-menu");
  await page.locator(".who").focus();
  await page.keyboard.press("Enter");
  expect(await menu.isVisible()).toBe(true);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.closest('#account-menu') !== null")).toBe(true);
  await page.keyboard.press("Escape");
  expect(await menu.isVisible()).toBe(false);
  expect(await page.evaluate("document.activeElement.className")).toBe("who");

  const fold = page.locator(".fold > summary").first();
  await fold.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.closest('.fold[open]') !== null")).toBe(true);
  await page.setViewportSize({ width: 375, height: 700 });
  await page.locator(".open-side").focus();
  await page.keyboard.press("Enter");
  expect(await page.locator("#side").isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await page.locator("#side").isVisible()).toBe(false);
});
