import { record } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { inviteRevoked } from "./events.ts";
import { type InviteRow, inviteView } from "./invite-view.ts";
import { endInvites } from "./invites.sql.ts";

/** Ends one invite. Returns false if it has already ended. */
export const revokeInvite = async (ctx: InWorkspace & Writing, id: string): Promise<boolean> =>
  recordRevoked(ctx, await endInvites(ctx, "id", id)).length > 0;

/** Ends the open invite of an address. Returns the invite that could still have been accepted. */
export const revokeInviteFor = async (ctx: InWorkspace & Writing, email: string): Promise<InviteRow | null> =>
  recordRevoked(ctx, await endInvites(ctx, "email", email))[0] ?? null;

/** Ends the invites that a person sent, when they lose the right to invite. */
export const revokeInvitesOf = async (ctx: InWorkspace & Writing, userId: string): Promise<void> => {
  recordRevoked(ctx, await endInvites(ctx, "invited_by", userId));
};

function recordRevoked(ctx: InWorkspace & Writing, ended: InviteRow[]): InviteRow[] {
  for (const invite of ended) {
    record(ctx, inviteRevoked, inviteView(invite, "revoked"));
  }
  return ended;
}
