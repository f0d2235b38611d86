import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  ask,
  atProcessor,
  balances,
  base64url,
  buy,
  cardProcessorAtWork,
  challengeOf,
  expectBalanced,
  quiet,
} from "../support/buyer.ts";
import { agentIn } from "../support/agent-stream.ts";
import { browser } from "../support/browser.ts";
import { type World, world } from "../support/world.ts";

/** A person saves a card on the processor's page; programs then buy with it. */

const emulator = await cardProcessorAtWork();

/** Where a person goes on. */
const cardPage = ({ workspace }: World) => `https://muster.test/w/${workspace.slug}/billing/card`;

const SAVED = { with: { use_saved_card: true } };

/** The address of the processor's page to which the card page leads its owner. */
async function openProcessor({ app, owner, workspace }: World): Promise<string> {
  const visitor = await browser(app, owner.userId);
  const { status, headers, text } = await visitor.post(`/w/${workspace.slug}/billing/card`);
  expect(status, text).toBe(303);
  return headers.get("location")!;
}

async function saveCard(here: World, card = "pm_card_visa"): Promise<void> {
  const { sql, workspace } = here;
  const last4 = () =>
    sql<{ payment_method: string | null }>(`select payment_method from saved_card where workspace_id = $1`, [
      workspace.id,
    ]).then(([row]) => row?.payment_method ?? null);
  const before = await last4();
  const url = await openProcessor(here);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/checkout\/cs_test_/);
  const pressed = await fetch(url, { method: "POST", body: new URLSearchParams({ card }), redirect: "manual" });
  expect(pressed.status).toBe(303);
  expect(pressed.headers.get("location")).toMatch(`https://muster.test/w/${workspace.slug}/billing?card=saved&since=`);
  await expect.poll(last4, { timeout: 5_000 }).not.toBe(before);
}

test("is requested if there is none", async () => {
  const here = await world();
  const { owner } = here;
  const reply = await buy(owner, "small", SAVED);
  expect(reply.status, reply.text).toBe(402);
  expect(reply.body).toMatchObject({
    type: "https://paymentauth.org/problems/payment-action-required",
    code: "no_saved_card",
    retryable: false,
    error: { details: { action_url: cardPage(here), action_method: "GET" } },
  });
  expect(challengeOf(reply).amount).toBe("2000");
  // The challenge was not used up by that.
  expect(emulator.captured()).toEqual({});
});

test("pays without its holder, in the forms of the spec and of the scheme", async () => {
  const here = await world();
  const { owner } = here;
  await saveCard(here);
  const paid = await buy(owner, "medium", SAVED);
  expect(paid.status, paid.text).toBe(200);
  expect(paid.data.receipt.paymentType).toBe("saved_card");
  const [charge] = emulator.charges();
  expect(charge!.metadata.purchase_id).toBe(paid.data.id);
  const [request] = emulator.requests().filter(({ idempotencyKey }) => idempotencyKey === charge!.idempotency_key);
  const form = new URLSearchParams(request!.body);
  expect(form.get("off_session")).toBe("true");
  expect(form.get("confirm")).toBe("true");
  expect(form.get("payment_method")).toMatch(/^pm_/);

  const challenge = challengeOf(await ask(owner, "small").expect(402));
  const authorization = `Payment ${base64url({ challenge, payload: { use_saved_card: true } })}`;
  await ask(owner, "small", { headers: { authorization } }).expect(200);
  expect(await balances(owner)).toMatchObject({ topup_balance: 7_500 });
  await expectBalanced(here);
});

test("belongs to its workspace; another one's and a replaced one do not pay", async () => {
  const here = await world();
  await saveCard(here, "pm_card_chargeCustomerFail");
  const refused = await buy(here.owner, "small", SAVED);
  expect(`${refused.status} ${refused.body.code}`).toBe("402 payment_failed");
  await saveCard(here, "pm_card_mastercard");
  expect((await buy(here.owner, "small", SAVED)).status).toBe(200);
  const [entry] = (await here.owner.get("W/audit-log?type=card.saved").expect(200)).data;
  expect(entry).toMatchObject({
    target: { type: "card", name: "mastercard •••• 4444" },
    changes: { exp_month: [null, expect.any(Number)], exp_year: [null, expect.any(Number)] },
  });
  const other = await here.other();
  expect((await buy(other.owner, "small", SAVED)).body.code).toBe("no_saved_card");
});

test("whose bank requires its holder returns 402 payment-action-required, and nothing is charged", async () => {
  const here = await world();
  const { owner } = here;
  await saveCard(here, "pm_card_authenticationRequired");
  const reply = await buy(owner, "small", SAVED);
  expect(reply.status, reply.text).toBe(402);
  expect(reply.body).toMatchObject({
    type: "https://paymentauth.org/problems/payment-action-required",
    code: "payment_action_required",
    retryable: false,
    error: { details: { action_url: cardPage(here) } },
  });
  expect(await balances(owner)).toMatchObject({ topup_balance: 0 });
  await saveCard(here);
  expect((await buy(owner, "small", SAVED)).status).toBe(200);
});

