import { describe, expect, test } from "vitest";
import { type Background, write } from "../../src/domain/events/background.ts";
import { Refusal } from "../../src/domain/kernel/errors.ts";
import { definePlans, type Plan } from "../../src/domain/kernel/plans.ts";
import type { Workspace } from "../../src/domain/kernel/rows.ts";
import { readBalances } from "../../src/domain/tenancy/credits/balances.ts";
import { adjustCredits } from "../../src/domain/tenancy/credits/ledger.ts";
import { reconcile } from "../../src/domain/tenancy/credits/reconcile.ts";
import { spend } from "../../src/domain/tenancy/credits/spend.ts";
import {
  atProcessor,
  background,
  balances,
  buy,
  cardProcessorAtWork,
  expectBalanced,
  quiet,
  topup as topupOf,
} from "../support/buyer.ts";
import { type World, world } from "../support/world.ts";

/** The ledger of credits: refunds and spending. */

const emulator = await cardProcessorAtWork();

type Line = { kind: string; bucket: string; amount: number; reason: string | null };

const linesOf = ({ sql, workspace }: World) =>
  sql<Line>(`select kind, bucket, amount, reason from credit_entry where workspace_id = $1 order by id`, [
    workspace.id,
  ]);

async function bought(here: World): Promise<string> {
  const { data } = await buy(here.owner, "small");
  return data.receipt.reference;
}

/** As the processor's dashboard does it. */
const refund = (payment_intent: string, cents?: number) =>
  atProcessor(emulator, "POST /v1/refunds", { payment_intent, ...(cents ? { amount: String(cents) } : {}) });

const topup = ({ owner }: World) => topupOf(owner);
const purchase = { kind: "purchase", bucket: "topup", amount: 2_000, reason: "small pack" };
const back = (amount: number, reason = "refund") => ({ kind: "refund", bucket: "topup", amount, reason });

