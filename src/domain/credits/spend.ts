import type { InWorkspace, Writing } from "../context.ts";
import { refuse } from "../errors.ts";
import { record } from "../events.ts";
import { type Account, lockAccount, post, setIncludedMonth, setLowSince } from "./account.sql.ts";
import { balancesOf, isCurrent, startOfMonth } from "./balances.ts";

/** Spending credits: the month's grant first and within its daily limit, then what was bought; never below zero. */

type At = Pick<InWorkspace, "workspace"> & Writing;

/**
 * Spends credits in the caller's transaction, all of them or none.
 * @throws Refusal credits_exhausted
 */
export async function spend(ctx: At, amount: number, reason: string): Promise<{ included: number; topup: number }> {
  if (!Number.isInteger(amount) || amount < 1) throw new RangeError("Credits are spent in whole numbers from 1.");
  const { workspace, tx, now } = ctx;
  const account = await turnMonth(ctx, await lockAccount(tx, workspace.id));
  const { remaining, daily_remaining, topup_balance } = await balancesOf(ctx, workspace, account);

  const included = Math.min(amount, daily_remaining);
  const topup = amount - included;
  if (topup > Math.max(0, topup_balance)) {
    refuse("credits_exhausted", {
      needed: amount,
      remaining,
      topup_balance,
      daily_remaining,
      resets_at: startOfNextMonth(now),
      purchase_url: `${ctx.settings.baseUrl}/api/mpp/v1/credits/small`,
    });
  }
  if (included > account.included_balance) await refill(ctx, account);
  const line = { kind: "spend" as const, reason, created_by: ctx.actor.id };
  if (included > 0) await post(tx, workspace.id, { ...line, bucket: "included", amount: -included }, now);
  if (topup > 0) await post(tx, workspace.id, { ...line, bucket: "topup", amount: -topup }, now);
  await tellWhenLow(ctx, account, amount);
  return { included, topup };
}

/** Gives a new month's grant: what was left of the old one ends, and the lines say both. */
export async function turnMonth(ctx: At, account: Account): Promise<Account> {
  const { workspace, tx, now } = ctx;
  if (isCurrent(account, now)) return account;
  const month = startOfMonth(now);
  const left = account.included_balance;
  if (left !== 0)
    await post(
      tx,
      workspace.id,
      { kind: "included", bucket: "included", amount: -left, reason: "end of the month" },
      now,
    );
  const grant = Math.min(monthlyCap(ctx) ?? MOST_HELD, MOST_HELD);
  if (grant > 0)
    await post(tx, workspace.id, { kind: "included", bucket: "included", amount: grant, reason: "monthly grant" }, now);
  await setIncludedMonth(tx, workspace.id, month);
  return { ...account, included_balance: grant, included_month: month };
}

/** Half of what a balance can hold: so much of a grant without a cap stands in the account at a time. */
const MOST_HELD = 2 ** 30;

/** A grant without a cap never runs out. */
async function refill({ workspace, tx, now }: At, { included_balance }: Account): Promise<void> {
  const amount = MOST_HELD - included_balance;
  await post(tx, workspace.id, { kind: "included", bucket: "included", amount, reason: "monthly grant" }, now);
}

const monthlyCap = ({ settings, workspace }: Pick<At, "settings" | "workspace">) =>
  settings.plans(workspace.plan, "ai_credits_per_month");

const LOWEST_MARK = 50;

/** Tells once when the balance falls below a tenth of the grant, and again only after it has been above. */
async function tellWhenLow(ctx: At, account: Account, spent: number): Promise<void> {
  const { workspace, tx, now } = ctx;
  const monthly = monthlyCap(ctx);
  if (monthly === null) return;
  const mark = Math.max(LOWEST_MARK, Math.floor(monthly / 10));
  const before = account.included_balance + account.topup_balance;
  const balance = before - spent;
  const low = balance < mark;
  // Bought credits or a new month may have lifted it since the last spending.
  const wasLow = account.low_since !== null && before < mark;
  if (low !== (account.low_since !== null) || low !== wasLow) await setLowSince(tx, workspace.id, low ? now : null);
  if (low && !wasLow) record(ctx, "credits.low", { workspace_id: workspace.id, data: { balance, threshold: mark } });
}

function startOfNextMonth(now: string): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}