test("is stored once although its notices arrive twice, and from either kind of notice", async () => {
  const here = await world();
  emulator.holdEvents();
  const url = await openProcessor(here);
  emulator.completeSession({ session: url.slice(url.lastIndexOf("/") + 1) });
  expect(await emulator.releaseEvents({ reverse: true })).toEqual(
    expect.arrayContaining(["checkout.session.completed", "setup_intent.succeeded"]),
  );
  emulator.resend({ event: "setup_intent.succeeded" });
  await emulator.idle();
  const cards = () =>
    here.sql(`select brand, last4 from saved_card where workspace_id = $1 and payment_method is not null`, [
      here.workspace.id,
    ]);
  await expect.poll(cards).toEqual([{ brand: "visa", last4: "4242" }]);
});

test("set up earlier does not replace a later one, though its notice comes last", async () => {
  const here = await world();
  const { sql, workspace } = here;
  const open = async () => {
    const url = await openProcessor(here);
    return url.slice(url.lastIndexOf("/") + 1) as string;
  };
  const last4 = () => sql(`select last4 from saved_card where workspace_id = $1`, [workspace.id]);
  // The page that was opened last is not the one that was filled in last.
  const [later, earlier] = [await open(), await open()];
  emulator.holdEvents();
  emulator.completeSession({ session: earlier, card: "pm_card_mastercard" });
  // The processor's clock counts seconds.
  await sleep(1_100);
  emulator.discardEvents();
  emulator.completeSession({ session: later, card: "pm_card_visa" });
  await expect.poll(last4).toEqual([{ last4: "4242" }]);
  await emulator.idle();
  const noticed = () =>
    sql(`select id from event where workspace_id = $1 and type = 'card.noticed'`, [workspace.id]).then(
      ({ length }) => length,
    );
  const before = await noticed();
  emulator.resend({ event: "setup_intent.succeeded" });
  await emulator.idle();
  expect(await noticed()).toBeGreaterThan(before);
  await quiet(here);
  expect(await last4()).toEqual([{ last4: "4242" }]);
});

test("is removed with its customer, and each time another customer is created", async () => {
  const here = await world();
  const { owner, sql, workspace } = here;
  const customer = () =>
    sql<{ customer: string }>(`select customer from saved_card where workspace_id = $1`, [workspace.id]).then(
      ([row]) => row?.customer ?? "",
    );
  const known = new Set<string>();
  for (let time = 0; time < 3; time++) {
    await saveCard(here);
    expect((await buy(owner, "small", SAVED)).status).toBe(200);
    known.add(await customer());
    await atProcessor(emulator, `DELETE /v1/customers/${await customer()}`);
    const refused = await buy(owner, "small", SAVED);
    expect(refused.body).toMatchObject({
      code: "no_saved_card",
      retryable: false,
      error: { details: { action_url: cardPage(here), purchase_id: expect.any(String) } },
    });
    // Two people at once still make one, and the old card is forgotten.
    const pages = await Promise.all([1, 2].map(() => openProcessor(here)));
    expect(pages).toEqual(Array(2).fill(expect.stringMatching(/checkout/)));
    expect((await buy(owner, "small", SAVED)).body.code).toBe("no_saved_card");
  }
  expect(known.size).toBe(3);
  expect(await balances(owner)).toMatchObject({ topup_balance: 6_000 });
});

test("is saved only by admins in a browser: keys, tokens and agents are sent to the page", async () => {
  const here = await world();
  const { owner, workspace, app } = here;
  const setUp = "/api/mpp/v1/card/setup";
  const sessions = () => emulator.requests().filter(({ path }) => path === "/v1/checkout/sessions").length;
  const before = sessions();
  await (await here.as({ role: "member" })).post(setUp).expect(403, "insufficient_role");
  await (await here.as({ role: "admin", scopes: ["write"] })).post(setUp).expect(403, "insufficient_scope");
  const agent = await agentIn(here, { scopes: ["admin"] });
  for (const client of [owner, await here.as({ role: "admin" }), agent.client]) {
    const { body } = await client.post(setUp).expect(403);
    if (client !== agent.client) expect(body.code).toBe("person_required");
    if (body.code === "person_required") expect(body.error.details.action_url).toBe(cardPage(here));
  }
  expect(sessions()).toBe(before);
  const member = await browser(app, (await here.as({ role: "member" })).userId);
  expect((await member.post(`/w/${workspace.slug}/billing/card`)).status).toBe(403);
  expect(await openProcessor(here)).toMatch(/checkout/);
});

test("needs the processor, and says when it is unavailable", async () => {
  const { app, owner, workspace } = await world();
  emulator.fault({ action: "error", on: "POST /v1/customers" });
  const visitor = await browser(app, owner.userId);
  const page = await visitor.post(`/w/${workspace.slug}/billing/card`);
  expect(page.status).toBe(200);
  expect(page.text).toContain("The card processor cannot be reached right now.");
});
