import type { InWorkspace, Writing } from "../context.ts";
import { refuse } from "../errors.ts";
import { record } from "../events.ts";
import type { Workspace } from "../rows.ts";
import { type Account, lockAccount, post, setIncludedMonth, setLowSince, spentSince } from "./account.sql.ts";

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
  const daily = ctx.settings.plans(workspace.plan, "ai_credits_per_day");
  const today =
    daily === null ? Number.POSITIVE_INFINITY : daily - (await spentSince(tx, workspace.id, startOfDay(now)));

  const included = Math.min(amount, account.included_balance, Math.max(0, today));
  const topup = amount - included;
  if (topup > Math.max(0, account.topup_balance)) {
    refuse("credits_exhausted", {
      needed: amount,
      remaining: account.included_balance,
      topup_balance: account.topup_balance,
      daily_remaining: Math.max(0, today),
      resets_at: startOfNextMonth(now),
      purchase_url: `${ctx.settings.baseUrl}/api/mpp/v1/credits/small`,
    });
  }
  const line = { kind: "spend" as const, reason, created_by: ctx.actor.id };
  if (included > 0) await post(tx, workspace.id, { ...line, bucket: "included", amount: -included }, now);
  if (topup > 0) await post(tx, workspace.id, { ...line, bucket: "topup", amount: -topup }, now);
  await tellWhenLow(ctx, account, amount);
  return { included, topup };
}

/** Gives a new month's grant: what was left of the old one ends, and the lines say both. */
export async function turnMonth(ctx: At, account: Account): Promise<Account> {
  const { workspace, tx, now } = ctx;
  const month = startOfMonth(now);
  // A call that waited for the account over midnight must not turn it back.
  if (account.included_month !== null && account.included_month >= month) return account;
  const left = account.included_balance;
  if (left !== 0)
    await post(
      tx,
      workspace.id,
      { kind: "included", bucket: "included", amount: -left, reason: "end of the month" },
      now,
    );
  const grant = monthlyGrant(ctx, workspace);
  if (grant > 0)
    await post(tx, workspace.id, { kind: "included", bucket: "included", amount: grant, reason: "monthly grant" }, now);
  await setIncludedMonth(tx, workspace.id, month);
  return { ...account, included_balance: grant, included_month: month };
}

/** Credits that a plan without a cap grants are counted like a very large cap. */
const monthlyGrant = (ctx: Pick<At, "settings">, { plan }: Workspace) =>
  ctx.settings.plans(plan, "ai_credits_per_month") ?? 2 ** 30;

const LOWEST_MARK = 50;

/** Tells once when the balance falls below a tenth of the grant, and again only after it has been above. */
async function tellWhenLow(ctx: At, account: Account, spent: number): Promise<void> {
  const { workspace, tx, now } = ctx;
  const mark = Math.max(LOWEST_MARK, Math.floor(monthlyGrant(ctx, workspace) / 10));
  const before = account.included_balance + account.topup_balance;
  const balance = before - spent;
  const low = balance < mark;
  // Bought credits or a new month may have lifted it since the last spending.
  const wasLow = account.low_since !== null && before < mark;
  if (low !== (account.low_since !== null) || low !== wasLow) await setLowSince(tx, workspace.id, low ? now : null);
  if (low && !wasLow) record(ctx, "credits.low", { workspace_id: workspace.id, data: { balance, threshold: mark } });
}

export const startOfMonth = (now: string): string => `${now.slice(0, 7)}-01`;
export const startOfDay = (now: string): string => `${now.slice(0, 10)}T00:00:00.000Z`;

export function startOfNextMonth(now: string): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}
