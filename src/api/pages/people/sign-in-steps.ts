import {
  type EndedRequest,
  type EndReason,
  LINK_MINUTES,
  type SignedIn,
} from "../../../domain/access/sign-in/sign-in.ts";
import { waitInWords } from "../../../domain/kernel/counted.ts";
import { refuse } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { takeFromNetwork } from "../../../domain/kernel/network-limit.ts";
import type { PageAnswer, PageCall } from "../site/site.ts";
import { ownCookie, readCookie, setCookie } from "../site/visitors.ts";

/** What the pages of sign-in share: the browser's cookie, the limit on mails, and how a request ends. */

/** The visitor may have come from a consent page, which may redirect to the agent at once. */
export const LEADING_AWAY = { mayLeave: true };

/** Continues to the page that the person wanted, or to the start page, and clears the browser's pending request. */
export function goOn(call: PageCall, { returnTo }: SignedIn): PageAnswer {
  setBrowser(call, "", 0);
  return { to: returnTo ?? "/w" };
}

/**
 * Limits requests for mails by network. Links and codes are not limited: a link cannot be guessed, a code ends after
 * five tries, and others in the network must not keep a person from using theirs.
 * @throws Refusal rate_limited
 */
export async function limitSignIns({ request, ctx }: PageCall): Promise<void> {
  const limit = ctx.settings.people.signInsPerMinute;
  const taken = await takeFromNetwork(ctx.ports.rateLimiter, "sign-in", request.ip, limit);
  if (!taken || taken.allowed) return;
  refuse("rate_limited", {
    message: `Your network requested too many sign-in mails. Wait ${waitInWords(taken.resetSeconds)}.`,
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}

const cookieOf = ({ ctx }: PageCall) => ownCookie(ctx.settings.baseUrl, "muster_sign_in");
export const browserOf = (call: PageCall) => readCookie(call.request, cookieOf(call));
const setBrowser = (call: PageCall, value: string, maxAgeSeconds: number) =>
  setCookie(call.request, call.ctx.settings.baseUrl, cookieOf(call), value, maxAgeSeconds);

/** Longer than a code works, so that a person who comes late can have a new one without typing the address again. */
export const keepBrowser = (call: PageCall, browser: string): void => setBrowser(call, browser, 4 * LINK_MINUTES * 60);

/** Passes on the page that the person wanted. */
export const returning = (returnTo: string | null) =>
  returnTo === null ? "" : `?return_to=${encodeURIComponent(returnTo)}`;

const WHY: Record<EndReason | "tries", string> = {
  unknown: "This link or code is not valid. Part of it may be missing. Copy all of it, or get a new mail.",
  used: "It has already been used. Each link and code works once. Get a new mail to sign in again.",
  expired: `It is older than ${LINK_MINUTES} minutes. Get a new mail, and use it sooner.`,
  tries:
    "Too many wrong codes were entered. Open the link in the mail, which works until it expires, or get a new mail.",
};

export function overPage(
  { over: why, returnTo, email }: EndedRequest<EndReason | "tries">,
  canResend = false,
): PageAnswer {
  const body = html`<div class="question">
    <h1>You can't sign in with this any more</h1>
    <p>${WHY[why]}</p>
    ${
      canResend && email
        ? html`${resendForm(`Send a new mail to ${email}`)}
    <p><a href="/sign-in${returning(returnTo)}">Use another address</a></p>`
        : html`<p><a class="button" href="/sign-in${returning(returnTo)}">Get a new mail</a></p>`
    }
  </div>`;
  return { title: "Get a new mail", body, status: why === "tries" ? 429 : 410 };
}

/** The button that sends another mail to the address that this browser typed. */
export const resendForm = (label: string): Html =>
  html`<form method="post" action="/sign-in/code/resend"><button class="second wide">${label}</button></form>`;
