import { expect, test } from "vitest";
import { type Browser, browser } from "../support/browser.ts";
import { balances, cardProcessorAtWork, expectBalanced } from "../support/buyer.ts";
import { type World, world } from "../support/world.ts";

/** The billing page: a person buys a pack with the workspace's saved card. */

const emulator = await cardProcessorAtWork();

/** Saves a card as a person does, beginning at the billing page. */
async function saveCard(here: World, visitor: Browser, card = "pm_card_visa"): Promise<void> {
  const billing = `/w/${here.workspace.slug}/billing`;
  const sent = await visitor.post(`${billing}/card`);
  expect(sent.status).toBe(303);
  const pressed = await fetch(sent.headers.get("location")!, {
    method: "POST",
    body: new URLSearchParams({ card }),
    redirect: "manual",
  });
  const back = new URL(pressed.headers.get("location")!);
  expect(back.origin + back.pathname).toBe(`https://muster.test${billing}`);
  await expect.poll(async () => (await visitor.get(billing)).text, { timeout: 5_000 }).toContain("ending in");
}

const hidden = (text: string) =>
  Object.fromEntries([...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));

test("a pack is bought once, however often the form is sent", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const billing = `/w/${here.workspace.slug}/billing`;
  await saveCard(here, visitor);
  const asked = await visitor.post(`${billing}/buy`, { pack: "small" });
  expect(asked.status, asked.text).toBe(200);
  expect(asked.text).toContain("$20.00");

  const form = hidden(asked.text);
  const pages = await Promise.all([1, 2, 3].map(() => visitor.post(`${billing}/pay`, form)));
  expect(new Set(pages.map((page) => page.headers.get("location"))).size).toBe(1);
  await expect.poll(() => balances(here.owner), { timeout: 5_000 }).toMatchObject({ topup_balance: 2_000 });
  expect(emulator.charges()).toHaveLength(1);
  const purchase = await visitor.follow(pages[0]!);
  expect(purchase.text).toContain("Paid");
  expect(purchase.text).toContain("<dt>Bought credits now</dt><dd>2,000</dd>");
  const page = await visitor.get(billing);
  expect(page.text).toContain("+2,000");
  expect(page.text).toMatch(/<dt>Projects<\/dt><dd>1(,| of)/);
  expect(page.text).toContain("Visa ending in");
  expect(page.text).toContain('<span class="big">2,000</span>');
  await expectBalanced(here);
});

test("the page after saving a card says what is known about it, and nothing against it", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const billing = `/w/${here.workspace.slug}/billing`;
  const sent = await visitor.post(`${billing}/card`);
  const notice = /class="notice (\w+)" role="status">([^<]*)/;
  const page = (since: number | string) => visitor.get(`${billing}?card=saved&since=${since}`);
  const now = Date.now();

  // Before the processor's message: neither "saved" nor "no card is saved".
  const waiting = await page(now);
  expect(waiting.text).toContain("The card processor has accepted the card");
  expect(waiting.text).not.toMatch(/is saved|No card/);
  expect(waiting.headers.get("refresh")).toBe("3");
  // Not loaded again for ever.
  for (const since of [now - 120_000, now + 10 * 86_400_000, "x", "9".repeat(40)])
    expect((await page(since)).headers.get("refresh"), String(since)).toBeNull();
  expect((await page(now - 600_000)).text).toContain("has not told us about the card yet");

  const pressed = await fetch(sent.headers.get("location")!, {
    method: "POST",
    body: new URLSearchParams({ card: "pm_card_visa" }),
    redirect: "manual",
  });
  const back = new URL(pressed.headers.get("location")!);
  const arrived = () => visitor.get(back.pathname + back.search);
  await expect.poll(async () => (await arrived()).text, { timeout: 5_000 }).toContain("The card is saved.");
  expect((await arrived()).text).toContain("ending in");
  expect((await arrived()).headers.get("refresh")).toBeNull();

  // A second card is on its way: the first one does not count as the new one.
  const replaced = await page(Date.now() + 1_000);
  expect(replaced.text).toContain("The card processor has accepted the card");
  expect(replaced.text).not.toContain("ending in");
  const left = await visitor.get(`${billing}?card=cancelled`);
  expect(notice.exec(left.text)?.[2]).toContain("Nothing was changed");
  expect(left.text).toContain("ending in");
});

test("any number of credits, within the limits", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const billing = `/w/${here.workspace.slug}/billing`;
  const asked = await visitor.post(`${billing}/buy`, { pack: "custom", credits: "1234" });
  expect(asked.text).toContain("1,234 AI credits");
  expect(asked.text).toContain("save a card first");
  const refused = await visitor.post(`${billing}/buy`, { pack: "custom", credits: "1" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('role="alert"');
});

test("a declined card says so, and nothing is charged", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const billing = `/w/${here.workspace.slug}/billing`;
  await saveCard(here, visitor, "pm_card_chargeCustomerFail");
  const asked = await visitor.post(`${billing}/buy`, { pack: "large" });
  const declined = await visitor.post(`${billing}/pay`, hidden(asked.text));
  expect(declined.status).toBe(402);
  expect(declined.text).toContain("declined");
  expect(await balances(here.owner)).toMatchObject({ topup_balance: 0 });
});

test("members see the balance, and only admins the ledger and the shop", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const visitor = await browser(here.app, member.userId);
  const billing = `/w/${here.workspace.slug}/billing`;
  const page = await visitor.get(billing);
  expect(page.text).toContain("AI credits");
  expect(page.text).not.toContain("Ledger");
  expect((await visitor.post(`${billing}/buy`, { pack: "small" })).status).toBe(403);
  expect((await visitor.post(`${billing}/card`)).status).toBe(403);
});

test("a form of another site buys nothing", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const billing = `/w/${here.workspace.slug}/billing`;
  const foreign = await visitor.post(`${billing}/buy`, { pack: "small" }, { origin: "https://evil.test" });
  expect(foreign.status).toBe(403);
  expect((await visitor.post(`${billing}/buy`, { pack: "small" }, { origin: "null" })).status).toBe(403);
});
