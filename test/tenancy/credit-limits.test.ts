import { Mppx, stripe } from "mppx/client";
import { describe, expect, test } from "vitest";
import { app, configure } from "../support/app.ts";
import {
  ask,
  balances,
  buy,
  cardProcessorAtWork,
  challenged,
  expectBalanced,
  giveCard,
  grantedToken,
  newToken,
  pathOf,
  pay,
} from "../support/buyer.ts";
import type { Client, Reply } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/** Limits on declined payments: they stop a caller who tries many cards, but not a caller with one bad card. */

const emulator = await cardProcessorAtWork();
configure({ CHALLENGES_PER_MINUTE: "100" });

const SAVED = { with: { use_saved_card: true } };
/** Test cards that decline, each another card. */
const BAD = [
  "pm_card_chargeDeclined",
  "pm_card_chargeCustomerFail",
  "pm_card_visa_chargeDeclinedInsufficientFunds",
  "pm_card_visa_chargeDeclinedLostCard",
  "pm_card_chargeDeclinedExpiredCard",
  "pm_card_chargeDeclinedProcessingError",
];

const chargesAsked = () =>
  emulator.requests().filter(({ method, path }) => `${method} ${path}` === "POST /v1/payment_intents").length;
const by = async (client: Client, card: string) =>
  buy(client, "small", { with: { shared_payment_token: await grantedToken(emulator, card) } });
const ends = ({ status, body }: Reply) => `${status} ${body?.code ?? ""}`.trim();
/** As though an hour had passed. */
const anHourLater = ({ sql, workspace }: World) =>
  sql(`update purchase set updated_at = updated_at - interval '61 minutes' where workspace_id = $1`, [workspace.id]);

/** The stock client with its own settings; each retry brings another token of the same card. */
async function stockClient(card: string, minted: string[]) {
  const { baseUrl } = await app();
  const client = Mppx.create({
    polyfill: false,
    methods: [
      stripe({
        paymentMethod: card,
        createToken: async () => {
          const token = await grantedToken(emulator, card);
          minted.push(token);
          return token;
        },
      }),
    ],
  });
  return (key: string | null) =>
    client.fetch(baseUrl + pathOf("small"), { method: "POST", headers: { "X-Api-Key": key ?? "" } });
}

describe("a person with a bad card", () => {
  test("corrects it at once, after several purchases by a client that tries each several times", async () => {
    const here = await world();
    const minted: string[] = [];
    const bad = await stockClient("pm_card_chargeDeclined", minted);
    for (let purchase = 0; purchase < 4; purchase++) expect((await bad(here.owner.key)).status).toBe(402);
    // The issue is with the card and not with the key: more than five declines, all of one card.
    expect(minted.length).toBeGreaterThan(8);
    const good = await stockClient("pm_card_visa", []);
    expect((await good(here.owner.key)).status).toBe(200);
    expect(await balances(here.owner)).toMatchObject({ topup_balance: 2_000 });
    await expectBalanced(here);
  });

  test("has one try counted for the declines of a token within ten seconds", async () => {
    const { owner, sql, workspace } = await world();
    const means = { with: { shared_payment_token: newToken("declined") } };
    const tries = async (count: number) => {
      for (let time = 0; time < count; time++)
        expect(ends(await buy(owner, "small", means))).toBe("402 payment_failed");
      await sql("update purchase set updated_at = updated_at - interval '11 seconds' where workspace_id = $1", [
        workspace.id,
      ]);
    };
    for (const count of [3, 4, 1, 2, 1]) await tries(count);
    expect(ends(await buy(owner, "small", means))).toBe("429 rate_limited");
  });

  test("does not block the saved card, other keys or other people", async () => {
    const here = await world();
    await giveCard(emulator, here);
    const admin = await here.as({ role: "admin" });
    for (const card of BAD.slice(0, 5)) expect(ends(await by(here.owner, card))).toBe("402 payment_failed");
    expect(ends(await by(here.owner, "pm_card_visa"))).toBe("429 rate_limited");
    expect(ends(await buy(here.owner, "small", SAVED))).toBe("200");
    expect(ends(await by(admin, "pm_card_visa"))).toBe("200");
    await expectBalanced(here);
  });

  test("on file replaces it, and pays at once", async () => {
    const here = await world();
    await giveCard(emulator, here, "pm_card_chargeCustomerFail");
    for (let time = 0; time < 5; time++) expect(ends(await buy(here.owner, "small", SAVED))).toBe("402 payment_failed");
    const asked = chargesAsked();
    const refused = await buy(here.owner, "small", SAVED);
    expect(ends(refused)).toBe("429 rate_limited");
    expect(refused.body.detail).toMatch(/Pay with another card/);
    expect(chargesAsked()).toBe(asked);
    // A token of another card still pays, and so does the card that replaces the bad one.
    expect(ends(await by(here.owner, "pm_card_visa"))).toBe("200");
    await giveCard(emulator, here, "pm_card_mastercard");
    expect(ends(await buy(here.owner, "small", SAVED))).toBe("200");
  });
});

