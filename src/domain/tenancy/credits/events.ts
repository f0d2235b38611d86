import { z } from "zod";
import { defineAudit } from "../../events/audit/define-audit.ts";
import { defineEvent } from "../../events/define-event.ts";
import { view } from "../../kernel/described.ts";
import { id } from "../../kernel/wire.ts";
import { aboutCreditEvents } from "./descriptions.ts";

const count = z.number().int();

const bought = {
  purchase_id: id,
  pack: z.string(),
  credits: count,
  amount_cents: count,
  currency: z.literal("USD"),
};

const CreditsPurchased = view("CreditsPurchased", aboutCreditEvents, { ...bought, topup_balance: count });

const CreditsLow = view("CreditsLow", aboutCreditEvents, { balance: count, threshold: count });

const CreditsChargeRefunded = view("CreditsChargeRefunded", aboutCreditEvents, {
  ...bought,
  payment_intent: z.string().nullable(),
  reason: z.literal("late_charge"),
});

export const creditsPurchased = defineEvent("credits.purchased", {
  view: CreditsPurchased,
  audience: "workspace",
  audit: { target: "credits", id: "purchase_id", name: ["pack"], adds: ["credits", "amount_cents", "topup_balance"] },
});
export const creditsLow = defineEvent("credits.low", { view: CreditsLow, audience: "workspace" });
export const creditsChargeRefunded = defineEvent("credits.charge_refunded", {
  view: CreditsChargeRefunded,
  audience: "workspace",
  audit: { target: "credits", id: "purchase_id", name: ["pack"], adds: ["reason", "amount_cents"] },
});

/** Internal events. They create the jobs that call the card processor. */
export const paymentSucceeded = defineEvent("payment.succeeded", {
  view: z.object({ purchase_id: id }),
  audience: "none",
});
export const paymentNoticed = defineEvent("payment.noticed", {
  view: z.object({ purchase_id: id, payment_intent: z.string() }),
  audience: "none",
});
export const cardNoticed = defineEvent("card.noticed", { view: z.object({ setup: z.string() }), audience: "none" });

/** Who began to buy, with which credential. `credits.purchased` follows, without a caller, when the charge is settled. */
export const purchaseStarted = defineAudit("credits.purchase_started", "credits");
export const creditsAdjusted = defineAudit("credits.adjusted", "credits");
export const creditsTakenBack = defineAudit("credits.taken_back", "credits");
/** Who asked for the page on which a card is saved. `card.saved` follows, without a caller: the processor sends it. */
export const cardSetupStarted = defineAudit("card.setup_started", "card");
export const cardSaved = defineAudit("card.saved", "card");
