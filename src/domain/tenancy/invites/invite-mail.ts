import type { MailContent } from "../../events/mail/mail.ts";
import { emailIn, mailText, quoted } from "../../events/mail/mail-text.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { INVITE_DAYS, type InviteRole } from "./invite-view.ts";

export const ROLE_WORDS: Record<InviteRole, string> = {
  admin: "an admin",
  member: "a member",
  viewer: "a viewer",
  guest: "a guest",
};

export function inviteMail(
  { principal, workspace, settings }: InWorkspace,
  { role, message, token }: { role: InviteRole; message: string | null; token: string },
): MailContent {
  const inviter = principal.user_name ?? (principal.user_email === null ? "Somebody" : emailIn(principal.user_email));
  return {
    subject: mailText`${inviter} invited you to ${workspace.name}`,
    lines: [
      mailText`${inviter} invited you to the workspace ${workspace.name} as ${ROLE_WORDS[role]}.`,
      ...(message ? [quoted(mailText`They write:`, message)] : []),
    ],
    action: { label: mailText`Join ${workspace.name}`, url: `${settings.baseUrl}/invite?token=${token}` },
    footnotes: [
      mailText`The invite is for this e-mail address, works once and ends in ${INVITE_DAYS} days.`,
      mailText`If you did not expect it, you can leave this mail alone: nothing happens without you.`,
    ],
  };
}
