import type { Db, Transaction } from "../../kernel/ports/ports.ts";
import type { Purchase } from "./purchases.sql.ts";

/** Whose purchase a payment is, by the processor's id or by ours in its metadata. */
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

/** Keeps a notice's id; false when it was taken in before. */
export async function keepNotice(tx: Transaction, id: string, type: string, now: string): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `insert into processor_notice (id, type, received_at) values ($1, $2, $3) on conflict do nothing returning 1`,
    },
    [id, type, now],
  );
  return rows.length === 1;
}

/**
 * A notice came: somebody has to ask about the purchase from now on, whatever its state. The job that the notice makes
 * does so at once; `askAt` is for the sweep, should that job be lost.
 */
export async function noteNotice(
  tx: Transaction,
  { id, workspace_id }: Pick<Purchase, "id" | "workspace_id">,
  paymentIntent: string,
  askAt: string,
): Promise<void> {
  await tx.query(
    {
      text: `
        update purchase
        set notices = notices + 1, noticed_payment = $3, ask_at = $4::timestamptz, asks = 0
        where workspace_id = $1 and id = $2`,
    },
    [workspace_id, id, paymentIntent, askAt],
  );
}

/** What the first so many notices were about is done. Later ones still count. */
export async function heedNotices(tx: Transaction, { id, workspace_id, notices }: Purchase): Promise<void> {
  await tx.query(
    {
      text: `update purchase set notices_heeded = $3 where workspace_id = $1 and id = $2 and notices_heeded < $3`,
    },
    [workspace_id, id, notices],
  );
}
