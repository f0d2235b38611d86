import { defineEvent } from "../../events/define-event.ts";
import { InviteView } from "./invite-view.ts";

const ofInvite = { view: InviteView, audience: "workspace" } as const;

const audit = { target: "invite", name: ["email"], adds: ["role", "project_ids"] } as const;

export const inviteCreated = defineEvent("invite.created", { ...ofInvite, audit });
export const inviteAccepted = defineEvent("invite.accepted", { ...ofInvite, audit: { ...audit, adds: ["status"] } });
export const inviteRevoked = defineEvent("invite.revoked", { ...ofInvite, audit: { ...audit, adds: ["status"] } });
