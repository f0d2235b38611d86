import { asNew, audit } from "../../events/audit/audit.ts";
import { type Background, write } from "../../events/background.ts";
import type { InWorkspace, WithCredential } from "../../kernel/context.ts";
import { Refusal, refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { type Challenge, claimChallenge, findChallenge } from "./challenges.sql.ts";
import { demand, type Terms } from "./challenges.ts";
import { addMs, cardHash } from "./conclude-purchase.ts";
import { type Credential, readCredential } from "./credential.ts";
import { enforceDeclineLimits } from "./decline-limits.ts";
import { creditErrors } from "./errors.ts";
import { purchaseStarted } from "./events.ts";
import { meansHashes } from "./means-hashes.ts";
import { type Answer, answer } from "./purchase-reply.ts";
import { findPurchase, findReplaced, insertPurchase, type NewPurchase, type Purchase } from "./purchases.sql.ts";
import { applyChargeOutcome } from "./reconcile.ts";
import { refuseInProgress, refuseUnclear, repeat, replyToUsedChallenge, replyWithState } from "./repeat.ts";
import { readSavedCard } from "./saved-card.sql.ts";
import { cardPage } from "./saved-card.ts";
import { mismatches } from "./terms.ts";

/**
 * Buying credits: a challenge, and the paid retry. The purchase is recorded before the card is charged, and its outcome
 * is stored afterwards. No transaction is open in between. If the process dies, the row says which purchase to check at
 * the processor.
 */

export type Buying = Background & InWorkspace & WithCredential;

/** Sells credits. @throws Refusal, with a fresh challenge if the buyer may pay (again) */
export async function buy(ctx: Buying, terms: Terms): Promise<Answer> {
  if (!ctx.settings.payments.enabled) refuse(creditErrors.payments_off, { headers: { "Retry-After": "3600" } });
  const repeated = await repeat(ctx, terms);
  if (repeated) return repeated;

  const credential = readCredential(terms.credential);
  if (credential.kind === "none") return demand(ctx, terms, "payment_required");
  if (credential.kind === "malformed")
    return demand(ctx, terms, "malformed_credential", {
      message: `The Payment credential is malformed: ${credential.reason}.`,
    });
  const challenge = await findChallenge(ctx.db, ctx.workspace.id, credential.challengeId);
  if (!challenge) return demand(ctx, terms, "challenge_unknown");
  if (isUsed(challenge)) return replyToUsedChallenge(ctx, terms, challenge, credential);
  await refuseUnpayable(ctx, terms, challenge, credential);
  const means = await meansOf(ctx, terms, credential);

  const begun = await begin(ctx, terms, challenge, credential, means);
  if (begun === "used") return replyToUsedChallenge(ctx, terms, challenge, credential);
  if ("state" in begun) return replyWithState(ctx, terms, begun, { "Idempotent-Replayed": "true" });
  return charge(ctx, terms, begun, means);
}

/** Returns a purchase of the workspace as the reply that the buyer may have lost; null if it does not exist. */
export async function recover(
  ctx: Pick<Buying, "db" | "now" | "settings" | "workspace">,
  id: string,
): Promise<Answer | null> {
  const purchase = await findPurchase(ctx.db, ctx.workspace.id, id);
  return purchase && answer(ctx, purchase);
}

const isUsed = ({ state }: Challenge) => state === "processing" || state === "consumed" || state === "failed";

/** @throws Refusal if this call cannot pay the unpaid challenge */
async function refuseUnpayable(ctx: Buying, terms: Terms, challenge: Challenge, credential: Credential): Promise<void> {
  if (challenge.state === "expired" || challenge.expires_at <= ctx.now) await demand(ctx, terms, "challenge_expired");
  const mismatch = mismatches(terms, challenge, credential);
  if (mismatch.includes("method")) await demand(ctx, terms, "method_unsupported");
  if (mismatch.length > 0) await demand(ctx, terms, "challenge_mismatch", { mismatch });
}

type Means = { kind: "token"; token: string } | { kind: "saved_card"; customer: string; paymentMethod: string };

async function meansOf(ctx: Buying, terms: Terms, credential: Credential): Promise<Means> {
  if (credential.means.kind === "token") return credential.means;
  const card = await readSavedCard(ctx.db, ctx.workspace.id);
  if (!card?.payment_method) return demand(ctx, terms, "no_saved_card", cardPage(ctx));
  return { kind: "saved_card", customer: card.customer, paymentMethod: card.payment_method };
}

/**
 * Claims the challenge and records the purchase in one transaction. After that, the challenge cannot be used again,
 * whether the charge succeeds or not. Returns `used` if another request claimed the challenge first. Returns an
 * existing purchase if the challenge replaced one that has been paid since.
 */
async function begin(
  ctx: Buying,
  terms: Terms,
  challenge: Challenge,
  credential: Credential,
  means: Means,
): Promise<NewPurchase | Purchase | "used"> {
  const hashes = meansHashes(ctx, credential.means);
  const purchase = newPurchase(ctx, challenge, means, hashes[0]);
  try {
    return await write(ctx, ctx.workspace.id, async (tx) => {
      await lockWorkspace(tx, ctx.workspace.id);
      const replaced = await findReplaced(tx.tx, ctx.workspace.id, challenge.id);
      if (replaced && replaced.state !== "failed") return replaced;
      await enforceDeclineLimits(tx, purchase, hashes);
      if (!(await claimChallenge(tx.tx, ctx.workspace.id, challenge.id, ctx.now))) return "used";
      await insertPurchase(tx.tx, purchase, terms.idempotency, ctx.now);
      const { id, pack: name } = purchase;
      audit(tx, purchaseStarted, { id, name }, asNew(purchase, ["credits", "amount_cents", "payment_type"]));
      return purchase;
    });
  } catch (error) {
    // Another request with the same Idempotency-Key came first.
    if ((error as { constraint?: string }).constraint === "purchase_idempotency") refuseInProgress(null);
    throw error;
  }
}

function newPurchase(ctx: Buying, challenge: Challenge, means: Means, means_hash: Buffer): NewPurchase {
  const { settleAfterMs, abandonAfterMs } = ctx.settings.payments;
  return {
    id: newId(),
    workspace_id: ctx.workspace.id,
    challenge_id: challenge.id,
    key_id: ctx.credential.id,
    user_id: ctx.principal.user_id,
    pack: challenge.pack,
    credits: challenge.credits,
    amount_cents: challenge.amount_cents,
    payment_type: means.kind === "token" ? "shared_payment_token" : "saved_card",
    means_hash,
    card_hash: means.kind === "saved_card" ? cardHash(ctx, means.paymentMethod) : null,
    ask_at: addMs(ctx.now, settleAfterMs),
    give_up_at: addMs(ctx.now, abandonAfterMs),
  };
}

async function charge(ctx: Buying, terms: Terms, purchase: NewPurchase, means: Means): Promise<Answer> {
  const outcome = await ctx.ports.cards.charge({
    ...means,
    amountCents: purchase.amount_cents,
    currency: "usd",
    // Each challenge is charged at most once, whichever credential is sent with it.
    idempotencyKey: `mpp_${purchase.challenge_id}`,
    startBefore: purchase.ask_at,
    description: terms.pack.description,
    metadata: {
      purchase_id: purchase.id,
      challenge_id: purchase.challenge_id,
      workspace_id: purchase.workspace_id,
      pack: purchase.pack,
      credits: String(purchase.credits),
      machine_payment: "true",
    },
  });
  if (outcome.kind === "unknown")
    ctx.log.warn({ purchase_id: purchase.id, reason: outcome.message }, "the outcome of a charge is unknown");
  try {
    // A notice from the processor may have stored the outcome already.
    const settled = await applyChargeOutcome(ctx, ctx.workspace.id, purchase.id, outcome);
    return settled.state === "processing" ? refuseUnclear(purchase.id) : await replyWithState(ctx, terms, settled);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The card may have been charged, so the reply tells the buyer to wait. The sweep stores the outcome.
    ctx.log.warn(
      { err: error, purchase_id: purchase.id },
      "the outcome of a charge was not stored, or the buyer was not told",
    );
    return refuseUnclear(purchase.id);
  }
}
