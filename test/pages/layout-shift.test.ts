import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { noBrowser } from "../support/browser-path.ts";
import { profile } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { world } from "../support/world.ts";
import { everyPage } from "./every-page.ts";

/** What is on a page stays where it is while pictures and scripts load. */

configure({ RATE_LIMIT_PER_MINUTE: "1000000" });
await servePublicly();

const PICTURE_MS = 150;
/** What a person notices begins at 0.1. */
const MOST = 0.01;
const ROWS = 3;

/** Runs in the page: each shift, and what moved. */
const WATCH = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const moved = entry.sources.map(({ node }) => (node?.parentElement?.className ?? "") + " > " + (node?.nodeName ?? "") + "." + (node?.className ?? ""));
      window.shifts.push({ value: entry.value, moved });
    }
  }).observe({ type: "layout-shift", buffered: true });`;

const PAINTED = "performance.getEntriesByName('first-contentful-paint').length";

type Shift = { value: number; moved: string[] };

async function slowTab(page: Page): Promise<Page> {
  await page.addInitScript(WATCH);
  await page.route(/\.(svg|png|jpe?g)(\?|$)|\/files\//, async (route) => {
    await new Promise((done) => setTimeout(done, PICTURE_MS));
    await route.continue().catch(() => {});
  });
  return page;
}

test.skipIf(noBrowser)(`nothing moves while a page loads${noBrowser}`, { timeout: 240_000 }, async () => {
  const here = await world();
  const wide = await slowTab(await tabOf(here, here.owner, { script: true }));
  const narrow = await slowTab(await tabOf(here, here.owner, { script: true }));
  await narrow.setViewportSize({ width: 375, height: 812 });
  const moved: string[] = [];
  for (const { pattern, open, grow } of everyPage()) {
    const path = await open(here);
    await grow(here, ROWS);
    const see = async (tab: Page, name: string) => {
      const reply = await tab.goto(here.app.baseUrl + path, { waitUntil: "load" }).catch(() => null);
      // A file to keep.
      if (!reply?.headers()["content-type"]?.startsWith("text/html")) return;
      const shifts = (await tab.evaluate(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(window.shifts))))",
      )) as Shift[];
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      if (sum >= MOST)
        moved.push(`${pattern} ${name}: ${sum.toFixed(3)} ${shifts.flatMap((one) => one.moved).join(", ")}`);
    };
    await Promise.all([see(wide, "wide"), see(narrow, "narrow")]);
  }
  expect(moved).toEqual([]);
  // What would move is seen.
  await wide.evaluate(
    "document.getElementById('main').prepend(document.createElement('table'), document.createElement('hr'), 'Moved')",
  );
  await expect.poll(() => wide.evaluate("window.shifts.length")).toBeGreaterThan(0);
});

test.skipIf(noBrowser)(`a page is seen before its scripts and pictures are there${noBrowser}`, async () => {
  const here = await world();
  const tab = await tabOf(here, here.owner, { script: true });
  await tab.route(/\.(js|svg)$/, () => {});
  await tab.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/p/web`, { waitUntil: "commit" });
  await expect.poll(() => tab.evaluate(PAINTED)).toBe(1);
  expect(await tab.getByRole("heading", { level: 1 }).count()).toBe(1);
  expect(await tab.evaluate("document.readyState")).not.toBe("complete");
  const nobody = await (await profile({ script: false })).newPage();
  await nobody.goto(`${here.app.baseUrl}/sign-in`);
  await expect.poll(() => nobody.evaluate(PAINTED)).toBe(1);
});
