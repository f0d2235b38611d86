import { endRequests, lockPerson } from "./access/sign-in/change-email.sql.ts";
import type { Visitor } from "./access/sign-in/sessions.ts";
import { erasePerson } from "./delete-account.sql.ts";
import { writeMail } from "./events/mail/mail.ts";
import { emailIn, mailText } from "./events/mail/mail-text.ts";
import type { Ctx, Writing } from "./kernel/context.ts";
import { listOwnWorkspaces, type OwnWorkspace } from "./tenancy/workspaces/own.sql.ts";

/**
 * Deleting a person's account. They leave all workspaces, one transaction each, as by `leaveForGood` (member-removal.ts).
 * Then the person is erased. A deletion that stops half-way can be repeated.
 */

export type Deletion = {
  /** They have other people, but no other owner, or the person is suspended there. */
  blocked: OwnWorkspace[];
  /** Nobody can open them afterwards. */
  closing: OwnWorkspace[];
  leaving: OwnWorkspace[];
};

/** What the deletion of an account does to the workspaces of its person. */
export async function planDeletion(ctx: Ctx, { user }: Pick<Visitor, "user">): Promise<Deletion> {
  const all = await listOwnWorkspaces(ctx.db, user.id);
  const isBlocked = ({ last_owner, alone, status }: OwnWorkspace) => status === "suspended" || (last_owner && !alone);
  const free = all.filter((one) => !isBlocked(one));
  return {
    blocked: all.filter(isBlocked),
    closing: free.filter(({ alone }) => alone),
    leaving: free.filter(({ alone }) => !alone),
  };
}

/**
 * Erases a person who has left all workspaces: their address, name, sessions and notifications. What they wrote stays, as
 * by "Former member". Returns false if they have joined a workspace meanwhile.
 */
export async function eraseAccount(
  ctx: Writing,
  { user }: Pick<Visitor, "user">,
  left: readonly OwnWorkspace[],
): Promise<boolean> {
  await lockPerson(ctx, user.id);
  // They end, but stay: they count for the limits on mails and codes.
  await endRequests(ctx.db, user.email, user.id, ctx.now);
  const ids = left.map(({ id }) => id).sort();
  if (!(await erasePerson(ctx, user.id, ids))) return false;
  const content = {
    subject: mailText`Your Muster account is deleted`,
    lines: [
      mailText`The account of ${emailIn(user.email)} is deleted. You are in no workspace any more, and your keys and sessions have ended.`,
      mailText`What you wrote in workspaces stays there, without your name and address.`,
    ],
    footnotes: [mailText`If this was not you, tell the operator of this service.`],
  };
  const expiresAt = new Date(Date.parse(ctx.now) + 7 * 86_400_000).toISOString();
  await writeMail(ctx, { kind: "account", workspaceId: null, to: user.email, content, expiresAt });
  return true;
}
