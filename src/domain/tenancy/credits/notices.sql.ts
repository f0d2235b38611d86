import type { Db, Transaction } from "../../kernel/ports/ports.ts";
import type { Purchase } from "./purchases.sql.ts";

/** Returns the purchase of a payment, found by the processor's payment id or by the purchase id in the metadata. */
export async function findPaid(
  db: Db,
  paymentIntent: string,
  purchaseId: string | null,
): Promise<{ id: string; workspace_id: string } | null> {
  const [row] = await db.query<{ id: string; workspace_id: string }>(
    { text: `select id, workspace_id from purchase where payment_intent = $1 or id = $2::uuid limit 1` },
    [paymentIntent, purchaseId],
  );
  return row ?? null;
}

/** Stores the id of a notice. Returns false if it was stored before. */
export async function insertNotice(tx: Transaction, id: string, type: string, now: string): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `insert into processor_notice (id, type, received_at) values ($1, $2, $3) on conflict do nothing returning 1`,
    },
    [id, type, now],
  );
  return rows.length === 1;
}

/**
 * Counts a notice, so that the purchase is checked whatever its state is. The notice's job checks it at once. At
 * `nextCheckAt` the sweep checks it, in case that job was lost.
 */
export async function countNotice(
  tx: Transaction,
  { id, workspace_id }: Pick<Purchase, "id" | "workspace_id">,
  paymentIntent: string,
  nextCheckAt: string,
): Promise<void> {
  await tx.query(
    {
      text: `
        update purchase
        set notices = notices + 1, noticed_payment = $3, ask_at = $4::timestamptz, asks = 0
        where workspace_id = $1 and id = $2`,
    },
    [workspace_id, id, paymentIntent, nextCheckAt],
  );
}

/** Marks the notices that had arrived when the purchase was read as handled. Later ones still count. */
export async function markNoticesHandled(tx: Transaction, { id, workspace_id, notices }: Purchase): Promise<void> {
  await tx.query(
    {
      text: `update purchase set notices_heeded = $3 where workspace_id = $1 and id = $2 and notices_heeded < $3`,
    },
    [workspace_id, id, notices],
  );
}
