import { type Background, write } from "../background.ts";
import type { InWorkspace, Writing } from "../context.ts";
import { Refusal, refuse } from "../errors.ts";
import { newId } from "../ids.ts";
import { holdWorkspace } from "../plan-limit.sql.ts";
import { type Answer, answer, granted } from "./answer.ts";
import type { ChargeOutcome, DeclineReason } from "./cards.ts";
import { type Challenge, findChallenge, takeChallenge } from "./challenges.sql.ts";
import { demand, PROBLEM_BASE, type Terms } from "./challenges.ts";
import { type CredentialReading, checkEcho, readCredential } from "./credential.ts";
import { digestMatches } from "./offer.ts";
import { countTries, findPurchase, insertPurchase, type Purchase } from "./purchases.sql.ts";
import { alreadyUsed, repeat, stillRunning } from "./repeat.ts";
import { readSavedCard } from "./saved-card.sql.ts";
import { settleCharge } from "./settle.ts";

/**
 * Buying credits: a challenge, and the paid retry. The purchase is recorded before the card is charged and settled
 * after; in between no transaction is open. Whatever dies, the row says what to ask the processor about.
 */

type Credential = Extract<CredentialReading, { kind: "credential" }>;
export type Buying = Background & InWorkspace;

const MOST_DECLINES = 5;
const HOUR_MS = 3_600_000;

/** @throws Refusal with a fresh challenge wherever the buyer may pay (again) */
export async function buy(ctx: Buying, terms: Terms): Promise<Answer> {
  if (!ctx.settings.payments.enabled) refuse("payments_off", { headers: { "Retry-After": "3600" } });
  const repeated = await repeat(ctx, terms);
  if (repeated) return repeated;

  const credential = readCredential(terms.credential);
  if (credential.kind === "none") return demand(ctx, terms, "payment_required");
  if (credential.kind === "malformed")
    return demand(ctx, terms, "malformed_credential", {
      message: `The Payment credential is malformed: ${credential.reason}.`,
    });
  const challenge = await payable(ctx, terms, credential);
  if (!challenge) return alreadyUsed(ctx, terms, credential.challengeId);
  const means = await meansOf(ctx, terms, credential);

  const purchase = await begin(ctx, terms, challenge, credential);
  if (!purchase) return alreadyUsed(ctx, terms, challenge.id);
  const outcome = await ctx.ports.cards.charge({
    ...means,
    amountCents: challenge.amount_cents,
    currency: "usd",
    // One challenge is charged at most once, whatever is sent along with it.
    idempotencyKey: `mpp_${challenge.id}`,
    startBefore: after(ctx.now, ctx.settings.payments.settleAfterMs),
    description: terms.pack.description,
    metadata: {
      purchase_id: purchase.id,
      challenge_id: challenge.id,
      workspace_id: ctx.workspace.id,
      pack: challenge.pack,
      credits: String(challenge.credits),
      machine_payment: "true",
    },
  });
  if (outcome.kind === "unknown")
    ctx.log.warn({ purchase_id: purchase.id, reason: outcome.message }, "the outcome of a charge is unknown");
  try {
    const settled = await settleCharge(ctx, ctx.workspace.id, purchase.id, outcome);
    return await conclude(ctx, terms, settled, outcome);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The card may have been charged, so the buyer is told to wait, whatever failed here; the sweep settles it.
    ctx.log.error({ err: error, purchase_id: purchase.id }, "the outcome of a charge was not stored or not told");
    return unclear(purchase.id);
  }
}

const after = (now: string, ms: number) => new Date(Date.parse(now) + ms).toISOString();

/** A purchase of the workspace, to recover a reply that was lost. */
export async function recover(
  ctx: Pick<Buying, "db" | "now" | "settings" | "workspace">,
  id: string,
): Promise<Answer | null> {
  const purchase = await findPurchase(ctx.db, ctx.workspace.id, id);
  return purchase && answer(ctx, purchase);
}

/** The challenge that the credential pays, if it still can be paid with it; null when it was used. */
async function payable(ctx: Buying, terms: Terms, credential: Credential): Promise<Challenge | null> {
  const challenge = await findChallenge(ctx.db, ctx.workspace.id, credential.challengeId);
  if (!challenge) return demand(ctx, terms, "challenge_unknown");
  if (challenge.state === "processing" || challenge.state === "consumed" || challenge.state === "failed") return null;
  if (challenge.state === "expired" || challenge.expires_at <= ctx.now) return demand(ctx, terms, "challenge_expired");
  const differs = checkEcho(credential.echo, challenge);
  if (differs.includes("method")) return demand(ctx, terms, "method_unsupported");
  const other = challenge.pack !== terms.pack.pack || challenge.credits !== terms.pack.credits;
  const digest = challenge.digest !== null && !digestMatches(challenge.digest, terms.bodyText);
  // Clients may write the same body anew, so equal credits are enough where the bytes differ.
  if (other || differs.length > 0) {
    return demand(ctx, terms, "challenge_mismatch", {
      mismatch: other ? ["pack", ...(digest ? ["digest"] : []), ...differs] : differs,
    });
  }
  return challenge;
}

