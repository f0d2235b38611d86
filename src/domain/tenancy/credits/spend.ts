import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { type Account, lockAccount, post, setIncluded } from "./account.sql.ts";
import { balancesOf, isCurrent, startOfMonth } from "./balances.ts";
import { creditErrors } from "./errors.ts";
import { notifyWhenLow } from "./low-balance.ts";

/**
 * Spends credits: first the monthly grant within its daily limit, then purchased credits. Balances never fall below
 * zero.
 */

type At = Pick<InWorkspace, "workspace"> & Writing;

/**
 * Spends credits in the caller's transaction, all of them or none. Returns how many came from each balance.
 * @throws Refusal credits_exhausted
 */
export async function spend(ctx: At, amount: number, reason: string): Promise<{ included: number; topup: number }> {
  if (!Number.isInteger(amount) || amount < 1)
    throw new RangeError("The number of credits to spend must be a whole number from 1.");
  const { workspace, tx, now } = ctx;
  const account = await startMonth(ctx, await lockAccount(tx, workspace.id));
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
    await grantIncluded(ctx, account, MAX_INCLUDED_BALANCE - account.included_balance, "monthly grant");
  const line = { kind: "spend" as const, reason, created_by: ctx.actor.id };
  if (included > 0) await post(tx, workspace.id, { ...line, bucket: "included", amount: -included }, now);
  if (topup > 0) await post(tx, workspace.id, { ...line, bucket: "topup", amount: -topup }, now);
  await notifyWhenLow(ctx, workspace, account, -amount);
  return { included, topup };
}

/**
 * Grants the credits of a new month, or the additional ones of a larger plan. The rest of the previous month's grant
 * expires. Each change has a ledger line.
 */
async function startMonth(ctx: At, account: Account): Promise<Account> {
  const { workspace, tx, now } = ctx;
  const grant = Math.min(
    ctx.settings.plans(workspace.plan, "ai_credits_per_month") ?? MAX_INCLUDED_BALANCE,
    MAX_INCLUDED_BALANCE,
  );
  if (isCurrent(account, now)) {
    const more = grant - account.included_granted;
    return more > 0 ? grantIncluded(ctx, account, more, "larger plan") : account;
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
  return grantIncluded(ctx, { ...account, ...empty }, grant, "monthly grant");
}

/** Half of the largest balance. The account contains at most this much of a grant without a cap. */
const MAX_INCLUDED_BALANCE = 2 ** 30;

async function grantIncluded(
  { workspace, tx, now }: At,
  account: Account,
  amount: number,
  reason: string,
): Promise<Account> {
  const granted = account.included_granted + amount;
  if (amount > 0) await post(tx, workspace.id, { kind: "included", bucket: "included", amount, reason }, now);
  await setIncluded(tx, workspace.id, { month: account.included_month!, granted });
  return { ...account, included_balance: account.included_balance + amount, included_granted: granted };
}

function startOfNextMonth(now: string): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}
