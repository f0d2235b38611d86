import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { type Account, setLowSince } from "./account.sql.ts";
import { monthOf } from "./balances.ts";
import { creditsLow } from "./events.ts";

const MIN_THRESHOLD = 50;

/**
 * Records the event `credits.low` once when the balance falls below a tenth of the monthly grant, and again only after
 * the balance was above that.
 * @param account as it was before the change
 */
export async function notifyWhenLow(
  ctx: Writing,
  workspace: Pick<Workspace, "id" | "plan">,
  account: Account,
  change: number,
): Promise<void> {
  const monthly = ctx.settings.plans(workspace.plan, "ai_credits_per_month");
  if (monthly === null) return;
  const mark = Math.max(MIN_THRESHOLD, Math.floor(monthly / 10));
  const before = monthOf(ctx, workspace.plan, account).remaining + account.topup_balance;
  const balance = before + change;
  const low = balance < mark;
  // Purchased credits or a new month may have raised the balance since the last event.
  const wasLow = account.low_since !== null && before < mark;
  if (low !== (account.low_since !== null) || low !== wasLow)
    await setLowSince(ctx.tx, workspace.id, low ? ctx.now : null);
  if (low && !wasLow) record({ ...ctx, workspace }, creditsLow, { balance, threshold: mark });
}
