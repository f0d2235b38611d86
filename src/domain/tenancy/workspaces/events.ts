import { defineEvent } from "../../events/define-event.ts";
import { MemberView } from "./member-view.ts";
import { WorkspaceView } from "./view.ts";

const ofMember = { view: MemberView, audience: "workspace" } as const;

export const workspaceUpdated = defineEvent("workspace.updated", {
  view: WorkspaceView,
  audience: "workspace",
  derived: ["updated_at", "role", "member_count", "project_count"],
});

export const memberAdded = defineEvent("member.added", ofMember);
export const memberRoleChanged = defineEvent("member.role_changed", ofMember);
export const memberRemoved = defineEvent("member.removed", ofMember);
