import { randomBytes } from "node:crypto";
import { counted } from "../../kernel/counted.ts";
import { refuse } from "../../kernel/errors.ts";
import type { Buying } from "./buy.ts";
import { type Challenge, insertChallenge } from "./challenges.sql.ts";
import type { CredentialFields } from "./credential-header.ts";
import { creditErrors } from "./errors.ts";
import { bodyDigest, challengeHeader, requestOf } from "./offer.ts";
import type { Pack } from "./packs.ts";
import type { Idempotency } from "./purchases.sql.ts";

/** Payment challenges. Each states a price, can be used once, and expires after ten minutes. */

const LIFETIME_MS = 10 * 60_000; // spec: Limits

/** What the buyer requested, and with which headers. */
export type Terms = {
  pack: Pack;
  bodyText: string;
  credential: CredentialFields;
  /** The API key was sent as Bearer, so the payment credential needs a separate header. */
  bearer: boolean;
  idempotency: Idempotency | null;
};

export type Demand =
  | "payment_required"
  | "malformed_credential"
  | "method_unsupported"
  | "challenge_unknown"
  | "challenge_expired"
  | "challenge_consumed"
  | "challenge_mismatch"
  | "payment_failed"
  | "payment_insufficient"
  | "payment_action_required"
  | "no_saved_card";

/** The payment scheme's problem type for each of Muster's error codes. */
export const TYPES: Record<Demand, string> = {
  payment_required: "payment-required",
  malformed_credential: "malformed-credential",
  method_unsupported: "method-unsupported",
  challenge_unknown: "invalid-challenge",
  challenge_expired: "payment-expired",
  challenge_consumed: "invalid-challenge",
  challenge_mismatch: "invalid-challenge",
  payment_failed: "verification-failed",
  payment_insufficient: "payment-insufficient",
  payment_action_required: "payment-action-required",
  no_saved_card: "payment-action-required",
};

/**
 * The cost of a fresh challenge for the workspace's limit per minute, in tenths of an unpaid call. Repeated failed
 * payments are limited too, but at a higher number.
 */
export const costOf = (code: Demand): number => (code === "payment_required" ? 10 : 1);

/** Whether the buyer must not pay the fresh challenge at once: the purchase was paid already, or a person is needed. */
const isFinal = (code: Demand, { state }: Record<string, unknown>): boolean =>
  code === "payment_action_required" ||
  code === "no_saved_card" ||
  (code === "challenge_consumed" && state === "consumed");

export const PROBLEM_BASE = "https://paymentauth.org/problems/";

type Details = Record<string, unknown> & { message?: string };

/** Refuses with a fresh challenge, or with 429 when the workspace had too many. */
export async function demand(
  ctx: Buying,
  terms: Terms,
  code: Demand,
  details: Details = {},
  cost: number = costOf(code),
): Promise<never> {
  await countChallenge(ctx, cost);
  return refuseWith(ctx, terms, code, details, await issue(ctx, terms));
}

/** Refuses with a challenge that was issued for these terms. */
export function refuseWith(ctx: Buying, terms: Terms, code: Demand, details: Details, challenge: Challenge): never {
  const { method } = ctx.settings.payments;
  const amount = String(challenge.amount_cents);
  const offer = { intent: "charge", method, amount, currency: "USD", description: terms.pack.description };
  const message =
    details.message ??
    (code === "payment_required"
      ? `${terms.pack.description} cost ${dollars(challenge.amount_cents)} USD. Pay the challenge and send the call again; /llms.txt describes how.`
      : undefined);
  return refuse(creditErrors[code], {
    ...details,
    ...(message ? { message } : {}),
    headers: {
      "WWW-Authenticate": challengeHeader({
        id: challenge.id,
        realm: challenge.realm,
        method,
        request: challenge.request,
        expires: challenge.expires_at,
        digest: challenge.digest ?? undefined,
        description: terms.pack.description,
        amount,
        paymentAuthorization: terms.bearer,
      }),
      "Cache-Control": "no-store",
    },
    problem: {
      type: PROBLEM_BASE + TYPES[code],
      // A challenge that another call has used would be refused.
      retryable: challenge.state === "issued" && !isFinal(code, details),
      challengeId: challenge.id,
      challenge: {
        challenge_id: challenge.id,
        expires_at: challenge.expires_at,
        credits: challenge.credits,
        ...offer,
        offers: [offer],
      },
    },
  });
}

export async function issue(ctx: Buying, terms: Terms): Promise<Challenge> {
  const { payments, baseUrl } = ctx.settings;
  const challenge: Challenge = {
    id: randomBytes(24).toString("base64url"),
    workspace_id: ctx.workspace.id,
    key_id: ctx.credential.id,
    pack: terms.pack.pack,
    credits: terms.pack.credits,
    amount_cents: terms.pack.amountCents,
    method: payments.method,
    realm: new URL(baseUrl).hostname,
    request: requestOf(terms.pack, payments),
    digest: terms.pack.pack === "custom" ? bodyDigest(terms.bodyText) : null,
    expires_at: new Date(Date.parse(ctx.now) + LIFETIME_MS).toISOString(),
    state: "issued",
  };
  await insertChallenge(ctx.db, challenge, ctx.now);
  return challenge;
}

export async function countChallenge(ctx: Buying, cost: number): Promise<void> {
  if (cost === 0) return;
  const limit = ctx.settings.payments.challengesPerMinute;
  const taken = await ctx.ports.rateLimiter.take(`challenges:${ctx.workspace.id}`, cost, limit * 10);
  if (!taken || taken.allowed) return;
  refuse("rate_limited", {
    message: `A workspace can request ${counted(limit, "challenge")} per minute.`,
    "violated-policies": ["challenges"],
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}

const dollars = (cents: number) => (cents / 100).toFixed(2);
