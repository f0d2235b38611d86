import { defineAudit } from "../../events/audit/define-audit.ts";
import { defineEvent } from "../../events/define-event.ts";
import { MemberView } from "./member-view.ts";
import { WorkspaceView } from "./view.ts";

const ofMember = { view: MemberView, audience: "workspace" } as const;
const audit = { target: "member", id: "user_id", name: ["name", "email"] } as const;
const shown = ["role", "is_guest", "project_ids", "email"] as const;

export const workspaceUpdated = defineEvent("workspace.updated", {
  view: WorkspaceView,
  audience: "workspace",
  derived: ["updated_at", "role", "member_count", "project_count"],
  audit: { target: "workspace" },
});

export const memberAdded = defineEvent("member.added", { ...ofMember, audit: { ...audit, adds: shown } });
export const memberRoleChanged = defineEvent("member.role_changed", { ...ofMember, audit });
export const memberRemoved = defineEvent("member.removed", { ...ofMember, audit: { ...audit, drops: shown } });

/** No webhook can exist yet, so no event is recorded. */
export const workspaceCreated = defineAudit("workspace.created", "workspace");
