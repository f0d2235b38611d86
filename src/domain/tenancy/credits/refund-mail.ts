import { type MailContent, writeMail } from "../../events/mail/mail.ts";
import { mailText } from "../../events/mail/mail-text.ts";
import { ownersAnd, workspaceOf } from "../../events/mail/recipients.sql.ts";
import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { addMs } from "./conclude-purchase.ts";
import { creditsChargeRefunded } from "./events.ts";
import type { Purchase } from "./purchases.sql.ts";

const DAY_MS = 86_400_000;
const MAIL_EXPIRES_AFTER_DAYS = 30;

/** Records the event for the refund of a late charge, and mails the owners and the buyer. */
export async function notifyOfRefund(tx: Writing, purchase: Purchase): Promise<void> {
  const { id, workspace_id, pack, credits, amount_cents, payment_intent } = purchase;
  const refunded = { purchase_id: id, pack, credits, amount_cents, currency: "USD", payment_intent } as const;
  record({ ...tx, workspace: { id: workspace_id } }, creditsChargeRefunded, { ...refunded, reason: "late_charge" });
  if (!tx.settings.people.mail) return;
  const content = mailAbout(purchase, await workspaceOf(tx.db, workspace_id), tx.settings.baseUrl);
  const expiresAt = addMs(tx.now, MAIL_EXPIRES_AFTER_DAYS * DAY_MS);
  for (const to of await ownersAnd(tx.db, workspace_id, purchase.user_id)) {
    await writeMail(tx, { kind: "credits", workspaceId: workspace_id, to, content, expiresAt });
  }
}

function mailAbout({ id, credits, amount_cents }: Purchase, { slug, name }: Workspace, baseUrl: string): MailContent {
  const price = { asItIs: `$${(amount_cents / 100).toFixed(2)}` };
  const amount = credits.toLocaleString("en-US");
  return {
    subject: mailText`A late charge of ${price} was refunded`,
    lines: [
      mailText`The card processor charged ${price} for ${amount} AI credits of ${name} only after that purchase had failed and another one had been made.`,
      mailText`We have refunded the late charge in full. Banks show a refund within five to ten days. The balance of credits did not change.`,
    ],
    action: { label: mailText`Show the purchase`, url: `${baseUrl}/w/${slug}/billing/purchases/${id}` },
    footnotes: [mailText`You do not have to do anything.`],
  };
}
