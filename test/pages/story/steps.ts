import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { newContext } from "../../support/chromium.ts";
import { startExampleAgent } from "../../support/example-agent.ts";
import { codeIn, type Mailbox } from "../../support/mailbox.ts";
import type { Hands, Way } from "./hands.ts";

/** What the person does, one step after another, and what they see after each. */

type Told = { baseUrl: string; mailbox: Mailbox; name: string; way: Way };
type Person = Hands & { page: Page; main: Locator; way: Way; baseUrl: string; mailbox: Mailbox };

const PATIENCE = { timeout: 15_000 };

export async function tell({ baseUrl, mailbox, name, way }: Told): Promise<void> {
  const context = await newContext(way.context);
  const page = await context.newPage();
  page.setDefaultTimeout(8_000);
  const me: Person = { ...way.hands(page), page, main: page.getByRole("main"), way, baseUrl, mailbox };
  const folder = mkdtempSync(join(tmpdir(), "muster-story-"));
  const agent = startExampleAgent(baseUrl, join(folder, "agent.json"));
  try {
    await signUp(me, name);
    await makeProject(me);
    await createIssues(me);
    await planSprint(me);
    await drag(me, "SHOP-1", "In Progress");
    await approve(me, await agent.says(/http\S+authorize\S+/));
    await agent.says(/Listening in/);
    await assign(me);
    const watching = isLive(way) ? await other(me) : null;
    await answer(me, watching);
    await accept(me, watching);
    await finish(me, watching);
    await watching?.context().close();
  } catch (error) {
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `story-${name}-failed.png`), fullPage: true });
    throw error;
  } finally {
    await agent.kill();
    await context.close();
    rmSync(folder, { recursive: true });
  }
}

const link = (within: Page | Locator, name: string | RegExp) => within.getByRole("link", { name, exact: true });
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole("button", { name, exact: true });
const field = (within: Page | Locator, name: string | RegExp) => within.getByLabel(name);
const fold = (within: Page | Locator, name: string | RegExp) => within.locator("summary").getByText(name);

/** What the page says, now or soon. Without scripts the person loads it again meanwhile. */
async function sees({ page, main, way }: Person, text: string | RegExp): Promise<void> {
  const found = main.getByText(text).first();
  if (isLive(way)) return found.waitFor(PATIENCE);
  for (const deadline = Date.now() + PATIENCE.timeout; Date.now() < deadline; await page.reload()) {
    const isThere = await found.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
  }
  throw new Error(`${page.url()} does not say ${text}.`);
}

const isLive = ({ context }: Way) => context.javaScriptEnabled !== false;

/** Goes to another part of the workspace. */
async function goTo({ page, way, press }: Person, part: string): Promise<void> {
  if (way.narrow) await press(button(page, "Menu"));
  await press(link(page.getByRole("navigation").filter({ has: page.getByText("Workspace", { exact: true }) }), part));
}

async function signUp(me: Person, name: string): Promise<void> {
  const address = `${name.replaceAll(" ", "-")}@story.test`;
  const { page, baseUrl, press, write, mailbox } = me;
  await page.goto(baseUrl);
  await press(link(page, "Sign in"));
  await write(field(page, "E-mail address"), address);
  await press(button(page, "Mail me a link"));
  await write(field(page, "Code from the mail"), codeIn(await mailbox.latest(address)));
  await press(button(page, "Sign in"));
  await write(field(page, "Your name"), "Ada Lovelace");
  await write(field(page, "Name of the workspace"), `Team ${name}`);
  await press(button(page, "Create the workspace"));
  await sees(me, "First steps");
}

async function makeProject(me: Person): Promise<void> {
  const { page, press, write, tick } = me;
  await press(link(page, "New project"));
  await write(field(page, "Name"), "Shop");
  await tick(page.getByRole("radio", { name: "Software" }));
  await press(button(page, "Create the project"));
  await sees(me, "Shop is created. Add its first issue to a column.");
}

async function createIssues(me: Person): Promise<void> {
  const { page, press, write, choose } = me;
  const column = page.getByRole("region", { name: "To Do" });
  for (const [n, title] of ["Show prices with tax", "Update the imprint"].entries()) {
    // It stays open, for the next one.
    if (n === 0) await press(fold(column, "Add an issue"));
    await write(field(column, "Title"), title);
    await press(button(column, "Create"));
    await sees(me, `SHOP-${n + 1} is created.`);
    await sees(me, title);
  }
  await press(link(page, "New issue"));
  await write(field(page, "Title"), "Send an order mail");
  await choose(field(page, "Priority"), "High");
  await press(button(page, "Create the issue"));
  await sees(me, "SHOP-3 “Send an order mail” is created.");
}

