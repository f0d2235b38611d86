import { hash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Ctx, Writing } from "../context.ts";
import { refuse, refuseField } from "../errors.ts";
import { newId } from "../ids.ts";
import { type Letter, writeMail } from "../mail/mail.ts";
import type { User } from "../workspaces/members.sql.ts";
import { createUser } from "../workspaces/members.ts";
import { readOwnPath } from "./own-path.ts";
import {
  countWrongCode,
  countWrongCodes,
  findWishByBrowser,
  findWishByLink,
  insertWish,
  lockWishByBrowser,
  markUsed,
  takeLink,
  type Wish,
} from "./sign-in.sql.ts";

/**
 * Signing in by a mail, which holds a link and a code. The link signs in the browser that opens it, never the one that
 * asked: else anybody could ask in a victim's name, and the victim's click would let them in. The code is for the
 * browser that asked, and whoever types it there has read the mail.
 */

export const LINK_MINUTES = 15;
const MAILS_PER_HOUR = 5;
const WRONG_CODES = 5;
/** Over all wishes for an address: new wishes give new tries, but not for ever. The link works on. */
const WRONG_CODES_PER_DAY = 20;

const Email = z.email().max(320);

/** What a browser is known by until somebody is signed in; its cookie. */
export const newBrowser = (): string => secret();

/**
 * Mails a link and a code. The answer is the same whether the address is known or not.
 * @throws Refusal validation_failed, rate_limited
 */
export async function askToSignIn(
  ctx: Writing,
  { email, returnTo, browser }: { email: string; returnTo: string; browser: string },
): Promise<void> {
  const to = Email.safeParse(email.trim()).data;
  if (!to) refuseField("/email", "format", "must be an e-mail address");

  const path = readOwnPath(returnTo);
  const token = secret();
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const expiresAt = inMinutes(ctx.now, LINK_MINUTES);
  const wish = {
    id: newId(),
    email: to,
    linkHash: hashOf(token),
    codeSealed: ctx.ports.sealer.seal(code),
    browserHash: hashOf(browser),
    // Such a path may hold an invite's token.
    returnTo: path === null ? null : ctx.ports.sealer.seal(path),
    now: ctx.now,
    expiresAt,
  };
  const kept = await insertWish(ctx.db, wish, { most: MAILS_PER_HOUR, since: inMinutes(ctx.now, -60) });
  if (!kept) {
    refuse("rate_limited", {
      message: `${MAILS_PER_HOUR} mails went to this address within the last hour. Use the newest one, or try again later.`,
      headers: { "Retry-After": "600" },
    });
  }
  const letter = letterOf(to, `${ctx.settings.baseUrl}/sign-in/link?token=${token}`, code);
  await writeMail(ctx, { kind: "sign_in", workspaceId: null, to, letter, expiresAt });
}

const letterOf = (to: string, url: string, code: string): Letter => ({
  subject: "Sign in to Muster",
  lines: [
    `Open the link to sign in to Muster as ${to}, in the browser that you want to be signed in with.`,
    "Or type the code on the page where you asked for it.",
  ],
  action: { label: "Sign in", url },
  code,
  footnotes: [
    `Link and code work once, for ${LINK_MINUTES} minutes. Hand them on to nobody.`,
    "You did not ask for this? Then do nothing: without this mail nobody gets in.",
  ],
});

/** Why a wish opens nothing any more. */
export type Over = "unknown" | "used" | "expired";

/** What a new wish in the place of one that is over needs to know. */
export type Ended<Why = Over> = { over: Why; returnTo: string | null };

/** Looks at a link and leaves it as it is: programs that check mail for viruses open every link. */
export async function readLink(ctx: Ctx, token: string): Promise<{ email: string } | Ended> {
  const wish = await findWishByLink(ctx.db, hashOf(token));
  return wish && whyOver(wish, ctx.now) === null ? { email: wish.email } : ended(ctx, wish);
}

export type SignedIn = { user: User; returnTo: string | null };

/** Uses a link up and answers whom it signs in; a new person is made. */
export async function useLink(ctx: Writing, token: string): Promise<SignedIn | Ended> {
  const taken = await takeLink(ctx.db, hashOf(token), ctx.now);
  if (taken) return signedIn(ctx, taken);
  return ended(ctx, await findWishByLink(ctx.db, hashOf(token)));
}

/** The address that a browser asked for last, while its code may be typed. */
export async function awaitedBy(
  ctx: Ctx,
  browser: string,
): Promise<{ email: string; returnTo: string | null } | Ended> {
  const wish = await findWishByBrowser(ctx.db, hashOf(browser));
  if (!wish || whyOver(wish, ctx.now) !== null) return ended(ctx, wish);
  return { email: wish.email, returnTo: pathOf(ctx, wish) };
}

/**
 * Tries a code against the newest wish of the browser. A wrong one is counted, so the transaction has to commit
 * whatever this answers.
 */
export async function useCode(
  ctx: Writing,
  { browser, code }: { browser: string; code: string },
): Promise<SignedIn | Ended<Over | "tries"> | { wrong: { email: string; left: number; returnTo: string | null } }> {
  const wish = await lockWishByBrowser(ctx.db, hashOf(browser));
  if (!wish || whyOver(wish, ctx.now) !== null) return ended(ctx, wish);
  const returnTo = pathOf(ctx, wish);
  const today = await countWrongCodes(ctx.db, wish.email, inMinutes(ctx.now, -24 * 60));
  if (wish.wrong_codes >= WRONG_CODES || today >= WRONG_CODES_PER_DAY) return { over: "tries", returnTo };

  const right = timingSafeEqual(hashOf(ctx.ports.sealer.open(wish.code_sealed)), hashOf(code.replace(/[\s-]/g, "")));
  if (!right) {
    await countWrongCode(ctx.db, wish.id);
    const left = Math.min(WRONG_CODES - wish.wrong_codes, WRONG_CODES_PER_DAY - today) - 1;
    return left > 0 ? { wrong: { email: wish.email, left, returnTo } } : { over: "tries", returnTo };
  }
  await markUsed(ctx.db, wish.id, ctx.now);
  return signedIn(ctx, wish);
}

async function signedIn(ctx: Writing, wish: Pick<Wish, "email" | "return_to">): Promise<SignedIn> {
  return { user: await createUser(ctx, { email: wish.email }), returnTo: pathOf(ctx, wish) };
}

const pathOf = (ctx: Ctx, { return_to }: Pick<Wish, "return_to">) =>
  return_to === null ? null : ctx.ports.sealer.open(return_to);

const ended = (ctx: Ctx, wish: Wish | null): Ended => ({
  // Of a wish that was open a moment ago: somebody else was faster.
  over: whyOver(wish, ctx.now) ?? "used",
  returnTo: wish && pathOf(ctx, wish),
});

function whyOver(wish: Wish | null, now: string): Over | null {
  if (!wish) return "unknown";
  if (wish.used_at !== null) return "used";
  return Date.parse(wish.expires_at) <= Date.parse(now) ? "expired" : null;
}

const secret = () => randomBytes(32).toString("base64url");
const hashOf = (text: string) => hash("sha256", text, "buffer");
const inMinutes = (now: string, minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString();
