import { timingSafeEqual } from "node:crypto";
import { writeMail } from "../../events/mail/mail.ts";
import { emailIn, mailText } from "../../events/mail/mail-text.ts";
import type { Ctx, Writing } from "../../kernel/context.ts";
import { emailKey, readNewEmail, shownEmail } from "../../kernel/email.ts";
import { refuseField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { endRequests, findChange, lockChange, setEmail } from "./change-email.sql.ts";
import { closeOtherSessions, type Visitor } from "./sessions.ts";
import { countRequests, countWrongCode, insertRequest, markUsed } from "./sign-in.sql.ts";
import { digitsOf, type EndReason, hashOf, inMinutes, LINK_MINUTES, secret, whyOver } from "./sign-in.ts";
import { checkChangeLimits, checkResend, newCode, WRONG_CODES } from "./sign-in-limits.ts";

/**
 * Changing the e-mail address, which is what a person signs in with. A code goes to the new address, and is typed where
 * the person is signed in. There is no link: a stranger could make somebody open it who would then lose their address to
 * the stranger's account.
 */

type Person = Pick<Visitor, "user" | "session_id">;

/**
 * Mails a code to a new address. The reply is the same if somebody else has the address.
 * @param ask.network network of the requester's IP address; see networkOf
 * @throws Refusal validation_failed, rate_limited
 */
export async function requestEmailChange(
  ctx: Writing,
  { user }: Person,
  ask: { email: string; network: string },
): Promise<void> {
  const to = readNewEmail(ask.email);
  if (!to) refuseField("/email", "format", "must look like name@example.com");
  if (emailKey(to) === emailKey(user.email)) refuseField("/email", "not_allowed", "is your address already");

  const last = await lockChange(ctx, user.id);
  const { now, ports, settings } = ctx;
  if (last && whyOver(last, now) === null && emailKey(last.email) === emailKey(to)) checkResend(last, now);
  const asked = await countRequests(ctx.db, { email: to, network: ask.network, now });
  checkChangeLimits(asked, settings.people);
  const code = newCode(asked);
  const expiresAt = inMinutes(now, LINK_MINUTES);
  await insertRequest(ctx.db, {
    id: newId(),
    email: to,
    linkHash: hashOf(secret()),
    codeSealed: ports.sealer.seal(code),
    browserHash: hashOf(secret()),
    network: ask.network,
    returnTo: null,
    userId: user.id,
    now,
    expiresAt,
  });
  const content = {
    subject: mailText`Your new e-mail address for Muster`,
    lines: [
      mailText`Somebody who is signed in to Muster wants to use ${emailIn(shownEmail(to))} as their address.`,
      mailText`If that is you, enter the code on the page where you asked for it.`,
    ],
    code,
    footnotes: [
      mailText`The code works once, for ${LINK_MINUTES} minutes. Don't share it: whoever has it can take your address.`,
      mailText`If you did not ask for this, ignore this mail: nothing changes.`,
    ],
  };
  await writeMail(ctx, { kind: "account", workspaceId: null, to, content, expiresAt });
}

/** The address that waits for its code. Null if there is none. */
export async function pendingEmail(ctx: Ctx, { user }: Person): Promise<string | null> {
  const request = await findChange(ctx.db, user.id);
  return request && whyOver(request, ctx.now) === null ? request.email : null;
}

/** `wrong`: how many tries are left. */
export type EmailChange = { changed: string } | { wrong: number } | { over: EndReason | "tries" | "taken" };

/**
 * Checks the code, and changes the address. Other sessions end, and the old address is told. A wrong code is counted, so
 * the transaction must commit whatever this returns.
 */
export async function changeEmail(ctx: Writing, { user, session_id }: Person, code: string): Promise<EmailChange> {
  const request = await lockChange(ctx, user.id);
  const over = whyOver(request, ctx.now);
  if (!request || over !== null) return { over: over ?? "unknown" };
  if (request.wrong_codes >= WRONG_CODES) return { over: "tries" };
  const expected = ctx.ports.sealer.open(request.code_sealed);
  if (!timingSafeEqual(hashOf(expected), hashOf(digitsOf(code)))) {
    await countWrongCode(ctx.db, request.id);
    const left = WRONG_CODES - request.wrong_codes - 1;
    return left > 0 ? { wrong: left } : { over: "tries" };
  }
  await markUsed(ctx.db, request.id, ctx.now);
  if (!(await setEmail(ctx, user.id, request.email))) return { over: "taken" };
  await endRequests(ctx.db, user.email, user.id, ctx.now);
  await closeOtherSessions(ctx, user.id, session_id);
  const content = {
    subject: mailText`Your e-mail address was changed`,
    lines: [
      mailText`Your Muster account has the address ${emailIn(request.email)} now, instead of this one. Sign in with the new one.`,
      mailText`All other sessions of the account were ended.`,
    ],
    footnotes: [
      mailText`If this was not you, somebody else uses your account. Tell an owner of your workspaces, who can remove it, and the operator of this service, at once.`,
    ],
  };
  const expiresAt = inMinutes(ctx.now, 7 * 24 * 60);
  await writeMail(ctx, { kind: "account", workspaceId: null, to: user.email, content, expiresAt });
  return { changed: request.email };
}
