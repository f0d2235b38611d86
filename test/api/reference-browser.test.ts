import { expect, test } from "vitest";
import { app } from "../support/app.ts";
import { noBrowser } from "../support/browser-path.ts";
import { profile } from "../support/chromium.ts";

/** Milliseconds. */
const MOST = 1_000;

test.skipIf(noBrowser)(
  `the reference page is drawn within a second, and leads to an operation by its search${noBrowser}`,
  { timeout: 60_000 },
  async () => {
    const { baseUrl } = await app();
    const page = await (await profile({ script: false })).newPage();
    const times: number[] = [];
    for (let n = 0; n < 3; n++) {
      const start = performance.now();
      await page.goto(`${baseUrl}/docs`, { waitUntil: "load" });
      times.push(performance.now() - start);
    }
    expect(Math.min(...times)).toBeLessThan(MOST);
    await page.getByRole("searchbox").fill("create an issue");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Create an issue", exact: true }).click();
    await page.getByText("Python", { exact: true }).click();
    await page.getByText("requests.post(").waitFor();
    expect(await page.getByText("curl -X POST").isVisible()).toBe(false);
  },
);
