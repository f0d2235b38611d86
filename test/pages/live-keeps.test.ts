import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tellPages } from "../../src/domain/events/live.ts";
import { noBrowser } from "../support/browser-path.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** An open page that changes leaves alone what the person does on it, and is right although its stream fails. */

await servePublicly();

let here: World;
let tab: Page;
const faults: string[] = [];

beforeAll(async () => {
  if (noBrowser) return;
  here = await world();
  await here.owner.post("P/issues", { title: "First", description_md: "A line.\n\n".repeat(60) }).expect(201);
  tab = await tabOf(here, here.owner, { script: true });
  tab.on("pageerror", (error) => faults.push(error.message));
});
afterAll(() => expect(faults).toEqual([]));

/** As the relay does after it has taken the events. No worker runs here. */
async function tell(): Promise<void> {
  const [last] = await here.sql<{ id: string }>(
    `select id from event where workspace_id = $1 order by id desc limit 1`,
    [here.workspace.id],
  );
  tellPages(here.app.resources.ports, here.workspace.id, last!.id);
}

const address = (path: string) => `${here.app.baseUrl}/w/${here.workspace.slug}${path}`;
/** Opens a page, and waits until its stream is heard. */
async function openPage(path: string): Promise<void> {
  const stream = tab.waitForResponse((reply) => reply.url().includes("/live?"));
  await tab.goto(address(path));
  await stream;
}
const seen = (text: string) => tab.getByText(text, { exact: true }).first().waitFor({ timeout: 15_000 });

/** Events count from when a page was made, so what the test does must be later. */
const change = async (title: string) => {
  await here.owner.patch("P/issues/WEB-1", { title }).expect(200);
  await tell();
};

test.skipIf(noBrowser)(`a comment, the place on the page, the focus and an open menu stay${noBrowser}`, async () => {
  await openPage("/p/web/WEB-1");
  const comment = tab.locator("textarea[name=body_md]").last();
  await comment.fill("Half a comm");
  await comment.press("ArrowLeft");
  const before = { y: await tab.evaluate("scrollY"), at: await tab.evaluate("document.activeElement.selectionStart") };
  expect(before.y).toBeGreaterThan(500);
  await change("Second");
  await seen("Second");
  expect(await comment.inputValue()).toBe("Half a comm");
  expect(await tab.evaluate("document.activeElement.name")).toBe("body_md");
  expect({ y: await tab.evaluate("scrollY"), at: await tab.evaluate("document.activeElement.selectionStart") }).toEqual(
    before,
  );

  await tab.locator("button.who").click();
  await change("Third");
  await seen("Third");
  expect(await tab.locator("#account-menu").isVisible()).toBe(true);
  expect(await comment.inputValue()).toBe("Half a comm");
});

test.skipIf(noBrowser)(`a text that is not sent stays while another form is used${noBrowser}`, async () => {
  await openPage("/p/web/WEB-1");
  const comment = () => tab.locator(".new-comment textarea");
  await comment().fill("Half a comment");
  await tab.getByLabel("Change: Priority").click();
  const priority = tab.locator("#fact-priority select");
  await priority.waitFor();
  await tab.waitForFunction("document.activeElement.closest('#fact-priority')");
  await priority.selectOption("high");
  await tab.locator("#fact-priority button").click();
  await seen("Priority: saved.");
  expect(await comment().inputValue()).toBe("Half a comment");
  await tab.getByText("Log time").click();
  await tab.waitForFunction("document.activeElement.id === 'log-minutes'");

  await tab.locator(".new-comment button").click();
  await seen("Half a comment");
  expect(await comment().inputValue()).toBe("");

  await tab.goto(address("/p/web/WEB-1?edit=description"));
  const description = () => tab.locator("textarea[name=description_md]");
  await description().fill("Another text");
  await tab.getByText("Cancel", { exact: true }).click();
  await tab.goto(address("/p/web/WEB-1?edit=description"));
  expect(await description().inputValue()).toContain("A line.");
});

test.skipIf(noBrowser)(`the focus on a card and its column's place stay while cards come${noBrowser}`, async () => {
  await openPage("/p/web");
  const link = tab.locator("#card-WEB-1 a.issue-title");
  await link.focus();
  const { data } = await here.owner.post("P/issues", { title: "Came later" }).expect(201);
  await tell();
  await seen("Came later");
  expect(await tab.evaluate("document.activeElement.closest('li').id")).toBe("card-WEB-1");
  await here.owner.post(`P/issues/${data.key}/transition`, { status_id: here.columns.Done }).expect(200);
  await tell();
  await tab.locator(`#column-${here.columns.Done} #card-${data.key}`).waitFor({ timeout: 15_000 });
  expect(await tab.evaluate("document.activeElement.closest('li').id")).toBe("card-WEB-1");
});

test.skipIf(noBrowser)(`without its stream a page works, and with the next one it is current${noBrowser}`, async () => {
  await tab.route("**/live?*", (route) => route.abort());
  await tab.goto(address("/p/web"));
  await here.owner.post("P/issues", { title: "Not heard of" }).expect(201);
  await tell();
  await tab
    .locator("summary", { hasText: "Add an issue" })
    .first()
    .click()
    .catch(() => {});
  expect(await tab.getByRole("main").getByText("Not heard of").count()).toBe(0);
  await tab.unroute("**/live?*");
  // It tries again by itself, and the new stream tells what has happened since the page was made.
  await tab.getByRole("main").getByText("Not heard of").waitFor({ timeout: 20_000 });

  // A page that cannot be loaded again stays as it is.
  await tab.route("**/p/web", (route) =>
    route.request().resourceType() === "fetch" ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await here.owner.post("P/issues", { title: "Later" }).expect(201);
  await tell();
  await tab.waitForResponse((reply) => reply.status() === 503);
  expect(await tab.getByRole("main").getByText("Not heard of").count()).toBe(1);
  await tab.unroute("**/p/web");
  await here.owner.post("P/issues", { title: "Latest" }).expect(201);
  await tell();
  await tab.getByRole("main").getByText("Latest").waitFor({ timeout: 15_000 });
  // Those who do not see the page hear it.
  expect(await tab.getByRole("status").last().textContent()).toMatch(/^Changed: .*Late(r|st)/);
  expect(await tab.getByRole("main").getByText("Later", { exact: true }).count()).toBe(1);
});
