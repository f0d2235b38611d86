import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { type Account, lockAccount, post, setIncluded } from "./account.sql.ts";
import { balancesOf, isCurrent, startOfMonth } from "./balances.ts";
import { creditErrors } from "./errors.ts";
import { tellWhenLow } from "./low.ts";

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
    refuse(creditErrors.credits_exhausted, {
      needed: amount,
      remaining,
      topup_balance,
      daily_remaining,
      resets_at: startOfNextMonth(now),
      purchase_url: `${ctx.settings.baseUrl}/api/mpp/v1/credits/small`,
    });
  }
  // A grant without a cap never runs out.
  if (included > account.included_balance)
    await give(ctx, account, MOST_HELD - account.included_balance, "monthly grant");
  const line = { kind: "spend" as const, reason, created_by: ctx.actor.id };
  if (included > 0) await post(tx, workspace.id, { ...line, bucket: "included", amount: -included }, now);
  if (topup > 0) await post(tx, workspace.id, { ...line, bucket: "topup", amount: -topup }, now);
  await tellWhenLow(ctx, workspace, account, -amount);
  return { included, topup };
}

/**
 * Gives a new month's grant, or what a larger plan has given since: what was left of the old month ends, and the lines
 * say all of it.
 */
async function turnMonth(ctx: At, account: Account): Promise<Account> {
  const { workspace, tx, now } = ctx;
  const grant = Math.min(ctx.settings.plans(workspace.plan, "ai_credits_per_month") ?? MOST_HELD, MOST_HELD);
  if (isCurrent(account, now)) {
    const more = grant - account.included_granted;
    return more > 0 ? give(ctx, account, more, "larger plan") : account;
  }
  const left = account.included_balance;
  if (left !== 0)
    await post(
      tx,
      workspace.id,
      { kind: "included", bucket: "included", amount: -left, reason: "end of the month" },
      now,
    );
  const empty = { included_balance: 0, included_granted: 0, included_month: startOfMonth(now) };
  return give(ctx, { ...account, ...empty }, grant, "monthly grant");
}

/** Half of what a balance can hold: so much of a grant without a cap stands in the account at a time. */
const MOST_HELD = 2 ** 30;

async function give({ workspace, tx, now }: At, account: Account, amount: number, reason: string): Promise<Account> {
  const granted = account.included_granted + amount;
  if (amount > 0) await post(tx, workspace.id, { kind: "included", bucket: "included", amount, reason }, now);
  await setIncluded(tx, workspace.id, { month: account.included_month!, granted });
  return { ...account, included_balance: account.included_balance + amount, included_granted: granted };
}

function startOfNextMonth(now: string): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}
