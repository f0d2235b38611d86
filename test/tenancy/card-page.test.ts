import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { app } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { buy, cardProcessorAtWork, topup } from "../support/buyer.ts";
import { look, profile } from "../support/chromium.ts";
import type { Reply } from "../support/client.ts";
import { linkIn, startMailbox } from "../support/mailbox.ts";
import { servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** The page for a person when a program cannot pay: `action_url` opens in a browser and leads to saving a card. */

await servePublicly();
const mailbox = await startMailbox();
const emulator = await cardProcessorAtWork();

const SAVED = { with: { use_saved_card: true } };
const actionOf = ({ body }: Reply) => body.error.details as { action_url: string; action_method: string };

/** A narrow phone is narrower than those that `look` knows. */
async function lookNarrow(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 640 });
    const beyond = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(beyond, `${name} at 320 pixels`).toBe(0);
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: join(folder, `${name}-320-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
}

test.skipIf(noBrowser)(
  `a person follows a program's action_url, signs in, saves a card, and the program pays${noBrowser}`,
  { timeout: 90_000 },
  async () => {
    const here = await world();
    const refused = await buy(here.owner, "small", SAVED);
    expect(refused.body.code).toBe("no_saved_card");
    const { action_url, action_method } = actionOf(refused);
    expect(action_method).toBe("GET");

    const page = await (await profile()).newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      // The processor's page belongs to the emulator.
      const isOurs = message.location().url.startsWith(here.app.baseUrl);
      if (message.type() === "error" && isOurs) problems.push(message.text());
    });
    await page.goto(action_url);
    // Nobody is signed in, so sign-in comes first.
    expect(page.url()).toContain("/sign-in");
    await page.getByLabel("E-mail").fill(here.owner.email);
    await page.locator("main button").first().click();
    await page.goto(linkIn(await mailbox.latest(here.owner.email)).href);
    await page.locator("main button").first().click();
    expect(page.url()).toBe(action_url);
    await look(page, "save-card");
    await lookNarrow(page, "save-card");

    await page.getByRole("button", { name: "Go to the card processor" }).click();
    expect(page.url()).toMatch(/\/checkout\/cs_test_/);
    await page.getByLabel("Card").selectOption("pm_card_authenticationRequired");
    await page.getByRole("button", { name: "Save card" }).click();
    expect(page.url()).toContain("/billing?card=saved");
    await page.getByText("The card is saved.").waitFor();
    await look(page, "save-card-done");

    // The bank asks for confirmation, and the same address shows the card concerned.
    const card = () =>
      here.sql(`select last4 from saved_card where workspace_id = $1 and last4 is not null`, [here.workspace.id]);
    await expect.poll(card).toHaveLength(1);
    const asked = await buy(here.owner, "small", SAVED);
    expect(asked.body.code).toBe("payment_action_required");
    expect(actionOf(asked).action_url).toBe(action_url);
    await page.goto(action_url);
    await page.getByText("Visa ending in 3184").waitFor();
    await look(page, "save-card-again");
    await lookNarrow(page, "save-card-again");
    await page.getByRole("button", { name: "Go to the card processor" }).click();
    await page.getByLabel("Card").selectOption("pm_card_visa");
    await page.getByRole("button", { name: "Save card" }).click();
    await expect.poll(card).toEqual([{ last4: "4242" }]);
    expect((await buy(here.owner, "small", SAVED)).status).toBe(200);
    expect(await topup(here.owner)).toBe(2_000);
    expect(problems).toEqual([]);
  },
);

test("is for owners and admins of the workspace, and opens nothing at the processor by itself", async () => {
  const here = await world();
  const { action_url } = actionOf(await buy(here.owner, "small", SAVED));
  const path = new URL(action_url).pathname;
  const open = async (userId?: string) => (await browser(await app(), userId)).get(path);
  const before = emulator.requests().length;

  const nobody = await open();
  expect(`${nobody.status} ${nobody.headers.get("location")}`).toBe(
    `303 /sign-in?return_to=${encodeURIComponent(path)}`,
  );
  expect((await open((await here.other()).owner.userId)).status).toBe(404);
  const member = await open((await here.as({ role: "member" })).userId);
  expect(member.status).toBe(403);
  expect(member.text).toContain("Only owners and admins");
  expect(member.text).not.toContain('<form method="post" action="/w/');
  for (const userId of [here.owner.userId, (await here.as({ role: "admin" })).userId]) {
    const page = await open(userId);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`action="${path}"`);
  }
  expect(emulator.requests()).toHaveLength(before);
});
