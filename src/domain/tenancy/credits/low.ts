import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { type Account, setLowSince } from "./account.sql.ts";
import { monthOf } from "./balances.ts";
import { creditsLow } from "./events.ts";

const LOWEST_MARK = 50;

/**
 * Tells once when the balance falls below a tenth of the grant, and again only after it has been above.
 * @param account as it was before the change
 */
export async function tellWhenLow(
  ctx: Writing,
  workspace: Pick<Workspace, "id" | "plan">,
  account: Account,
  change: number,
): Promise<void> {
  const monthly = ctx.settings.plans(workspace.plan, "ai_credits_per_month");
  if (monthly === null) return;
  const mark = Math.max(LOWEST_MARK, Math.floor(monthly / 10));
  const before = monthOf(ctx, workspace.plan, account).remaining + account.topup_balance;
  const balance = before + change;
  const low = balance < mark;
  // Bought credits or a new month may have lifted it since the last time.
  const wasLow = account.low_since !== null && before < mark;
  if (low !== (account.low_since !== null) || low !== wasLow)
    await setLowSince(ctx.tx, workspace.id, low ? ctx.now : null);
  if (low && !wasLow) record({ ...ctx, workspace }, creditsLow, { balance, threshold: mark });
}
