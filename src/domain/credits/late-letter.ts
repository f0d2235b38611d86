import type { Writing } from "../context.ts";
import { record } from "../events.ts";
import { writeMail } from "../mail/mail.ts";
import { later } from "./ends.ts";
import { concernedBy } from "./late.sql.ts";
import { type Purchase, workspaceOf } from "./purchases.sql.ts";

const DAY_MS = 86_400_000;
const OF_USE_DAYS = 30;

/** Tells receivers and people that a late charge went back. */
export async function tellOfRefund(tx: Writing, purchase: Purchase): Promise<void> {
  const { id, workspace_id, pack, credits, amount_cents, payment_intent } = purchase;
  record(tx, "credits.charge_refunded", {
    workspace_id,
    data: { purchase_id: id, pack, credits, amount_cents, currency: "USD", payment_intent, reason: "late_charge" },
  });
  const { slug, name } = await workspaceOf(tx.db, workspace_id);
  const price = `$${(amount_cents / 100).toFixed(2)}`;
  const letter = {
    subject: `A late charge of ${price} was refunded`,
    lines: [
      `The card processor charged ${price} for ${credits.toLocaleString("en-US")} AI credits of ${name} only after that purchase had failed and another one had been made.`,
      "We have refunded the late charge in full. Banks show a refund within five to ten days. The balance of credits did not change.",
    ],
    action: { label: "Show the purchase", url: `${tx.settings.baseUrl}/w/${slug}/billing/purchases/${id}` },
    footnotes: ["You do not have to do anything."],
  };
  const expiresAt = later(tx.now, OF_USE_DAYS * DAY_MS);
  for (const to of await concernedBy(tx.db, purchase)) {
    await writeMail(tx, { kind: "credits", workspaceId: workspace_id, to, letter, expiresAt });
  }
}
