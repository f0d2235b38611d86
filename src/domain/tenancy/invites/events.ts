import { defineEvent } from "../../events/define-event.ts";
import { InviteView } from "./invite-view.ts";

const ofInvite = { view: InviteView, audience: "workspace" } as const;

export const inviteCreated = defineEvent("invite.created", ofInvite);
export const inviteAccepted = defineEvent("invite.accepted", ofInvite);
export const inviteRevoked = defineEvent("invite.revoked", ofInvite);
