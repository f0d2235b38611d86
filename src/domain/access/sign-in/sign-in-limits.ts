import { randomInt } from "node:crypto";
import { counted, minutesInWords } from "../../kernel/counted.ts";
import { refuse } from "../../kernel/errors.ts";
import type { RequestCounts, SignInRequest } from "./sign-in.sql.ts";

/**
 * Limits that keep strangers from flooding a mailbox and from guessing codes, without locking the owner out. Counts
 * come from rows, so flushing Redis changes nothing.  A request for an address without a live link is always mailed:
 * at most one every 15 minutes. While there is a live link, its reader needs no other, so further mails may be
 * limited per requester.
 */

const MAILS_OF_NETWORK_PER_HOUR = 5;
const MAILS_PER_DAY = 30;
export const WRONG_CODES = 5;
/** Requests of a day that get a short code: 20 guesses at one in a million. */
const SHORT_CODES_PER_DAY = 4;
const SHORT = 6;
/** Allows 5 guesses at one in ten billion, for at most about 130 requests a day. */
const LONG = 10;

/**
 * Checks a request to sign in.
 * @throws Refusal rate_limited, with the seconds after which a request is accepted again
 */
export function checkMailLimits(asked: RequestCounts, now: string, limits: Limits): void {
  checkNetwork(asked, limits);
  if (asked.liveUntil === null || !isFlooded(asked)) return;
  const seconds = Math.max(1, Math.ceil((Date.parse(asked.liveUntil) - Date.parse(now)) / 1000));
  refuse("rate_limited", {
    message: `We sent several mails to this address already. Open the link in the newest one: it works for ${minutesInWords(seconds)} more. After that you can request another.`,
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Checks a request for a new address. Nobody needs its mail to sign in, and whoever asks can end it, so the mails of a day
 * count whether they are live or not.
 * @throws Refusal rate_limited, with the seconds after which a request is accepted again
 */
export function checkChangeLimits(asked: RequestCounts, limits: Limits): void {
  checkNetwork(asked, limits);
  if (!isFlooded(asked)) return;
  refuse("rate_limited", {
    message: "Several mails were sent to this address already. Try again in an hour, or choose another.",
    headers: { "Retry-After": "3600" },
  });
}

type Limits = { signInsPerMinute: number };

const isFlooded = ({ byNetwork, today }: RequestCounts): boolean =>
  byNetwork >= MAILS_OF_NETWORK_PER_HOUR || today >= MAILS_PER_DAY;

function checkNetwork(asked: RequestCounts, { signInsPerMinute }: Limits): void {
  // The page limits forms by the minute, in Redis. Without Redis this limit by the hour remains.
  if (asked.fromNetwork >= signInsPerMinute * 60) {
    refuse("rate_limited", {
      message: "Your network requested too many sign-in mails. Try again in ten minutes.",
      headers: { "Retry-After": "600" },
    });
  }
}

/** Seconds between two mails to the same address that one browser requests by "Send a new mail". */
export const RESEND_SECONDS = 60;

/** @throws Refusal rate_limited, with the seconds after which another mail can be requested */
export function checkResend({ created_at }: Pick<SignInRequest, "created_at">, now: string): void {
  const seconds = Math.ceil((Date.parse(created_at) - Date.parse(now)) / 1000) + RESEND_SECONDS;
  if (seconds <= 0) return;
  refuse("rate_limited", {
    message: `The last mail was sent a moment ago and may still be on its way. You can request another in ${counted(seconds, "second")}.`,
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Draws the next code. After several guessable codes the next one gets longer, so that wrong codes never have to lock the
 * owner out.
 */
export function newCode({ guessable }: RequestCounts): string {
  const digits = guessable < SHORT_CODES_PER_DAY ? SHORT : LONG;
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}
