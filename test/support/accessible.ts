import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";

/** The rules of WCAG 2.2, levels A and AA, and axe's own advice. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A page for axe, and what it loads. */
type Copy = { page: Page; of: { address: string; body: string } };

/** Those that no test uses at the moment. A new profile and a cold axe cost four times as much as a check. */
const free = new WeakMap<Browser, Copy[]>();

/**
 * Checks a page with axe, in light and dark, wide and narrow. Axe is a script, so it runs in a copy of the page, in a
 * profile that allows scripts.
 * @param except rules of axe that cannot hold for this page
 */
export async function expectAccessible(page: Page, name: string, except: readonly string[] = []): Promise<void> {
  const browser = page.context().browser()!;
  const copies = free.get(browser) ?? [];
  free.set(browser, copies);
  const copy = copies.pop() ?? (await newCopy(browser));
  try {
    await check(copy, page, name, except);
  } catch (error) {
    // It may still be loading.
    await copy.page.context().close();
    throw error;
  }
  copies.push(copy);
}

async function newCopy(browser: Browser): Promise<Copy> {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  const of = { address: "", body: "" };
  // One route for all checks: when a route is removed, what the page loads at that moment may never be answered.
  await page.route("**/*", async (route) => {
    if (route.request().url() === of.address)
      await route.fulfill({ body: of.body, contentType: "text/html; charset=utf-8" });
    else await route.continue();
  });
  return { page, of };
}

async function check({ page: copy, of }: Copy, page: Page, name: string, except: readonly string[]): Promise<void> {
  of.body = await page.content();
  // A page whose content was set has no address that could be answered.
  of.address = page.url() === "about:blank" ? "http://page.test/" : page.url().replace(/#.*/, "");
  await copy.goto(of.address);
  await copy.evaluate(axe.source);
  for (const [colorScheme, width] of [["light", 1280] as const, ["dark", 390] as const]) {
    await copy.emulateMedia({ colorScheme });
    await copy.setViewportSize({ width, height: 900 });
    const faults = await copy.evaluate(
      `axe.run({ runOnly: ${JSON.stringify(RULES)}, resultTypes: ["violations"] }).then(({ violations }) =>
        violations.filter(({ id }) => !${JSON.stringify(except)}.includes(id)).flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
    );
    expect(faults, `${name} in ${colorScheme}`).toEqual([]);
  }
  // Ends its stream of changes, and what the page kept of a form.
  await copy.evaluate("sessionStorage.clear()");
  await copy.goto("about:blank");
}
