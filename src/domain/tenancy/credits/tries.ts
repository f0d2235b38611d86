import type { Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { later } from "./ends.ts";
import type { NewPurchase } from "./purchases.sql.ts";
import { readTries, type Try } from "./tries.sql.ts";

/**
 * Limits on declined payments within an hour. Whoever tests stolen cards tries many of them through one key; a person
 * with a bad card tries the same one a few times, and then another one or the saved card. So different cards of a key
 * count, and a card that was declined shuts out itself only.
 */
export const MOST_DECLINES = {
  /** The same token, or the saved card. */
  means: 5,
  /** Different cards, paid with tokens, of one key. */
  cardsOfKey: 5,
  /** Tokens of one key, whatever cards they stand for. One purchase by a client that retries may take four. */
  tokensOfKey: 20,
  cardsOfWorkspace: 20,
  ofWorkspace: 60,
} as const;

const HOUR_MS = 3_600_000;

type Limit = { tries: Try[]; count: (tries: Try[]) => number; most: number; message: string };

/**
 * Refuses a payment before the processor is asked. A charge under way may turn out to be declined, so it counts as a
 * decline of another card; the caller holds the workspace, so that nobody begins one between this and its own.
 * @param meansHashes what is paid with, by the current and retired keys
 * @throws Refusal rate_limited
 */
export async function refuseTooManyTries(
  ctx: Writing,
  purchase: Pick<NewPurchase, "workspace_id" | "key_id" | "payment_type" | "card_hash">,
  meansHashes: readonly Buffer[],
): Promise<void> {
  const tries = await readTries(ctx.tx, purchase.workspace_id, {
    declinedSince: later(ctx.now, -HOUR_MS),
    chargingSince: later(ctx.now, -ctx.settings.payments.abandonAfterMs),
  });
  const limits = limitsOf(tries, purchase, meansHashes);
  const reached = limits.find(({ tries, count, most }) => count(tries) >= most);
  if (!reached) return;
  const declined = reached.tries.filter((one) => one.declined);
  const over = reached.count(declined) >= reached.most;
  refuse("rate_limited", {
    message: over ? reached.message : "Too many payments are under way; try again shortly.",
    "violated-policies": ["declines"],
    headers: { "Retry-After": over ? secondsUntilFree(declined, ctx.now) : "1", "Cache-Control": "no-store" },
    problem: { retryable: !over },
  });
}

function limitsOf(
  tries: Try[],
  { key_id, payment_type, card_hash }: Pick<NewPurchase, "key_id" | "payment_type" | "card_hash">,
  meansHashes: readonly Buffer[],
): Limit[] {
  const isSame = (one: Try) =>
    payment_type === "saved_card"
      ? one.card_hash !== null && card_hash !== null && one.card_hash.equals(card_hash)
      : one.means_hash !== null && meansHashes.some((hash) => hash.equals(one.means_hash!));
  const same = tries.filter(isSame);
  const others = tries.filter((one) => !isSame(one));
  const ofKey = (list: Try[]) =>
    list.filter((one) => one.key_id === key_id && one.payment_type === "shared_payment_token");
  const length = (list: Try[]) => list.length;
  const token: Limit[] = [
    { tries: ofKey(others), count: cards, most: MOST_DECLINES.cardsOfKey, message: CARDS_OF_KEY },
    { tries: ofKey(tries), count: length, most: MOST_DECLINES.tokensOfKey, message: TOKENS_OF_KEY },
  ];
  return [
    { tries: same, count: length, most: MOST_DECLINES.means, message: SAME_MEANS },
    // The saved card was given by a person, on the processor's page; a key that is shut out may still pay with it.
    ...(payment_type === "shared_payment_token" ? token : []),
    { tries: others, count: cards, most: MOST_DECLINES.cardsOfWorkspace, message: WORKSPACE },
    { tries, count: length, most: MOST_DECLINES.ofWorkspace, message: WORKSPACE },
  ];
}

/** Different cards. Where the processor named none, each token counts as one. */
const cards = (tries: Try[]) =>
  new Set(tries.map((one) => (one.card_hash ?? one.means_hash)?.toString("hex") ?? one.id)).size;

const SAME_MEANS = "This card was declined too often within the last hour; pay with another one.";
const CARDS_OF_KEY =
  "Too many different cards of this key were declined within the last hour; pay with the saved card.";
const TOKENS_OF_KEY = "Too many payments of this key were declined within the last hour; pay with the saved card.";
const WORKSPACE = "Too many payments of this workspace were declined within the last hour; try again later.";

/** Until the oldest decline is an hour old. */
const secondsUntilFree = ([oldest]: Try[], now: string) =>
  String(Math.max(1, Math.ceil((Date.parse(oldest!.at) + HOUR_MS - Date.parse(now)) / 1000)));
