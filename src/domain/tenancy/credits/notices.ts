import { type Background, write } from "../../events/background.ts";
import { record } from "../../events/record.ts";
import { readId } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import type { Notice } from "../../kernel/ports/card-processor.ts";
import { addMs } from "./conclude-purchase.ts";
import { cardNoticed, paymentNoticed } from "./events.ts";
import { countNotice, findPaid, insertNotice } from "./notices.sql.ts";
import { workspaceOfCustomer } from "./saved-card.sql.ts";

/**
 * Stores the id of a notice from the card processor and records that the purchase or card has to be checked. The
 * notice's content decides nothing, so repeated and reordered notices are harmless. Returns whether the notice was new.
 */
export async function recordNotice(ctx: Background, notice: Notice): Promise<boolean> {
  const { paymentIntent } = notice;
  const paid = paymentIntent && (await findPaid(ctx.db, paymentIntent, purchaseIn(notice.data)));
  if (paid) {
    return write(ctx, paid.workspace_id, async (tx) => {
      if (!(await insertNotice(tx.tx, notice.id, notice.type, tx.now))) return false;
      await countNotice(tx.tx, paid, paymentIntent, addMs(tx.now, tx.settings.payments.settleAfterMs));
      const data = { purchase_id: paid.id, payment_intent: paymentIntent };
      record({ ...tx, workspace: { id: paid.workspace_id } }, paymentNoticed, data);
      return true;
    });
  }
  const customer = stringIn(notice.data, "customer");
  const { setup } = notice;
  const workspaceId = setup && customer ? await workspaceOfCustomer(ctx.db, customer) : null;
  // The payment of another account, or an unsupported type of notice.
  if (!workspaceId || !setup) return false;
  return write(ctx, workspaceId, async (tx) => {
    if (!(await insertNotice(tx.tx, notice.id, notice.type, tx.now))) return false;
    record({ ...tx, workspace: { id: workspaceId } }, cardNoticed, { setup });
    return true;
  });
}

function purchaseIn(data: unknown): string | null {
  const metadata = (data as { metadata?: Record<string, unknown> } | null)?.metadata;
  return typeof metadata?.purchase_id === "string" ? readId(metadata.purchase_id) : null;
}

function stringIn(data: unknown, name: string): string | null {
  const value = own((data ?? {}) as Record<string, unknown>, name);
  return typeof value === "string" ? value : null;
}