describe("refunded money removes the credits", () => {
  test("in part, in full, and however often the notices come", async () => {
    const here = await world();
    const payment = await bought(here);
    await refund(payment, 500);
    await expect.poll(() => topup(here)).toBe(1_500);
    await refund(payment, 250);
    await expect.poll(() => topup(here)).toBe(1_250);
    const noticed = () =>
      here.sql<{ count: number }>(
        `select count(*) as count from event where workspace_id = $1 and type = 'payment.noticed'`,
        [here.workspace.id],
      );
    await emulator.idle();
    const before = await noticed();
    for (let time = 0; time < 3; time++) emulator.resend({ event: "charge.refunded" });
    await emulator.idle();
    // The same notice again is taken, and is no news.
    expect(
      emulator
        .attempts()
        .slice(-6)
        .map(({ status }) => status),
    ).toEqual(Array(6).fill(200));
    expect(await noticed()).toEqual(before);
    await refund(payment);
    await expect.poll(() => topup(here)).toBe(0);
    expect(await linesOf(here)).toEqual([purchase, back(-500), back(-250), back(-1_250)]);
    const [{ id } = { id: "" }] = await here.sql<{ id: string }>(`select id from purchase where payment_intent = $1`, [
      payment,
    ]);
    const read = await here.owner.get(`/api/mpp/v1/purchases/${id}`).expect(200);
    expect(read.data).toMatchObject({ credits: 2_000, refunded_credits: 2_000, credits_status: "granted" });
    await expectBalanced(here);
  });

  test("also when the notices come in the wrong order, or the same one under another id", async () => {
    const here = await world();
    const payment = await bought(here);
    await emulator.idle();
    emulator.holdEvents();
    await refund(payment, 500);
    await refund(payment, 500);
    await emulator.releaseEvents({ reverse: true });
    await expect.poll(() => topup(here)).toBe(1_000);
    await emulator.idle();
    await quiet(here);
    expect((await linesOf(here)).reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000);
    await expectBalanced(here);
  });

  test("also when an answer from before the refund is acted on after it", async () => {
    const here = await world();
    const payment = await bought(here);
    await quiet(here);
    const purchases = await here.sql<{ id: string }>(`select id from purchase where workspace_id = $1`, [
      here.workspace.id,
    ]);
    const ctx = await background();
    const { cards } = ctx.ports;
    const [asked, refunded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let answers = 0;
    const slow = async (intent: string) => {
      const state = await cards.retrieve(intent);
      answers++;
      asked.resolve();
      await refunded.promise;
      return state;
    };
    const late = { ...ctx, ports: { ...ctx.ports, cards: { ...cards, retrieve: slow } } };
    const overtaken = Promise.all([1, 2].map(() => reconcile(late, here.workspace.id, purchases[0]!.id)));
    await asked.promise;
    await refund(payment, 500);
    await expect.poll(() => topup(here)).toBe(1_500);
    await quiet(here);
    refunded.resolve();
    await overtaken;
    // Both asked again.
    expect(answers).toBe(4);
    expect(await linesOf(here)).toEqual([purchase, back(-500)]);
    await expectBalanced(here);
  });

  test("below zero if they were spent, and back if the bank rejects the refund", async () => {
    const here = await world({ plan: "free" });
    const payment = await bought(here);
    await spending(here, 1_525);
    expect(await topup(here)).toBe(500);
    const { id } = await refund(payment);
    await expect.poll(() => topup(here)).toBe(-1_500);
    await expect(spending(here, 1)).rejects.toMatchObject({ code: "credits_exhausted" });
    emulator.failRefund({ refund: id });
    await expect.poll(() => topup(here)).toBe(500);
    await expectBalanced(here);
  });

  test("and says so when little is left", async () => {
    const here = await world({ plan: "free", webhook: ["credits.low"] });
    const payment = await bought(here);
    await refund(payment, 500);
    await expect.poll(() => topup(here)).toBe(1_500);
    await refund(payment);
    const [message] = await here.receiver.waitFor(1);
    expect(message!.json).toMatchObject({ type: "credits.low", data: { balance: 25, threshold: 50 } });
    await spending(here, 1);
    const told = await here.sql(`select data from event where workspace_id = $1 and type = 'credits.low'`, [
      here.workspace.id,
    ]);
    expect(told).toHaveLength(1);
    await expectBalanced(here);
  });

  test("an operator may add to a balance below zero, but not remove from it", async () => {
    const here = await world({ plan: "free" });
    const payment = await bought(here);
    await spending(here, 2_025);
    await refund(payment);
    await expect.poll(() => topup(here)).toBe(-2_000);
    const adjust = async (amount: number) =>
      write(await background(), here.workspace.id, (tx) =>
        adjustCredits(tx, here.workspace.id, { amount, reason: "goodwill" }),
      );
    expect(await adjust(-1)).toBeNull();
    expect(await adjust(500)).toMatchObject({ amount: 500, balance_after: -1_500 });
    expect(await adjust(1_600)).toMatchObject({ balance_after: 100 });
    expect(await adjust(-101)).toBeNull();
    expect(await adjust(-100)).toMatchObject({ balance_after: 0 });
    await expectBalanced(here);
  });

  test("while a dispute is open or lost, but not once it is won", async () => {
    const here = await world();
    const payment = await bought(here);
    const dispute = emulator.dispute({ payment_intent: payment });
    await expect.poll(() => topup(here)).toBe(0);
    emulator.closeDispute({ dispute: dispute.id, status: "won" });
    await expect.poll(() => topup(here)).toBe(2_000);
    expect(await linesOf(here)).toEqual([purchase, back(-2_000, "dispute"), back(2_000, "dispute")]);

    const lost = await bought(here);
    const other = emulator.dispute({ payment_intent: lost });
    await expect.poll(() => topup(here)).toBe(2_000);
    emulator.closeDispute({ dispute: other.id, status: "lost" });
    await emulator.idle();
    await quiet(here);
    expect(await topup(here)).toBe(2_000);
    // An inquiry withdraws nothing yet.
    emulator.dispute({ payment_intent: await bought(here), inquiry: true });
    await emulator.idle();
    await quiet(here);
    expect(await topup(here)).toBe(4_000);
    await expectBalanced(here);
  });

  test("never more than was bought, refunded and disputed together", async () => {
    const here = await world();
    const payment = await bought(here);
    emulator.dispute({ payment_intent: payment });
    await expect.poll(() => topup(here)).toBe(0);
    await refund(payment, 1_500);
    await emulator.idle();
    await quiet(here);
    expect(await topup(here)).toBe(0);
    await expectBalanced(here);
  });
});

/** Spends as the AI features will, at a time of choice. */
async function spending(here: World, amount: number, now?: string, changes: Partial<Background> = {}) {
  const actor = { id: here.owner.userId, kind: "user" as const, name: "Olive" };
  const ctx = { ...(await background(now)), actor, ...changes };
  const workspace = await workspaceOf(here);
  return write(ctx, workspace.id, (tx) => spend({ ...tx, workspace }, amount, "summary"));
}

async function workspaceOf({ sql, workspace }: World): Promise<Workspace> {
  const [row] = await sql<{ plan: Plan; name: string }>(`select plan, name from workspace where id = $1`, [
    workspace.id,
  ]);
  return { ...workspace, ...row } as Workspace;
}

describe("spending", () => {
  test("takes the monthly grant first, then purchased credits, all or nothing", async () => {
    const here = await world({ plan: "free" });
    expect(await spending(here, 20)).toEqual({ included: 20, topup: 0 });
    await expect(spending(here, 6)).rejects.toMatchObject({
      code: "credits_exhausted",
      details: { needed: 6, remaining: 5, topup_balance: 0, daily_remaining: 5, resets_at: expect.any(String) },
    });
    await bought(here);
    expect(await spending(here, 6)).toEqual({ included: 5, topup: 1 });
    expect(await balances(here.owner)).toMatchObject({
      monthly_grant: 25,
      used: 25,
      remaining: 0,
      topup_balance: 1_999,
      daily_used: 25,
      daily_remaining: 0,
    });
    expect(await linesOf(here)).toEqual([
      { kind: "included", bucket: "included", amount: 25, reason: "monthly grant" },
      { kind: "spend", bucket: "included", amount: -20, reason: "summary" },
      purchase,
      { kind: "spend", bucket: "included", amount: -5, reason: "summary" },
      { kind: "spend", bucket: "topup", amount: -1, reason: "summary" },
    ]);
    await expectBalanced(here);
  });

  test("keeps to the daily limit of the grant; purchased credits have none", async () => {
    const here = await world({ plan: "pro" });
    expect(await spending(here, 900, "2026-11-10T10:00:00.000Z")).toEqual({ included: 900, topup: 0 });
    await expect(spending(here, 101, "2026-11-10T23:59:59.999Z")).rejects.toBeInstanceOf(Refusal);
    await bought(here);
    expect(await spending(here, 101, "2026-11-10T23:59:59.999Z")).toEqual({ included: 100, topup: 1 });
    expect(await spending(here, 1_000, "2026-11-11T00:00:00.000Z")).toEqual({ included: 1_000, topup: 0 });
    await expectBalanced(here);
  });

  test("grants each month once, even to calls that arrive in the wrong order at midnight", async () => {
    const here = await world({ plan: "free" });
    await spending(here, 10, "2026-11-30T23:59:59.000Z");
    await bought(here);
    expect(await spending(here, 25, "2026-12-01T00:00:00.000Z")).toEqual({ included: 25, topup: 0 });
    expect(await spending(here, 1, "2026-11-30T23:59:59.999Z")).toEqual({ included: 0, topup: 1 });
    expect(await spending(here, 1, "2026-12-01T00:00:00.001Z")).toEqual({ included: 0, topup: 1 });
    const included = (await linesOf(here)).filter(({ kind }) => kind === "included").map(({ amount }) => amount);
    expect(included).toEqual([25, -15, 25]);
    await expectBalanced(here);
  });

  test("uses a larger plan's grant at once, and keeps it on a smaller one until the month is over", async () => {
    const here = await world({ plan: "free" });
    const putOn = (plan: Plan) => here.sql(`update workspace set plan = $2 where id = $1`, [here.workspace.id, plan]);
    const shown = async (now?: string) => readBalances(await background(now), await workspaceOf(here));
    await bought(here);
    await spending(here, 20);
    await putOn("pro");
    expect(await shown()).toMatchObject({ monthly_grant: 5_000, used: 20, remaining: 4_980, daily_remaining: 980 });
    expect(await spending(here, 900)).toEqual({ included: 900, topup: 0 });
    const after = { monthly_grant: 5_000, used: 920, remaining: 4_080, topup_balance: 2_000, daily_used: 920 };
    expect(await shown()).toMatchObject(after);
    await putOn("free");
    expect(await shown()).toMatchObject({ ...after, daily_limit: 25, daily_remaining: 0 });
    expect(await spending(here, 1)).toEqual({ included: 0, topup: 1 });
    // Up and down again gives nothing more.
    await putOn("pro");
    expect(await spending(here, 80)).toEqual({ included: 80, topup: 0 });
    expect(await spending(here, 1)).toEqual({ included: 0, topup: 1 });
    expect(await shown()).toMatchObject({ used: 1_000, remaining: 4_000, topup_balance: 1_998 });
    const given = () =>
      linesOf(here).then((lines) => lines.filter(({ kind }) => kind === "included").map(({ amount }) => amount));
    expect(await given()).toEqual([25, 4_975]);
    await putOn("free");
    const next = new Date();
    next.setUTCMonth(next.getUTCMonth() + 1, 1);
    expect(await shown(next.toISOString())).toMatchObject({ monthly_grant: 25, used: 0, remaining: 25 });
    await spending(here, 5, next.toISOString());
    expect(await given()).toEqual([25, 4_975, -4_000, 25]);
    expect(await shown(next.toISOString())).toMatchObject({ monthly_grant: 25, used: 5, remaining: 20 });
    await expectBalanced(here);
  });

  test("never goes below zero, however many spend at once", async () => {
    const here = await world({ plan: "free" });
    await bought(here);
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => spending(here, 50)));
    const done = results.filter(({ status }) => status === "fulfilled").length;
    // 2 025 credits: 25 included, 2 000 bought.
    expect(done).toBe(40);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "credits_exhausted" });
    }
    const { remaining, topup_balance } = await balances(here.owner);
    expect(remaining! + topup_balance!).toBe(25);
    await expectBalanced(here);
  });

  test("records once that credits are low, and again after they were higher", async () => {
    const here = await world({ plan: "free", webhook: ["credits.low"] });
    await bought(here);
    const told = () =>
      here.sql(`select data from event where workspace_id = $1 and type = 'credits.low'`, [here.workspace.id]);
    await spending(here, 1_970);
    expect(await told()).toHaveLength(0);
    await spending(here, 10);
    await spending(here, 10);
    expect(await told()).toMatchObject([{ data: { balance: 45, threshold: 50 } }]);
    await bought(here);
    await spending(here, 2_000);
    expect(await told()).toHaveLength(2);
    const messages = await here.receiver.waitFor(2);
    expect(messages[0]!.json.type).toBe("credits.low");
  });

  test("is in whole credits", async () => {
    const here = await world();
    for (const amount of [0, -1, 0.5, Number.NaN]) await expect(spending(here, amount)).rejects.toThrow(RangeError);
  });

  test.each([
    ["neither a month nor a day", { ai_credits_per_month: null, ai_credits_per_day: null }, 2 ** 30],
    ["a month, but a day", { ai_credits_per_month: null, ai_credits_per_day: 100 }, 100],
    ["a day, but a month", { ai_credits_per_month: 1_000, ai_credits_per_day: null }, 1_000],
  ])("on a plan that does not cap %s takes what W/usage shows, and no more", async (_, caps, most) => {
    const here = await world();
    const { settings } = await background();
    const changes = { settings: { ...settings, plans: definePlans({ business: caps }) } };
    const shown = async () => readBalances({ ...(await background()), ...changes }, await workspaceOf(here));
    const before = await shown();
    // An account line holds 32 bits; three of these are more than that.
    for (let time = 0; time < (most > 1_000 ? 3 : 1); time++) {
      expect(await spending(here, most, undefined, changes)).toEqual({ included: most, topup: 0 });
    }
    const { remaining, daily_remaining, used, daily_used, monthly_grant } = await shown();
    const spent = before.remaining - remaining;
    expect({ used, daily_used, left: remaining }).toEqual({
      used: spent,
      daily_used: spent,
      left: monthly_grant - spent,
    });
    expect(spent).toBe(most > 1_000 ? 3 * most : most);
    if (most > 1_000) expect(daily_remaining).toBe(remaining);
    else {
      const refused = await spending(here, 1, undefined, changes).catch((error) => error);
      expect(refused).toMatchObject({ code: "credits_exhausted", details: { remaining, daily_remaining: 0 } });
      expect(daily_remaining).toBe(0);
    }
    const [account] = await here.sql(
      `select included_balance >= 0 as sound from credit_account where workspace_id = $1`,
      [here.workspace.id],
    );
    expect(account).toEqual({ sound: true });
    await expectBalanced(here);
  });
});

test("the database rejects every edit of a ledger entry", async () => {
  const here = await world();
  await bought(here);
  for (const edit of ["update credit_entry set amount = 1", "delete from credit_entry", "truncate credit_entry"]) {
    await expect(here.sql(edit)).rejects.toThrow(/append-only/);
  }
  expect(await linesOf(here)).toEqual([purchase]);
});
