import type { Buying } from "./buy.ts";
import { type Challenge, findChallenge } from "./challenges.sql.ts";
import { costOf, countChallenge, type Demand, issue, refuseWith, type Terms } from "./challenges.ts";
import { type Purchase, storeNextChallenge } from "./purchases.sql.ts";
import { cardPage } from "./saved-card.ts";

/**
 * Refuses a purchase that failed. The refusal has the reason and a challenge that may be paid instead. A repeated call
 * gets the same challenge until that expires, so a client that pays each challenge it gets pays at most once for one
 * failed purchase.
 */
export async function refuseDeclined(ctx: Buying, terms: Terms, purchase: Purchase): Promise<never> {
  const code = codeOf(purchase);
  const details = {
    message: messageOf(purchase),
    decline_code: purchase.decline_code,
    state: "failed",
    purchase_id: purchase.id,
    ...(isForPerson(code) ? cardPage(ctx) : {}),
  };
  return refuseWith(ctx, terms, code, details, await nextChallenge(ctx, terms, purchase));
}

async function nextChallenge(ctx: Buying, terms: Terms, purchase: Purchase): Promise<Challenge> {
  const find = (id: string) => findChallenge(ctx.db, ctx.workspace.id, id);
  const offered = purchase.next_challenge === null ? null : await find(purchase.next_challenge);
  if (offered && offered.expires_at > ctx.now) return offered;
  // The first decline is free, so that the buyer always learns of it. Only later challenges count against the limit.
  if (offered) await countChallenge(ctx, costOf("payment_failed"));
  const fresh = await issue(ctx, terms);
  const kept = await storeNextChallenge(ctx.db, purchase, fresh.id);
  return kept === fresh.id ? fresh : ((await find(kept)) ?? fresh);
}

function codeOf({ decline_reason, payment_type }: Purchase): Demand {
  // A saved card that the processor no longer has counts as none, because another attempt with it would fail, too.
  if (decline_reason === "invalid_token" && payment_type === "saved_card") return "no_saved_card";
  if (decline_reason === "insufficient_token") return "payment_insufficient";
  return decline_reason === "action_required" ? "payment_action_required" : "payment_failed";
}

function messageOf({ decline_message, decline_code, refund_owed_at }: Purchase): string {
  if (refund_owed_at) return "The card was charged only after another purchase had been made; that charge is refunded.";
  if (decline_message) return decline_message;
  return decline_code === null
    ? "The card processor did not carry the payment out. Nothing was charged."
    : "The card was declined. Nothing was charged.";
}

const isForPerson = (code: Demand) => code === "payment_action_required" || code === "no_saved_card";
