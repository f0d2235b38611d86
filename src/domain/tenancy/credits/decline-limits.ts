import type { Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { addMs } from "./conclude-purchase.ts";
import { type PaymentAttempt, readRecentAttempts } from "./decline-limits.sql.ts";
import type { NewPurchase } from "./purchases.sql.ts";

/**
 * Limits on declined payments within an hour. A thief who tests stolen cards tries many of them with one API key. A
 * person with a bad card tries the same card a few times, and then another one or the saved card. So the different
 * cards of a key count, and a declined card blocks only itself.
 */
export const MAX_DECLINES = {
  /** Declines of the same token or saved card. */
  means: 5,
  /** Different cards of one API key, paid with tokens. */
  cardsOfKey: 5,
  /** Tokens of one API key, for any cards. One purchase by a client that retries with new ones may use four. */
  tokensOfKey: 20,
  cardsOfWorkspace: 20,
  ofWorkspace: 60,
} as const;

const HOUR_MS = 3_600_000;

/** A client that retries by itself declines one token a few times within seconds. These are one try of its person. */
const RETRIES = { withinMs: 10_000, most: 3 };

type Limit = {
  attempts: PaymentAttempt[];
  count: (attempts: PaymentAttempt[]) => number;
  max: number;
  message: string;
};

/**
 * Refuses a payment before it is charged if too many were declined. A charge in progress may still be declined, so it
 * counts as a decline of another card. The caller has locked the workspace, so no other charge can start before the
 * caller's own.
 * @param meansHashes hashes of the token or saved card with the current and the retired keys
 * @throws Refusal rate_limited
 */
export async function enforceDeclineLimits(
  ctx: Writing,
  purchase: Pick<NewPurchase, "workspace_id" | "key_id" | "payment_type" | "card_hash">,
  meansHashes: readonly Buffer[],
): Promise<void> {
  const recent = await readRecentAttempts(ctx.tx, purchase.workspace_id, {
    declinedSince: addMs(ctx.now, -HOUR_MS),
    chargingSince: addMs(ctx.now, -ctx.settings.payments.abandonAfterMs),
  });
  const attempts = withoutRetries(recent);
  const limits = limitsOf(attempts, purchase, meansHashes);
  const reached = limits.find(({ attempts, count, max }) => count(attempts) >= max);
  if (!reached) return;
  const declined = reached.attempts.filter((one) => one.declined);
  const over = reached.count(declined) >= reached.max;
  refuse("rate_limited", {
    message: over ? reached.message : "Too many payments are in progress. Try again shortly.",
    "violated-policies": ["declines"],
    headers: { "Retry-After": over ? secondsUntilFree(declined, ctx.now) : "1", "Cache-Control": "no-store" },
    problem: { retryable: !over },
  });
}

/** The attempts without the retries of a declined token. */
function withoutRetries(attempts: readonly PaymentAttempt[]): PaymentAttempt[] {
  const first = new Map<string, { at: number; retries: number }>();
  return attempts.filter(({ declined, means_hash, key_id, payment_type, at: time }) => {
    if (!declined || payment_type !== "shared_payment_token" || means_hash === null) return true;
    const token = `${key_id} ${means_hash.toString("hex")}`;
    const at = Date.parse(time);
    const known = first.get(token);
    if (known && at - known.at <= RETRIES.withinMs && known.retries < RETRIES.most) {
      known.retries++;
      return false;
    }
    first.set(token, { at, retries: 0 });
    return true;
  });
}

function limitsOf(
  attempts: PaymentAttempt[],
  { key_id, payment_type, card_hash }: Pick<NewPurchase, "key_id" | "payment_type" | "card_hash">,
  meansHashes: readonly Buffer[],
): Limit[] {
  const isSame = (one: PaymentAttempt) =>
    payment_type === "saved_card"
      ? one.card_hash !== null && card_hash !== null && one.card_hash.equals(card_hash)
      : one.means_hash !== null && meansHashes.some((hash) => hash.equals(one.means_hash!));
  const same = attempts.filter(isSame);
  const others = attempts.filter((one) => !isSame(one));
  const ofKey = (list: PaymentAttempt[]) =>
    list.filter((one) => one.key_id === key_id && one.payment_type === "shared_payment_token");
  const length = (list: PaymentAttempt[]) => list.length;
  const token: Limit[] = [
    { attempts: ofKey(others), count: cards, max: MAX_DECLINES.cardsOfKey, message: CARDS_OF_KEY },
    { attempts: ofKey(attempts), count: length, max: MAX_DECLINES.tokensOfKey, message: TOKENS_OF_KEY },
  ];
  return [
    { attempts: same, count: length, max: MAX_DECLINES.means, message: SAME_MEANS },
    // A person saved the card on the processor's page, so a blocked API key may still pay with it.
    ...(payment_type === "shared_payment_token" ? token : []),
    { attempts: others, count: cards, max: MAX_DECLINES.cardsOfWorkspace, message: WORKSPACE },
    { attempts, count: length, max: MAX_DECLINES.ofWorkspace, message: WORKSPACE },
  ];
}

/** Counts different cards. A token counts as a card of its own if the processor named none. */
const cards = (attempts: PaymentAttempt[]) =>
  new Set(attempts.map((one) => (one.card_hash ?? one.means_hash)?.toString("hex") ?? one.id)).size;

const SAME_MEANS = "This card was declined too often within the last hour. Pay with another card.";
const CARDS_OF_KEY =
  "Too many different cards of this key were declined within the last hour. Pay with the saved card.";
const TOKENS_OF_KEY = "Too many payments of this key were declined within the last hour. Pay with the saved card.";
const WORKSPACE = "Too many payments of this workspace were declined within the last hour. Try again later.";

/** Seconds until the oldest decline is an hour old. */
const secondsUntilFree = ([oldest]: PaymentAttempt[], now: string) =>
  String(Math.max(1, Math.ceil((Date.parse(oldest!.at) + HOUR_MS - Date.parse(now)) / 1000)));
