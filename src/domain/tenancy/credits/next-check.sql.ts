import { leasedRows } from "../../kernel/leases.sql.ts";
import type { Transaction } from "../../kernel/ports/ports.ts";
import type { Purchase } from "./purchases.sql.ts";

/**
 * Schedules checks of purchases at the card processor. `ask_at` of a purchase is the time of its next check, and `asks`
 * counts the checks since it was last scheduled.
 */

/** SQL condition: the purchase has to be checked. The index purchase_due has the same condition. */
const OPEN = `
  (state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null) or notices > notices_heeded
   or (refund_owed_at is not null and refunded_at is null) or (state = 'failed' and decline_code is null))`;

/**
 * The wait doubles from one second to 30 seconds. After twenty checks it is ten minutes, because a purchase that is
 * still open then takes long.
 */
const NEXT_CHECK = `least(interval '1 s' * power(2, least(asks, 10)), interval '1 s' * case when asks < 20 then 30 else 600 end)`;

/** A purchase that was given up is checked for about a day. Each wait is twice the previous one. */
const NEXT_CHECK_AFTER_GIVE_UP = `case when asks < 12 then interval '30 s' * power(2, asks) end`;

/**
 * Purchases to check. A claim only sets the time of the next check. The result of a check is stored only if the
 * purchase's version is unchanged, so no lease has to be concluded. A purchase that the processor does not know is
 * checked again when it is to be given up.
 */
export const purchasesToCheck = leasedRows<{ id: string; workspace_id: string }>({
  table: "purchase",
  key: "id",
  lease: "ask_at",
  open: OPEN,
  until: `
    case when state = 'failed' and refund_owed_at is null and notices <= notices_heeded
      then coalesce(now() + ${NEXT_CHECK_AFTER_GIVE_UP}, 'infinity')
      else least(now() + ${NEXT_CHECK}, case when give_up_at > now() then give_up_at end) end`,
  claiming: "asks = asks + 1",
  turns: true,
  columns: "id, workspace_id",
});

/** Schedules the next check of a purchase. The waits after it start again from the shortest. */
export async function setNextCheck(
  tx: Transaction,
  { id, workspace_id }: Pick<Purchase, "id" | "workspace_id">,
  at: string,
): Promise<void> {
  await tx.query({ text: `update purchase set ask_at = $3, asks = 0 where workspace_id = $1 and id = $2` }, [
    workspace_id,
    id,
    at,
  ]);
}

/**
 * Moves `give_up_at` to an earlier time. From then on, a charge that the processor does not know counts as not made.
 */
export async function bringGiveUpForward(
  tx: Transaction,
  { id, workspace_id }: Pick<Purchase, "id" | "workspace_id">,
  at: string,
): Promise<void> {
  await tx.query(
    { text: `update purchase set give_up_at = least(give_up_at, $3::timestamptz) where workspace_id = $1 and id = $2` },
    [workspace_id, id, at],
  );
}
