import type { Settings } from "../context.ts";
import { NO_CAP } from "../plans.ts";
import type { Db } from "../ports.ts";
import type { Workspace } from "../rows.ts";
import { type Account, readAccount, spentSince } from "./account.sql.ts";

/** What a workspace can spend now, as `W/usage` shows it and as spending keeps to it. */
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

/** Reads only: a month that nobody has spent in yet counts as given, though its lines come with the first spending. */
export async function balancesOf(ctx: At, workspace: Workspace, account: Account | null): Promise<Balances> {
  const monthly = ctx.settings.plans(workspace.plan, "ai_credits_per_month");
  const daily = ctx.settings.plans(workspace.plan, "ai_credits_per_day");
  const begun = isCurrent(account, ctx.now);
  const spent = async (since: string) => (begun ? spentSince(ctx.db, workspace.id, since) : 0);

  const monthly_grant = monthly ?? NO_CAP;
  // Without a cap the account holds some of it at a time.
  const remaining =
    monthly === null
      ? NO_CAP - (await spent(startOfMonth(ctx.now)))
      : begun
        ? (account?.included_balance ?? 0)
        : monthly_grant;
  const daily_used = await spent(startOfDay(ctx.now));
  return {
    monthly_grant,
    used: Math.max(0, monthly_grant - remaining),
    remaining,
    topup_balance: account?.topup_balance ?? 0,
    daily_limit: daily ?? monthly_grant,
    daily_used,
    daily_remaining: daily === null ? remaining : Math.max(0, Math.min(daily - daily_used, remaining)),
  };
}

/** Whether the account holds the grant of this month; or of a later one, for a call that waited over midnight. */
export const isCurrent = (account: Account | null, now: string): boolean =>
  (account?.included_month ?? "") >= startOfMonth(now);

export const startOfMonth = (now: string): string => `${now.slice(0, 7)}-01`;
const startOfDay = (now: string): string => `${now.slice(0, 10)}T00:00:00.000Z`;
