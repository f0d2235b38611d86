import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { createIssue } from "../../src/api/operations/work/issues.ts";
import { app } from "../support/app.ts";
import { noBrowser } from "../support/browser-path.ts";
import { profile } from "../support/chromium.ts";

test.skipIf(noBrowser)(
  `"Try it out" on the reference page begins with the declared example${noBrowser}`,
  { timeout: 60_000 },
  async () => {
    const { baseUrl } = await app();
    const page = await (await profile({ script: true })).newPage();
    // One operation of the description is enough, and drawn at once.
    const json = openApiDocument([createIssue], baseUrl);
    await page.route("**/api/v1/openapi.json", (route) => route.fulfill({ json }));
    await page.goto(`${baseUrl}/docs#/issues/createIssue`);
    const operation = page.locator("#operations-issues-createIssue");
    await operation.getByRole("button", { name: "Try it out" }).click();
    expect(JSON.parse(await operation.locator("textarea").first().inputValue())).toEqual(createIssue.example);
  },
);
