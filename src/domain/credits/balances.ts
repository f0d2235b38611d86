import type { Settings } from "../context.ts";
import type { Db } from "../ports.ts";
import type { Workspace } from "../rows.ts";
import { readAccount, spentSince } from "./account.sql.ts";
import { startOfDay, startOfMonth } from "./spend.ts";

/** What a workspace can spend now, as `W/usage` shows it. */
export type Balances = {
  monthly_grant: number;
  used: number;
  remaining: number;
  topup_balance: number;
  daily_limit: number;
  daily_used: number;
  daily_remaining: number;
};

/** Reads only: a month that nobody has spent in yet counts as given, though its lines come with the first spending. */
export async function readBalances(
  ctx: { db: Db; now: string; settings: Settings },
  workspace: Workspace,
): Promise<Balances> {
  const account = await readAccount(ctx.db, workspace.id);
  const cap = (name: "ai_credits_per_month" | "ai_credits_per_day") => ctx.settings.plans(workspace.plan, name);
  const monthly_grant = cap("ai_credits_per_month") ?? Number.MAX_SAFE_INTEGER;
  const thisMonth = (account?.included_month ?? "") >= startOfMonth(ctx.now);
  const remaining = thisMonth ? (account?.included_balance ?? 0) : monthly_grant;
  const daily_limit = cap("ai_credits_per_day") ?? monthly_grant;
  const daily_used = thisMonth ? await spentSince(ctx.db, workspace.id, startOfDay(ctx.now)) : 0;
  return {
    monthly_grant,
    used: Math.max(0, monthly_grant - remaining),
    remaining,
    topup_balance: account?.topup_balance ?? 0,
    daily_limit,
    daily_used,
    daily_remaining: Math.max(0, Math.min(daily_limit - daily_used, remaining)),
  };
}
