import { record } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { inviteRevoked } from "./events.ts";
import { type InviteRow, inviteView } from "./invite-view.ts";
import { endInvites } from "./invites.sql.ts";

/** Ends one invite; false when it is over already. */
export const revokeInvite = async (ctx: InWorkspace & Writing, id: string): Promise<boolean> =>
  recordRevoked(ctx, await endInvites(ctx, "id", id)).length > 0;

/** Ends what an address was invited to, and answers the invite that could still have been accepted. */
export const revokeInviteFor = async (ctx: InWorkspace & Writing, email: string): Promise<InviteRow | null> =>
  recordRevoked(ctx, await endInvites(ctx, "email", email))[0] ?? null;

/** What somebody invited to ends with their right to invite. */
export const revokeInvitesOf = async (ctx: InWorkspace & Writing, userId: string): Promise<void> => {
  recordRevoked(ctx, await endInvites(ctx, "invited_by", userId));
};

function recordRevoked(ctx: InWorkspace & Writing, ended: InviteRow[]): InviteRow[] {
  for (const invite of ended) {
    record(ctx, inviteRevoked, inviteView(invite, "revoked"));
  }
  return ended;
}
