import { defineEvent } from "../../events/define-event.ts";
import { ProjectMemberView } from "./member-view.ts";
import { StatusView } from "./status-view.ts";
import { ProjectView } from "./view.ts";

const ofProject = {
  view: ProjectView,
  audience: "project",
  derived: ["updated_at", "issue_counts", "my_role"],
} as const;
const ofMember = { view: ProjectMemberView, audience: "project" } as const;
const auditOfMember = { target: "project_member", id: "user_id", name: ["name", "email"] } as const;
const ofStatus = { view: StatusView, audience: "project", derived: ["updated_at", "issue_count"] } as const;

export const projectCreated = defineEvent("project.created", ofProject);
export const projectUpdated = defineEvent("project.updated", {
  ...ofProject,
  // Who sees the project. Its other fields belong to the work.
  audit: { target: "project", only: ["scoped"] },
});
export const projectArchived = defineEvent("project.archived", { ...ofProject, audit: { target: "project" } });
export const projectRestored = defineEvent("project.restored", { ...ofProject, audit: { target: "project" } });

export const projectMemberAdded = defineEvent("project.member.added", {
  ...ofMember,
  audit: { ...auditOfMember, adds: ["role"] },
});
export const projectMemberRoleChanged = defineEvent("project.member.role_changed", {
  ...ofMember,
  audit: auditOfMember,
});
export const projectMemberRemoved = defineEvent("project.member.removed", {
  ...ofMember,
  audit: { ...auditOfMember, drops: ["role"] },
});

export const statusCreated = defineEvent("status.created", ofStatus);
export const statusUpdated = defineEvent("status.updated", ofStatus);
export const statusDeleted = defineEvent("status.deleted", ofStatus);