describe("a person who tests stolen cards", () => {
  test("is stopped after five different cards by one key, until an hour has passed", async () => {
    const here = await world();
    for (const card of BAD.slice(0, 5)) expect(ends(await by(here.owner, card))).toBe("402 payment_failed");
    const asked = chargesAsked();
    const refused = await by(here.owner, BAD[5]!);
    expect(ends(refused)).toBe("429 rate_limited");
    expect(refused.body).toMatchObject({ retryable: false, error: { details: { "violated-policies": ["declines"] } } });
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThanOrEqual(3_600);
    expect(chargesAsked()).toBe(asked);
    await anHourLater(here);
    expect(ends(await by(here.owner, "pm_card_visa"))).toBe("200");
  });

  test("gains nothing by concurrent calls: each charge in progress counts as another card", async () => {
    const here = await world();
    const tokens = await Promise.all([...BAD, ...BAD].map((card) => grantedToken(emulator, card)));
    const ids: string[] = [];
    for (const _ of tokens) ids.push(await challenged(here.owner, "small"));
    const asked = chargesAsked();
    emulator.fault({ action: "delay", delay_ms: 700, times: "always" });
    const replies = await Promise.all(
      ids.map(
        (id, n) => pay(here.owner, "small", id, { with: { shared_payment_token: tokens[n] } }) as PromiseLike<Reply>,
      ),
    );
    emulator.clearFaults();
    expect(chargesAsked() - asked).toBe(5);
    expect(replies.map(ends).sort()).toEqual([
      ...Array(5).fill("402 payment_failed"),
      ...Array(7).fill("429 rate_limited"),
    ]);
  });

  test("gains nothing by paying many challenges with one token", async () => {
    const { owner } = await world();
    const ids: string[] = [];
    for (let call = 0; call < 12; call++) ids.push(await challenged(owner, "small"));
    const asked = chargesAsked();
    emulator.fault({ action: "delay", delay_ms: 700, times: "always" });
    const means = { with: { shared_payment_token: newToken("declined") } };
    const replies = await Promise.all(ids.map((id) => pay(owner, "small", id, means) as PromiseLike<Reply>));
    emulator.clearFaults();
    expect(chargesAsked() - asked).toBe(5);
    expect(replies.map(ends).sort()).toEqual([
      ...Array(5).fill("402 payment_failed"),
      ...Array(7).fill("429 rate_limited"),
    ]);
    // A few declines within seconds are one try, so it takes a few more until the token is refused.
    let last = "";
    for (let more = 0; more < 16 && last !== "429 rate_limited"; more++) last = ends(await buy(owner, "small", means));
    expect(last).toBe("429 rate_limited");
    expect(ends(await buy(owner, "small"))).toBe("200");
  });

  test("is stopped after twenty tokens of one key, should all of them name the same card", async () => {
    const { owner } = await world();
    for (let time = 0; time < 20; time++) expect(ends(await by(owner, BAD[0]!))).toBe("402 payment_failed");
    expect(ends(await by(owner, "pm_card_visa"))).toBe("429 rate_limited");
  });

  test("is stopped after twenty cards of a workspace, whatever keys they come through", async () => {
    const here = await world();
    await giveCard(emulator, here);
    const admins = await Promise.all(Array.from({ length: 5 }, () => here.as({ role: "admin" })));
    // What the processor does not know as a card counts as one for each token.
    for (const admin of admins.slice(0, 4)) {
      for (let card = 0; card < 5; card++) {
        const token = { with: { shared_payment_token: `spt_unknown_${newToken()}` } };
        expect(ends(await buy(admin, "small", token))).toBe("402 payment_failed");
      }
    }
    expect(ends(await by(admins[4]!, "pm_card_visa"))).toBe("429 rate_limited");
    expect(ends(await buy(admins[4]!, "small", SAVED))).toBe("429 rate_limited");
    await anHourLater(here);
    expect(ends(await by(admins[4]!, "pm_card_visa"))).toBe("200");
  });
});

test("honest buyers do not wait for each other: five pay at once, and the next one's challenge stays good", async () => {
  const here = await world();
  const { owner } = here;
  const ids: string[] = [];
  for (let call = 0; call < 6; call++) ids.push(await challenged(owner, "small"));
  // One after the other, they would take ten seconds.
  emulator.fault({ action: "delay", delay_ms: 2_000, times: "always" });
  const began = performance.now();
  const replies = await Promise.all(ids.map((id) => pay(owner, "small", id) as PromiseLike<Reply>));
  emulator.clearFaults();
  expect(performance.now() - began).toBeLessThan(7_000);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
  const last = replies.findIndex(({ status }) => status === 429);
  expect(replies[last]!.body).toMatchObject({ code: "rate_limited", retryable: true });
  expect(replies[last]!.headers.get("retry-after")).toBe("1");
  await pay(owner, "small", ids[last]!).expect(200);
  expect(await balances(owner)).toMatchObject({ topup_balance: 12_000 });
  await expectBalanced(here);
  expect((await ask(owner, "small")).status).toBe(402);
});
