import { type Background, write } from "../background.ts";
import { record } from "../events.ts";
import { readId } from "../ids.ts";
import type { Notice } from "./cards.ts";
import { findPaid, keepNotice } from "./purchases.sql.ts";
import { workspaceOfCustomer } from "./saved-card.sql.ts";

/**
 * Takes in a notice of the card processor: keeps its id, and records that there is something to ask about. What the
 * notice itself says decides nothing, so repeats and wrong order do no harm. Answers whether it was news.
 */
export async function takeNotice(ctx: Background, notice: Notice): Promise<boolean> {
  const paid = notice.paymentIntent && (await findPaid(ctx.db, notice.paymentIntent, purchaseIn(notice.data)));
  if (paid) {
    return keep(ctx, notice, paid.workspace_id, "payment.noticed", { purchase_id: paid.id });
  }
  const customer = stringIn(notice.data, "customer");
  const workspaceId = notice.setup && customer ? await workspaceOfCustomer(ctx.db, customer) : null;
  if (workspaceId) return keep(ctx, notice, workspaceId, "card.noticed", { setup: notice.setup });
  // Another account's payment, or a kind that we do nothing about.
  return false;
}

const keep = (
  ctx: Background,
  notice: Notice,
  workspaceId: string,
  type: "payment.noticed" | "card.noticed",
  data: object,
) =>
  write(ctx, workspaceId, async (tx) => {
    if (!(await keepNotice(tx.tx, notice.id, notice.type, tx.now))) return false;
    record(tx, type, { workspace_id: workspaceId, data });
    return true;
  });

function purchaseIn(data: unknown): string | null {
  const metadata = (data as { metadata?: Record<string, unknown> } | null)?.metadata;
  return typeof metadata?.purchase_id === "string" ? readId(metadata.purchase_id) : null;
}

function stringIn(data: unknown, name: string): string | null {
  const value = (data as Record<string, unknown> | null)?.[name];
  return typeof value === "string" ? value : null;
}
