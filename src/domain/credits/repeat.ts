import { refuse } from "../errors.ts";
import { type Answer, answer, granted } from "./answer.ts";
import type { Buying } from "./buy.ts";
import { demand, type Terms } from "./challenges.ts";
import { findByChallenge, findByIdempotency, type Idempotency, type Purchase } from "./purchases.sql.ts";

/** Calls that come again: under the same Idempotency-Key, or with a challenge that was used. */

/** The answer to an earlier request with the same Idempotency-Key. */
export async function repeat(ctx: Buying, { idempotency }: Terms): Promise<Answer | null> {
  const earlier = await earlierPurchase(ctx, idempotency);
  return earlier && answer(ctx, await granted(ctx, earlier), { "Idempotent-Replayed": "true" });
}

async function earlierPurchase(ctx: Buying, idempotency: Idempotency | null): Promise<Purchase | null> {
  if (!idempotency) return null;
  const { path, key, bodyHash } = idempotency;
  const earlier = await findByIdempotency(ctx.db, ctx.workspace.id, ctx.caller.key_id, path, key);
  if (!earlier) return null;
  if (!earlier.body_hash?.equals(bodyHash)) refuse("idempotency_key_reused");
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

/** Answers a credential whose challenge was used: by a twin of this request, or by another one. */
export async function alreadyUsed(ctx: Buying, terms: Terms, challengeId: string): Promise<Answer> {
  // A twin of this request may have used it since we looked.
  const repeated = await repeat(ctx, terms);
  if (repeated) return repeated;
  const purchase = await findByChallenge(ctx.db, ctx.workspace.id, challengeId);
  if (purchase && (purchase.state === "processing" || purchase.state === "pending")) stillRunning(purchase.id);
  // Nobody paid it: its time ended just now.
  if (!purchase) return demand(ctx, terms, "challenge_expired");
  return demand(ctx, terms, "challenge_consumed", {
    state: purchase.state === "failed" ? "failed" : "consumed",
    purchase_id: purchase.id,
  });
}
