import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";

/** The rules of WCAG 2.2, levels A and AA, and axe's own advice. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Pages for axe that no test uses at the moment. A new profile and a cold axe cost four times as much as a check. */
const free = new WeakMap<Browser, Page[]>();

/**
 * Checks a page with axe, in light and dark, wide and narrow. Axe is a script, so it runs in a copy of the page, in a
 * profile that allows scripts.
 * @param except rules of axe that cannot hold for this page
 */
export async function expectAccessible(page: Page, name: string, except: readonly string[] = []): Promise<void> {
  const browser = page.context().browser()!;
  const pages = free.get(browser) ?? [];
  free.set(browser, pages);
  const copy = pages.pop() ?? (await (await browser.newContext({ bypassCSP: true })).newPage());
  try {
    await check(copy, page, name, except);
  } catch (error) {
    // It may still be loading.
    await copy.context().close();
    throw error;
  }
  pages.push(copy);
}

async function check(copy: Page, page: Page, name: string, except: readonly string[]): Promise<void> {
  const body = await page.content();
  // A page whose content was set has no address that could be answered.
  const address = page.url() === "about:blank" ? "http://page.test/" : page.url();
  await copy.route(address, (route) => route.fulfill({ body, contentType: "text/html; charset=utf-8" }), { times: 1 });
  await copy.goto(address);
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
