import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { afterAll } from "vitest";
import { browserPath } from "./browser-path.ts";

/** A real browser for pages that people use; Debian's chromium, or whichever is named by CHROMIUM_PATH. */

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
afterAll(async () => {
  await (await starting)?.close();
});

export type Look = { dark?: boolean; phone?: boolean };

/** A fresh profile: nobody is signed in, no cookie is known. Closed with the test file. */
export async function profile({ dark = false, phone = false }: Look = {}): Promise<BrowserContext> {
  starting ??= launch();
  const browser = await starting;
  return browser.newContext({
    colorScheme: dark ? "dark" : "light",
    viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    // A page that needs script would show here.
    javaScriptEnabled: false,
  });
}

const launch = (): Promise<Browser> => chromium.launch({ executablePath: browserPath() ?? "", args: FLAGS });
