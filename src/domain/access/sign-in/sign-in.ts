import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { type MailContent, writeMail } from "../../events/mail/mail.ts";
import { emailIn, mailText } from "../../events/mail/mail-text.ts";
import type { Ctx, Writing } from "../../kernel/context.ts";
import { readEmail, readNewEmail, shownEmail } from "../../kernel/email.ts";
import { refuseField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { hasUser, type User } from "../identity/users.sql.ts";
import { createUser } from "../identity/users.ts";
import { readOwnPath } from "./own-path.ts";
import {
  countRequests,
  countWrongCode,
  findByBrowser,
  findByLink,
  insertRequest,
  lockByBrowser,
  markUsed,
  type SignInRequest,
  takeLink,
} from "./sign-in.sql.ts";
import { checkMailLimits, checkResend, newCode, WRONG_CODES } from "./sign-in-limits.ts";

/**
 * Signing in by mail, with a link and a code. The link signs in the browser that opens it, not the one that requested
 * it. Otherwise an attacker could request a mail in a victim's name, and the victim's click would sign the attacker
 * in. The code is for the browser that requested it: typing it there proves that the person has read the mail.
 */

export const LINK_MINUTES = 15;

/** A random cookie value that identifies a browser before sign-in. */
export const newBrowser = (): string => secret();

/**
 * Mails a link and a code. The reply is the same for known and unknown addresses.
 * @param ask.network network of the requester's IP address; see networkOf
 * @throws Refusal validation_failed, rate_limited
 */
export async function requestSignIn(
  ctx: Writing,
  ask: { email: string; returnTo: string; browser: string; network: string },
): Promise<void> {
  const written = readEmail(ask.email);
  // An address that is longer than allowed today may be stored.
  const isAccepted = written && (readNewEmail(written) ?? (await hasUser(ctx.db, written)));
  const to = isAccepted ? written : null;
  if (!to) refuseField("/email", "format", "must look like name@example.com");

  const { now, ports, settings } = ctx;
  const { network } = ask;
  const asked = await countRequests(ctx.db, { email: to, network, now });
  checkMailLimits(asked, now, settings.people);
  const path = readOwnPath(ask.returnTo);
  const token = secret();
  const code = newCode(asked);
  const expiresAt = inMinutes(now, LINK_MINUTES);
  await insertRequest(ctx.db, {
    id: newId(),
    email: to,
    linkHash: hashOf(token),
    codeSealed: ports.sealer.seal(code),
    browserHash: hashOf(ask.browser),
    network,
    // The path may contain an invite's token.
    returnTo: path === null ? null : ports.sealer.seal(path),
    now,
    expiresAt,
  });
  const content = signInMail(to, `${settings.baseUrl}/sign-in/link?token=${token}`, code);
  await writeMail(ctx, { kind: "sign_in", workspaceId: null, to, content, expiresAt });
}

/**
 * Mails another link and code to the address that a browser typed, even if its last request has expired or was used.
 * Returns whether there is such an address.
 * @throws Refusal rate_limited, with the seconds after which it works
 */
export async function resendSignIn(
  ctx: Writing,
  { browser, network }: { browser: string; network: string },
): Promise<boolean> {
  // Of two that are sent at once, the second waits here, and then finds the request of the first.
  if (!(await lockByBrowser(ctx.db, hashOf(browser)))) return false;
  const last = (await findByBrowser(ctx.db, hashOf(browser)))!;
  checkResend(last, ctx.now);
  await requestSignIn(ctx, { email: last.email, returnTo: pathOf(ctx, last) ?? "", browser, network });
  return true;
}

const signInMail = (to: string, url: string, code: string): MailContent => ({
  subject: mailText`Sign in to Muster`,
  lines: [
    mailText`Open the link to sign in to Muster as ${emailIn(shownEmail(to))}, in the browser that you want to be signed in with.`,
    mailText`Or enter the code on the page where you requested it.`,
  ],
  action: { label: mailText`Sign in`, url },
  code,
  footnotes: [
    mailText`Link and code work once, for ${LINK_MINUTES} minutes. Don't share them.`,
    mailText`If you did not request this, ignore this mail: nobody can sign in without it.`,
  ],
});

/** Why a request can no longer be used. */
export type EndReason = "unknown" | "used" | "expired";

/** The data that a page needs to offer a new request. Whoever has neither the link nor the cookie learns no address. */
export type EndedRequest<Why = EndReason> = { over: Why; returnTo: string | null; email: string | null };

/** Reads a link without using it, because virus scanners open every link in a mail. */
export async function readLink(ctx: Ctx, token: string): Promise<{ email: string } | EndedRequest> {
  const request = await findByLink(ctx.db, hashOf(token));
  return request && whyOver(request, ctx.now) === null ? { email: request.email } : ended(ctx, request);
}

export type SignedIn = { user: User; returnTo: string | null };

/** Uses a link and returns the person it signs in. Creates the person if they are new. */
export async function useLink(ctx: Writing, token: string): Promise<SignedIn | EndedRequest> {
  const taken = await takeLink(ctx.db, hashOf(token), ctx.now);
  if (taken) return signedIn(ctx, taken);
  return ended(ctx, await findByLink(ctx.db, hashOf(token)));
}

/** The address that a browser last requested a mail for, while its code can still be used. */
export async function findPendingRequest(
  ctx: Ctx,
  browser: string,
): Promise<{ email: string; returnTo: string | null } | EndedRequest> {
  const request = await findByBrowser(ctx.db, hashOf(browser));
  if (!request || whyOver(request, ctx.now) !== null) return ended(ctx, request);
  return { email: request.email, returnTo: pathOf(ctx, request) };
}

/**
 * Checks a code against the newest request of the browser. Only that request is affected, so a stranger's wrong codes
 * end only the stranger's own request. A wrong code is counted, so the transaction must commit whatever this returns.
 */
export async function useCode(
  ctx: Writing,
  { browser, code }: { browser: string; code: string },
): Promise<
  SignedIn | EndedRequest<EndReason | "tries"> | { wrong: { email: string; left: number; returnTo: string | null } }
> {
  const request = await lockByBrowser(ctx.db, hashOf(browser));
  if (!request || whyOver(request, ctx.now) !== null) return ended(ctx, request);
  const returnTo = pathOf(ctx, request);
  if (request.wrong_codes >= WRONG_CODES) return { over: "tries", returnTo, email: request.email };

  const expected = ctx.ports.sealer.open(request.code_sealed);
  const right = timingSafeEqual(hashOf(expected), hashOf(digitsOf(code)));
  if (!right) {
    await countWrongCode(ctx.db, request.id);
    const left = WRONG_CODES - request.wrong_codes - 1;
    return left > 0
      ? { wrong: { email: request.email, left, returnTo } }
      : { over: "tries", returnTo, email: request.email };
  }
  await markUsed(ctx.db, request.id, ctx.now);
  return signedIn(ctx, request);
}

async function signedIn(ctx: Writing, request: Pick<SignInRequest, "email" | "return_to">): Promise<SignedIn> {
  return { user: await createUser(ctx, { email: request.email }), returnTo: pathOf(ctx, request) };
}

const pathOf = (ctx: Ctx, { return_to }: Pick<SignInRequest, "return_to">) =>
  return_to === null ? null : ctx.ports.sealer.open(return_to);

const ended = (ctx: Ctx, request: SignInRequest | null): EndedRequest => ({
  // It was open a moment ago, so a concurrent call has used it.
  over: whyOver(request, ctx.now) ?? "used",
  returnTo: request && pathOf(ctx, request),
  email: request?.email ?? null,
});

export function whyOver(request: Pick<SignInRequest, "used_at" | "expires_at"> | null, now: string): EndReason | null {
  if (!request) return "unknown";
  if (request.used_at !== null) return "used";
  return Date.parse(request.expires_at) <= Date.parse(now) ? "expired" : null;
}

/** Characters of a typed code that are read. */
const TYPED = 100;

/** The digits of a code as it was typed: in any script, with spaces and signs between them. */
export const digitsOf = (code: string): string =>
  code
    .slice(0, TYPED)
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0)!)));

/** Digits of a script are ten in a row, and a row begins at a multiple of 16, or six after it. */
const digitValue = (digit: number): number => {
  const row = digit & ~15;
  return digit - (/\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6);
};

export const secret = () => randomBytes(32).toString("base64url");
export const hashOf = (text: string) => hash("sha256", text, "buffer");
export const inMinutes = (now: string, minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString();
