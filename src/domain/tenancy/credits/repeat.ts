import { refuse } from "../../kernel/errors.ts";
import type { Buying } from "./buy.ts";
import type { Challenge } from "./challenges.sql.ts";
import { demand, PROBLEM_BASE, type Terms } from "./challenges.ts";
import type { Credential } from "./credential.ts";
import { refuseDeclined } from "./declined.ts";
import { creditErrors } from "./errors.ts";
import { meansHashes } from "./means-hashes.ts";
import { type Answer, answer, waitForGrant } from "./purchase-reply.ts";
import { findByChallenge, findByIdempotency, type Purchase } from "./purchases.sql.ts";
import { mismatches } from "./terms.ts";

/** Repeated calls: with the same Idempotency-Key, with the same credential, or with a challenge that was used. */

const REPLAYED = { "Idempotent-Replayed": "true" };

/** Returns the reply to an earlier request with the same Idempotency-Key; null if there was none. */
export async function repeat(ctx: Buying, terms: Terms): Promise<Answer | null> {
  const earlier = await earlierPurchase(ctx, terms);
  return earlier && answer(ctx, await waitForGrant(ctx, earlier), REPLAYED);
}

async function earlierPurchase(ctx: Buying, { idempotency, pack }: Terms): Promise<Purchase | null> {
  if (!idempotency) return null;
  const { path, key } = idempotency;
  const earlier = await findByIdempotency(ctx.db, ctx.workspace.id, ctx.credential.id, path, key);
  if (!earlier) return null;
  // The body's whole content, independent of its formatting.
  if (earlier.pack !== pack.pack || earlier.credits !== pack.credits) refuse("idempotency_key_reused");
  if (earlier.state === "processing") refuseInProgress(earlier.id);
  return earlier;
}

export function refuseInProgress(purchaseId: string | null): never {
  refuse("idempotency_in_progress", {
    message: "This payment is still in progress. Do not pay again: send the same call again shortly.",
    ...(purchaseId ? { purchase_id: purchaseId } : {}),
    headers: { "Retry-After": "1", "Cache-Control": "no-store" },
    problem: { retryable: true },
  });
}

/**
 * Replies to the buyer with the purchase's current state: paid, pending at the processor, in progress or failed.
 * @throws Refusal if the payment is in progress or failed
 */
export async function replyWithState(
  ctx: Buying,
  terms: Terms,
  purchase: Purchase,
  headers: Record<string, string> = {},
): Promise<Answer> {
  if (purchase.state === "processing") return refuseInProgress(purchase.id);
  if (purchase.state === "failed") return refuseDeclined(ctx, terms, purchase);
  return answer(ctx, await waitForGrant(ctx, purchase), headers);
}

/**
 * Replies to a credential whose challenge was used. The same credential from the same API key is a retry of the same
 * call. Any other credential is an attempt to pay the challenge twice.
 */
export async function replyToUsedChallenge(
  ctx: Buying,
  terms: Terms,
  challenge: Challenge,
  credential: Credential,
): Promise<Answer> {
  // A request with the same Idempotency-Key may have used the challenge in the meantime.
  const repeated = await repeat(ctx, terms);
  if (repeated) return repeated;
  const purchase = await findByChallenge(ctx.db, ctx.workspace.id, challenge.id);
  // The challenge is unpaid and has just expired.
  if (!purchase) return demand(ctx, terms, "challenge_expired");
  if (isSameCall(ctx, terms, challenge, credential, purchase)) return replyWithState(ctx, terms, purchase, REPLAYED);
  if (purchase.state === "processing" || purchase.state === "pending") refuseInProgress(purchase.id);
  const failed = purchase.state === "failed";
  return demand(ctx, terms, "challenge_consumed", {
    ...(failed ? { message: FAILED } : {}),
    state: failed ? "failed" : "consumed",
    purchase_id: purchase.id,
  });
}

const FAILED = "The payment of this challenge failed, so no credits were bought. Pay the new challenge.";

/**
 * Whether a call repeats the call of a purchase: the same API key, token or card, and terms. Another body, pack or
 * repeated challenge makes it a different call.
 */
function isSameCall(ctx: Buying, terms: Terms, challenge: Challenge, credential: Credential, purchase: Purchase) {
  const { means_hash, key_id } = purchase;
  return (
    key_id === ctx.credential.id &&
    means_hash !== null &&
    meansHashes(ctx, credential.means).some((hash) => hash.equals(means_hash)) &&
    mismatches(terms, challenge, credential).length === 0
  );
}

/**
 * Refuses a call whose charge has no known outcome yet. The same call can be repeated until the outcome is known, and
 * never charges again.
 */
export function refuseUnclear(purchaseId: string): never {
  refuse(creditErrors.payment_unknown, {
    purchase_id: purchaseId,
    headers: { "Retry-After": "5", "Cache-Control": "no-store" },
    problem: { type: `${PROBLEM_BASE}internal-payment-error`, retryable: true },
  });
}
