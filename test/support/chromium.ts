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

/** Serves all files of this process, and ends with it. */
let starting: Promise<Browser> | undefined;
const profiles = new Set<BrowserContext>();

/** Closes this file's profiles. The browser stays for the next file: starting it takes half a second of computing. */
export async function closeProfiles(): Promise<void> {
  const closing = [...profiles];
  profiles.clear();
  await Promise.all(closing.map((profile) => profile.close()));
}

export async function closeBrowser(): Promise<void> {
  const closing = starting;
  starting = undefined;
  profiles.clear();
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
  const profile = await (await starting).newContext(options);
  profiles.add(profile);
  profile.on("close", () => profiles.delete(profile));
  return profile;
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
  await expectRoom(page, name);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expectAccessible(page, name, except);
}

/** Nothing is wider than the smallest phone, nor than a window whose texts are twice as large; fingers hit what can be pressed. */
async function expectRoom(page: Page, name: string): Promise<void> {
  const kinds = [
    [375, 100],
    [320, 100],
    [1280, 200],
  ] as const;
  for (const [width, percent] of kinds) {
    await page.setViewportSize({ width, height: 900 });
    const found = await page.evaluate(ROOM(percent));
    expect(found, `${name} at ${width} px, texts at ${percent} %`).toEqual({ beyond: 0, small: [] });
  }
}

/** What is narrower or lower than 24 px. A link within a text may be as low as its line (WCAG 2.5.8). */
const ROOM = (percent: number) => `{
  document.documentElement.style.fontSize = "${percent}%";
  const { scrollWidth, clientWidth } = document.documentElement;
  const small = [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    if (width === 0 || !one.checkVisibility({ visibilityProperty: true }) || one.closest(".trap, .skip")) return false;
    if (one.matches("[type=checkbox], [type=radio]")) return false;
    return getComputedStyle(one).display !== "inline" && (width < 24 || height < 24);
  });
  document.documentElement.style.fontSize = "";
  ({ beyond: scrollWidth - clientWidth, small: small.map((one) => one.outerHTML.slice(0, 120)) });
}`;

async function launch(): Promise<Browser> {
  // Loaded here, because every test file loads this module to close its profiles.
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: browserPath() ?? "", args: FLAGS });
  // If a test killed it, the next one gets another.
  browser.on("disconnected", () => {
    starting = undefined;
    profiles.clear();
  });
  return browser;
}
