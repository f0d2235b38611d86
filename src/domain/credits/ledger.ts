import { z } from "zod";
import type { Writing } from "../context.ts";
import { newId } from "../ids.ts";
import { line } from "../wire.ts";
import { postEntry } from "./ledger.sql.ts";

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
 * workspace has not that many, in which case nothing is written.
 */
export async function adjustCredits(
  ctx: Writing,
  workspaceId: string,
  { amount, reason }: CreditAdjustInput,
): Promise<{ entry_id: string; amount: number; balance_after: number } | null> {
  const id = newId();
  const entry = { id, kind: "adjust" as const, amount, reason, created_by: ctx.actor.id, floor: 0 };
  const balance = await postEntry(ctx.tx, workspaceId, entry, ctx.now);
  return balance === null ? null : { entry_id: id, amount, balance_after: balance };
}
