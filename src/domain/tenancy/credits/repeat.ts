import { refuse } from "../../kernel/errors.ts";
import { type Answer, answer, granted } from "./answer.ts";
import type { Buying } from "./buy.ts";
import type { Challenge } from "./challenges.sql.ts";
import { demand, PROBLEM_BASE, type Terms } from "./challenges.ts";
import type { Credential } from "./credential.ts";
import { refuseDeclined } from "./declined.ts";
import { creditErrors } from "./errors.ts";
import { meansHashes } from "./means.ts";
import { findByChallenge, findByIdempotency, type Purchase } from "./purchases.sql.ts";
import { mismatches } from "./terms.ts";

/** Calls that come again: under the same Idempotency-Key, with the same credential, or with a challenge that was used. */

const REPLAYED = { "Idempotent-Replayed": "true" };

/** The answer to an earlier request with the same Idempotency-Key. */
export async function repeat(ctx: Buying, terms: Terms): Promise<Answer | null> {
  const earlier = await earlierPurchase(ctx, terms);
  return earlier && answer(ctx, await granted(ctx, earlier), REPLAYED);
}

async function earlierPurchase(ctx: Buying, { idempotency, pack }: Terms): Promise<Purchase | null> {
  if (!idempotency) return null;
  const { path, key } = idempotency;
  const earlier = await findByIdempotency(ctx.db, ctx.workspace.id, ctx.credential.id, path, key);
  if (!earlier) return null;
  // All that a body says, however it is written.
  if (earlier.pack !== pack.pack || earlier.credits !== pack.credits) refuse("idempotency_key_reused");
  if (earlier.state === "processing") stillRunning(earlier.id);
  return earlier;
}

export function stillRunning(purchaseId: string | null): never {
  refuse("idempotency_in_progress", {
    message: "This payment is still under way; ask again shortly, and do not pay again.",
    ...(purchaseId ? { purchase_id: purchaseId } : {}),
    headers: { "Retry-After": "1", "Cache-Control": "no-store" },
    problem: { retryable: true },
  });
}

/** A purchase as it stands, to whoever has paid it: paid, pending at the processor, under way, or failed. */
export async function asItStands(
  ctx: Buying,
  terms: Terms,
  purchase: Purchase,
  headers: Record<string, string> = {},
): Promise<Answer> {
  if (purchase.state === "processing") return stillRunning(purchase.id);
  if (purchase.state === "failed") return refuseDeclined(ctx, terms, purchase);
  return answer(ctx, await granted(ctx, purchase), headers);
}

/**
 * Answers a credential whose challenge was used. The same credential from the same key is the same call again, sent by a
 * client or a network that repeats; only another one tries to pay a challenge twice.
 */
export async function alreadyUsed(
  ctx: Buying,
  terms: Terms,
  challenge: Challenge,
  credential: Credential,
): Promise<Answer> {
  // A twin of this request may have used it since we looked.
  const repeated = await repeat(ctx, terms);
  if (repeated) return repeated;
  const purchase = await findByChallenge(ctx.db, ctx.workspace.id, challenge.id);
  // Nobody paid it: its time ended just now.
  if (!purchase) return demand(ctx, terms, "challenge_expired");
  if (isSameCall(ctx, terms, challenge, credential, purchase)) return asItStands(ctx, terms, purchase, REPLAYED);
  if (purchase.state === "processing" || purchase.state === "pending") stillRunning(purchase.id);
  const failed = purchase.state === "failed";
  return demand(ctx, terms, "challenge_consumed", {
    ...(failed ? { message: FAILED } : {}),
    state: failed ? "failed" : "consumed",
    purchase_id: purchase.id,
  });
}

const FAILED = "The payment of this challenge failed, so nothing was bought with it. Pay the fresh one.";

/** The same key, means of payment and terms; another body, pack or echo makes it another call. */
function isSameCall(ctx: Buying, terms: Terms, challenge: Challenge, credential: Credential, purchase: Purchase) {
  const { means_hash, key_id } = purchase;
  return (
    key_id === ctx.credential.id &&
    means_hash !== null &&
    meansHashes(ctx, credential.means).some((hash) => hash.equals(means_hash)) &&
    mismatches(terms, challenge, credential).length === 0
  );
}

/** The charge has no outcome yet. Repeated as it was, the call is answered once it is known; it never charges again. */
export function unclear(purchaseId: string): never {
  refuse(creditErrors.payment_unknown, {
    purchase_id: purchaseId,
    headers: { "Retry-After": "5", "Cache-Control": "no-store" },
    problem: { type: `${PROBLEM_BASE}internal-payment-error`, retryable: true },
  });
}
