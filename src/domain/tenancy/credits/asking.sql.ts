import { leasedRows } from "../../kernel/leases.sql.ts";
import type { Transaction } from "../../kernel/ports/ports.ts";
import type { Purchase } from "./purchases.sql.ts";

/** When the processor is asked about which purchase: a row says when its next question is due. */

/** What there is to ask about. The index purchase_due has the same words. */
const OPEN = `
  (state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null) or notices > notices_heeded
   or (refund_owed_at is not null and refunded_at is null) or (state = 'failed' and decline_code is null))`;

/** The wait doubles from a second to half a minute; what is open after twenty questions will not end within minutes. */
const NEXT_QUESTION = `least(interval '1 s' * power(2, least(asks, 10)), interval '1 s' * case when asks < 20 then 30 else 600 end)`;

/** A purchase that was given up is looked at for about a day, each time after twice the wait. */
const NEXT_LOOK = `case when asks < 12 then interval '30 s' * power(2, asks) end`;

/**
 * Purchases to ask about. A claim only sets the time of the next question, so nothing is concluded: what the processor
 * answered is compared with the purchase's version. A purchase without any trace at the processor is asked about again at
 * the moment when it is to be given up.
 */
export const purchasesToAsk = leasedRows<{ id: string; workspace_id: string }>({
  table: "purchase",
  key: "id",
  lease: "ask_at",
  open: OPEN,
  until: `
    case when state = 'failed' and refund_owed_at is null and notices <= notices_heeded
      then coalesce(now() + ${NEXT_LOOK}, 'infinity')
      else least(now() + ${NEXT_QUESTION}, case when give_up_at > now() then give_up_at end) end`,
  claiming: "asks = asks + 1",
  columns: "id, workspace_id",
});

/** Sets when the processor is asked next, from where the waits grow anew. */
export async function askAt(
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

/** Brings the moment forward from which a charge that the processor does not know counts as not made. */
export async function giveUpFrom(
  tx: Transaction,
  { id, workspace_id }: Pick<Purchase, "id" | "workspace_id">,
  at: string,
): Promise<void> {
  await tx.query(
    { text: `update purchase set give_up_at = least(give_up_at, $3::timestamptz) where workspace_id = $1 and id = $2` },
    [workspace_id, id, at],
  );
}
