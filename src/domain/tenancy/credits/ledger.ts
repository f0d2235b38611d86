import { z } from "zod";
import { audit } from "../../events/audit/audit.ts";
import { extended, type Writing } from "../../kernel/context.ts";
import { line } from "../../kernel/wire.ts";
import { lockAccount, postIfAllowed } from "./account.sql.ts";
import { creditsAdjusted } from "./events.ts";

/** Larger than any real purchase, so that typing errors are refused. */
const MAX_ADJUSTMENT = 10_000_000;

export const CreditAdjustInput = z.strictObject({
  amount: z
    .number()
    .int()
    .min(-MAX_ADJUSTMENT)
    .max(MAX_ADJUSTMENT)
    .refine((amount) => amount !== 0, { message: "must not be 0" }),
  reason: line(1, 500),
});
export type CreditAdjustInput = z.output<typeof CreditAdjustInput>;

/**
 * Adjusts a workspace's purchased credits for an operator: writes a ledger line of kind `adjust` and the new balance.
 * Returns null and writes nothing if the balance would fall below zero or exceed what can be stored.
 */
export async function adjustCredits(
  ctx: Writing,
  workspaceId: string,
  { amount, reason }: CreditAdjustInput,
): Promise<{ entry_id: string; amount: number; balance_after: number } | null> {
  await lockAccount(ctx.tx, workspaceId);
  const entry = { kind: "adjust" as const, bucket: "topup" as const, amount, reason, created_by: ctx.actor.id };
  // A refund may have left the balance below zero. Adding credits is always allowed.
  const floor = amount < 0 ? { floor: 0 } : {};
  const posted = await postIfAllowed(ctx.tx, workspaceId, { ...entry, ...floor }, ctx.now);
  if (posted) {
    audit(
      extended(ctx, { workspace: { id: workspaceId } }),
      creditsAdjusted,
      { id: posted.id, name: reason },
      {
        topup_balance: [posted.balance - amount, posted.balance],
      },
    );
  }
  return posted && { entry_id: posted.id, amount, balance_after: posted.balance };
}