async function planSprint(me: Person): Promise<void> {
  const { page, press, write, tick } = me;
  await press(link(me.main, "Shop"));
  await press(link(page, "Sprints"));
  await write(field(page, "Name"), "Sprint 1");
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await write(field(page, "Begins"), day(-3));
  await write(field(page, "Ends"), day(7));
  await press(button(page, "Create the sprint"));
  await sees(me, "Sprint 1 is planned. Add issues to it in the backlog.");
  await press(link(me.main, "Add from the backlog"));
  for (const key of [1, 2, 3]) await tick(page.getByRole("checkbox", { name: `Choose SHOP-${key}` }));
  await press(button(page, "Put into the sprint"));
  await sees(me, "3 issues put into the sprint.");
  await press(link(page, "Sprints"));
  await press(link(page, "Sprint 1"));
  await press(button(page, "Start the sprint"));
  await sees(me, "Sprint 1 is started.");
}

async function drag(me: Person, key: string, column: string): Promise<void> {
  const { page, press, choose, way } = me;
  if (!page.url().includes("#card")) await press(link(page, "Board"));
  const card = page.locator(`#card-${key}`);
  const target = page.getByRole("region", { name: column });
  if (way.drags) await dragTo(page, card, target.getByRole("heading"));
  else {
    await press(link(card, `Move ${key}`));
    await choose(field(card, "Column"), column);
    await press(button(card, "To the top"));
  }
  await sees(me, `${key} is in ${column} now.`);
  await target.locator(`#card-${key}`).waitFor();
}

async function dragTo({ mouse }: Page, card: Locator, target: Locator): Promise<void> {
  const middle = async (one: Locator) => {
    const box = await one.boundingBox();
    return [box!.x + box!.width / 2, box!.y + box!.height / 2] as const;
  };
  await target.scrollIntoViewIfNeeded();
  await mouse.move(...(await middle(card)));
  await mouse.down();
  await mouse.move(...(await middle(target)), { steps: 8 });
  await mouse.up();
}

/** The agent has printed an address. The person opens it in the same browser. */
async function approve(me: Person, address: string): Promise<void> {
  const { page, press } = me;
  const before = page.url();
  await page.goto(address);
  await sees(me, "Connect Example agent?");
  await press(button(page, "Approve"));
  await page.getByText("You can close this window.").waitFor();
  await page.goto(before);
  await goTo(me, "Agents");
  await sees(me, "Example agent");
}

async function assign(me: Person): Promise<void> {
  const { page, press, tick } = me;
  await goTo(me, "Projects");
  await press(link(me.main, "Shop"));
  await press(link(me.main, "Update the imprint"));
  await press(link(me.main, "Change: Assignee"));
  await tick(field(page, "Example agent"));
  await press(button(page, "Save"));
  await sees(me, "Assignees: saved.");
}

/** The page of the issue shows what the agent does, and the home that it waits. With scripts, another window shows its board. */
async function answer(me: Person, watching: Page | null): Promise<void> {
  const { main, page, press } = me;
  await sees(me, "Asks a question");
  await sees(me, /How should I do .Update the imprint.\?/);
  await sees(me, "Ask what is meant");
  await watching?.goto(page.url().replace(/\/SHOP-2.*/, ""));
  await watching?.getByRole("region", { name: "In Progress" }).locator("#card-SHOP-2").waitFor();
  await goTo(me, "Home");
  await sees(me, "Waits for you");
  await press(link(main, "Update the imprint").first());
  await press(button(main, "Thoroughly"));
  await sees(me, "Your answer is on its way to the agent.");
}

async function accept(me: Person, watching: Page | null): Promise<void> {
  const { main, press } = me;
  await press(link(main, "SHOP-2"));
  await sees(me, "The answer was: Thoroughly");
  await sees(me, "Ready for review");
  await sees(me, "It is done. Please have a look.");
  // The agent has moved it, and the board was not loaded again.
  await watching?.getByRole("region", { name: "In Review" }).locator("#card-SHOP-2").waitFor(PATIENCE);
  await press(button(main, "Accept the result"));
  await sees(me, "The result is accepted.");
}

/** The burndown moves once the issue is done. With scripts, the other window shows it without being loaded again. */
async function finish(me: Person, watching: Page | null): Promise<void> {
  const { main, page, press } = me;
  await press(link(main, "Shop"));
  await press(link(page, "Reports"));
  const before = await burndown(main);
  expect(before.remaining).toBe("3");
  await watching?.goto(page.url());
  await drag(me, "SHOP-2", "Done");
  if (!watching) await press(link(page, "Reports"));
  const after = () => burndown((watching ?? page).getByRole("main"));
  await expect.poll(async () => (await after()).remaining, PATIENCE).toBe("2");
  expect((await after()).picture).not.toBe(before.picture);
}

/** Another window of the same person. */
async function other({ page }: Person): Promise<Page> {
  const context = await newContext({ storageState: await page.context().storageState() });
  return context.newPage();
}

/** The issues that remain on the last day that is known, as the table says, and the address of the picture. */
async function burndown(main: Locator) {
  await main.getByRole("table").waitFor();
  const heads = await main.getByRole("columnheader").allTextContents();
  const today = new Date().toISOString().slice(0, 10);
  const row = main.getByRole("row").filter({ has: main.page().locator(`time[datetime="${today}"]`) });
  const remaining = await row
    .getByRole("cell")
    .nth(heads.indexOf("Remaining issues") - 1)
    .textContent();
  return { remaining, picture: await main.locator("figure img").getAttribute("src") };
}
