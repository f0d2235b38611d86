import { z } from "zod";
import type { Writing } from "../../kernel/context.ts";
import { line } from "../../kernel/wire.ts";
import { lockAccount, postIfAllowed } from "./account.sql.ts";

/** More than any workspace buys; a slip of the hand beyond it is refused. */
const MOST_ADJUSTED = 10_000_000;

export const CreditAdjustInput = z.strictObject({
  amount: z
    .number()
    .int()
    .min(-MOST_ADJUSTED)
    .max(MOST_ADJUSTED)
    .refine((amount) => amount !== 0, { message: "must not be 0" }),
  reason: line(1, 500),
});
export type CreditAdjustInput = z.output<typeof CreditAdjustInput>;

/**
 * Corrects a workspace's bought credits by hand: a ledger line of kind `adjust`, and the balance with it. Null when the
 * workspace has not that many to take away, or would have too many; nothing is written then.
 */
export async function adjustCredits(
  ctx: Writing,
  workspaceId: string,
  { amount, reason }: CreditAdjustInput,
): Promise<{ entry_id: string; amount: number; balance_after: number } | null> {
  await lockAccount(ctx.tx, workspaceId);
  const entry = { kind: "adjust" as const, bucket: "topup" as const, amount, reason, created_by: ctx.actor.id };
  // A refund may have left the balance below zero; adding to it is always right.
  const floor = amount < 0 ? { floor: 0 } : {};
  const posted = await postIfAllowed(ctx.tx, workspaceId, { ...entry, ...floor }, ctx.now);
  return posted && { entry_id: posted.id, amount, balance_after: posted.balance };
}
