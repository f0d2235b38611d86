import { NO_CAP, type Plan } from "../../kernel/plans.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Workspace } from "../../kernel/rows.ts";
import type { Settings } from "../../kernel/settings.ts";
import { type Account, readAccount, spentSince } from "./account.sql.ts";

/** What a workspace can spend now. `W/usage` shows it and `spend` enforces it. */
export type Balances = {
  monthly_grant: number;
  used: number;
  remaining: number;
  topup_balance: number;
  daily_limit: number;
  daily_used: number;
  daily_remaining: number;
};

type At = { db: Db; now: string; settings: Settings };

export const readBalances = async (ctx: At, workspace: Workspace): Promise<Balances> =>
  balancesOf(ctx, workspace, await readAccount(ctx.db, workspace.id));

/**
 * Returns the balances without writing. The monthly grant counts from the start of the month, although its ledger line
 * is written with the month's first spending.
 */
export async function balancesOf(ctx: At, workspace: Workspace, account: Account | null): Promise<Balances> {
  const daily = ctx.settings.plans(workspace.plan, "ai_credits_per_day");
  const { granted, remaining } = monthOf(ctx, workspace.plan, account);
  const daily_used = isCurrent(account, ctx.now) ? await spentSince(ctx.db, workspace.id, startOfDay(ctx.now)) : 0;
  return {
    monthly_grant: granted,
    used: granted - remaining,
    remaining,
    topup_balance: account?.topup_balance ?? 0,
    daily_limit: daily ?? granted,
    daily_used,
    daily_remaining: daily === null ? remaining : Math.max(0, Math.min(daily - daily_used, remaining)),
  };
}

/**
 * Returns the month's grant and the part of it that is left. A larger plan grants more at once. A smaller plan takes
 * nothing away until the month is over.
 */
export function monthOf(
  { now, settings }: Pick<At, "now" | "settings">,
  plan: Plan,
  account: Account | null,
): { granted: number; remaining: number } {
  const cap = settings.plans(plan, "ai_credits_per_month") ?? NO_CAP;
  if (!account || !isCurrent(account, now)) return { granted: cap, remaining: cap };
  const granted = Math.max(cap, account.included_granted);
  // Without a cap the account contains only a part of the grant at a time. The part that is missing from the balance
  // was spent.
  return { granted, remaining: granted - (account.included_granted - account.included_balance) };
}

/** Whether the account has the grant of this month, or of a later one if the call waited past midnight. */
export const isCurrent = (account: Account | null, now: string): boolean =>
  (account?.included_month ?? "") >= startOfMonth(now);

export const startOfMonth = (now: string): string => `${now.slice(0, 7)}-01`;
const startOfDay = (now: string): string => `${now.slice(0, 10)}T00:00:00.000Z`;
