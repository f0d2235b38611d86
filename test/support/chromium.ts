import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { browserPath } from "./browser-path.ts";

/** A real browser for tests of pages: Debian's chromium, or the one at CHROMIUM_PATH. */

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let starting: Promise<Browser> | undefined;

/** Stops this file's browser. The next file starts another one. */
export async function closeBrowser(): Promise<void> {
  const closing = starting;
  starting = undefined;
  await (await closing)?.close();
}

/** `script`: allows scripts, which the reference page needs. */
export type Look = { dark?: boolean; phone?: boolean; script?: boolean };

/** A new profile without cookies. Closed at the end of the test file. */
export async function profile({ dark = false, phone = false, script = false }: Look = {}): Promise<BrowserContext> {
  return newContext({
    colorScheme: dark ? "dark" : "light",
    viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    // Without scripts, so that a page that needs them fails here.
    javaScriptEnabled: script,
  });
}

/** A new profile with other settings. */
export async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  starting ??= launch();
  return (await starting).newContext(options);
}

const LOOKS: Record<string, Look> = {
  desktop: {},
  "desktop-dark": { dark: true },
  phone: { phone: true },
  "phone-dark": { dark: true, phone: true },
};

/**
 * Checks the page in each look: nothing may be wider than the window, and axe finds no fault. With SCREENSHOTS=<folder> each look is also
 * saved as a picture.
 */
export async function look(page: Page, name: string, except: readonly string[] = []): Promise<void> {
  expect(await page.locator("h1").count(), `${name} has one headline`).toBe(1);
  for (const [kind, { dark = false, phone = false }] of Object.entries(LOOKS)) {
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    await page.setViewportSize(phone ? { width: 390, height: 844 } : { width: 1280, height: 900 });
    const beyond = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(beyond, `${name} in ${kind} is as wide as the window`).toBe(0);
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: join(folder, `${name}-${kind}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await expectAccessible(page, name, except);
}

async function launch(): Promise<Browser> {
  // Loaded here, because every test file loads this module to close the browser.
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath: browserPath() ?? "", args: FLAGS });
}