/**
 * Somebody trying cards is stopped before the processor is asked. Each charge under way may turn out to be declined, so
 * it counts; the caller holds the workspace, so nobody begins another one between this and its own.
 */
async function refuseAfterDeclines({ tx, now, settings }: Writing, workspaceId: string): Promise<void> {
  const { declined, charging } = await countTries(tx, workspaceId, {
    declinedSince: after(now, -HOUR_MS),
    chargingSince: after(now, -settings.payments.settleAfterMs),
  });
  if (declined + charging < MOST_DECLINES) return;
  const over = declined >= MOST_DECLINES;
  refuse("rate_limited", {
    message: over
      ? "Too many declined payments; try again in an hour."
      : "Too many payments are under way; try again shortly.",
    "violated-policies": ["declines"],
    headers: { "Retry-After": over ? "3600" : "1", "Cache-Control": "no-store" },
    problem: { retryable: !over },
  });
}

async function meansOf(ctx: Buying, terms: Terms, credential: Credential) {
  if (credential.means.kind === "token") return credential.means;
  const card = await readSavedCard(ctx.db, ctx.workspace.id);
  if (!card?.payment_method) return demand(ctx, terms, "no_saved_card", cardSetup(ctx));
  return { kind: "saved_card" as const, customer: card.customer, paymentMethod: card.payment_method };
}

/**
 * Takes the challenge and records the purchase, together: after this the challenge is spent, however it ends. Null when
 * another request took it first.
 */
async function begin(ctx: Buying, terms: Terms, challenge: Challenge, credential: Credential) {
  const id = newId();
  const payment_type = credential.means.kind === "token" ? ("shared_payment_token" as const) : ("saved_card" as const);
  const { pack, credits, amount_cents } = challenge;
  const purchase = {
    id,
    workspace_id: ctx.workspace.id,
    challenge_id: challenge.id,
    key_id: ctx.caller.key_id,
    user_id: ctx.caller.user_id,
    pack,
    credits,
    amount_cents,
    payment_type,
  };
  try {
    const taken = await write(ctx, ctx.workspace.id, async (tx) => {
      await holdWorkspace(tx.tx, ctx.workspace.id);
      await refuseAfterDeclines(tx, ctx.workspace.id);
      if (!(await takeChallenge(tx.tx, ctx.workspace.id, challenge.id, ctx.now))) return false;
      await insertPurchase(tx.tx, purchase, terms.idempotency, ctx.now);
      return true;
    });
    return taken ? purchase : null;
  } catch (error) {
    // Another request with the same Idempotency-Key was first.
    if ((error as { constraint?: string }).constraint === "purchase_idempotency") stillRunning(null);
    throw error;
  }
}

async function conclude(ctx: Buying, terms: Terms, purchase: Purchase, outcome: ChargeOutcome): Promise<Answer> {
  // A notice may have settled it while the charge's own answer was lost.
  if (purchase.state === "succeeded") return answer(ctx, await granted(ctx, purchase));
  if (purchase.state === "pending") return answer(ctx, purchase);
  if (outcome.kind === "declined") {
    const code = demandAfter(outcome.reason, purchase);
    const details = {
      message: outcome.message,
      decline_code: outcome.declineCode ?? outcome.code,
      purchase_id: purchase.id,
      ...(isForPerson(code) ? cardSetup(ctx) : {}),
    };
    return demand(ctx, terms, code, details, DECLINES_ARE_FREE);
  }
  return unclear(purchase.id);
}

function unclear(purchaseId: string): never {
  refuse("payment_unknown", {
    purchase_id: purchaseId,
    headers: { "Retry-After": "5", "Cache-Control": "no-store" },
    // Repeated as it was, the call is answered once the outcome is known; it never charges again.
    problem: { type: `${PROBLEM_BASE}internal-payment-error`, retryable: true },
  });
}

/** The call whose answer is a page where a person saves a card, and authenticates while doing so. */
const cardSetup = ({ settings }: Buying) => ({
  action_url: `${settings.baseUrl}/api/mpp/v1/card/setup`,
  action_method: "POST",
});

/** A saved card that is gone is as good as none: trying again with it would never pay. */
const demandAfter = (reason: DeclineReason, { payment_type }: Purchase) =>
  reason === "invalid_token" && payment_type === "saved_card" ? "no_saved_card" : DECLINED[reason];

const isForPerson = (code: string) => code === "payment_action_required" || code === "no_saved_card";

/** They have a limit of their own, and a buyer is always told of one. */
const DECLINES_ARE_FREE = 0;

const DECLINED = {
  declined: "payment_failed",
  invalid_token: "payment_failed",
  insufficient_token: "payment_insufficient",
  action_required: "payment_action_required",
} as const satisfies Record<DeclineReason, string>;
