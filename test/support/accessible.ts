import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The rules of WCAG 2.2, levels A and AA, and axe's own advice. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Checks a page with axe, in light and dark, wide and narrow. Axe is a script, so it runs in a copy of the page, in a
 * profile that allows scripts.
 * @param except rules of axe that cannot hold for this page
 */
export async function expectAccessible(page: Page, name: string, except: readonly string[] = []): Promise<void> {
  const context = await page.context().browser()!.newContext({ bypassCSP: true });
  try {
    const copy = await context.newPage();
    const body = await page.content();
    // A page whose content was set has no address that could be answered.
    const address = page.url() === "about:blank" ? "http://page.test/" : page.url();
    await copy.route(address, (route) => route.fulfill({ body, contentType: "text/html; charset=utf-8" }));
    for (const [colorScheme, width] of [["light", 1280] as const, ["dark", 390] as const]) {
      await copy.emulateMedia({ colorScheme });
      await copy.setViewportSize({ width, height: 900 });
      await copy.goto(address);
      await copy.evaluate(axe.source);
      const faults = await copy.evaluate(
        `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
          violations.filter(({ id }) => !${JSON.stringify(except)}.includes(id)).flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
      );
      expect(faults, `${name} in ${colorScheme}`).toEqual([]);
    }
  } finally {
    await context.close();
  }
}
