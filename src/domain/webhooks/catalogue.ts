/**
 * Every name a webhook may subscribe to, also those that are not recorded yet: a receiver can be set up for what comes.
 * Names are only ever added.
 */
export const CATALOGUE: readonly string[] = [
  ...kinds("workspace", "updated"),
  ...kinds("member", "added", "removed", "role_changed"),
  ...kinds("invite", "created", "accepted", "revoked"),
  ...kinds("project", "created", "updated", "archived", "restored"),
  ...kinds("project.member", "added", "role_changed", "removed"),
  ...kinds("status", "created", "updated", "deleted"),
  ...kinds("label", "created", "updated", "deleted"),
  ...kinds("milestone", "created", "updated", "completed", "deleted"),
  ...kinds("sprint", "created", "updated", "started", "completed", "deleted"),
  ...kinds("release", "created", "updated", "released", "deleted"),
  ...kinds("custom_field", "created", "updated", "deleted"),
  ...kinds("issue", "created", "updated", "archived", "restored"),
  ...kinds("issue", "status_changed", "priority_changed", "assigned", "unassigned"),
  ...kinds("issue.link", "created", "deleted"),
  ...kinds("issue.attachment", "created", "deleted"),
  ...kinds("comment", "created", "updated", "deleted"),
  ...kinds("form", "created", "updated", "deleted", "submitted"),
  ...kinds("goal", "created", "updated", "status_changed", "deleted"),
  ...kinds("key_result", "created", "updated", "deleted"),
  ...kinds("portfolio", "created", "updated", "deleted"),
  ...kinds("doc", "created", "updated", "archived", "restored"),
  ...kinds("doc.comment", "created", "updated", "deleted"),
  ...kinds("chat.message", "created", "updated", "deleted"),
  ...kinds("automation", "created", "updated", "deleted", "disabled", "fired"),
  ...kinds("automation_run", "failed"),
  ...kinds("workflow", "enabled", "disabled", "deleted"),
  ...kinds("workflow_run", "started", "stage_changed", "completed", "failed", "cancelled"),
  ...kinds("agent", "connected", "updated", "revoked", "spend_warning", "spend_cap_reached"),
  ...kinds("agent_session", "created", "state_changed", "updated"),
  ...kinds("api_key", "created", "revoked"),
  ...kinds("webhook", "disabled", "test"),
  ...kinds("credits", "purchased", "low", "charge_refunded"),
];

/** Names that other services use for the same thing. */
export const EVENT_ALIASES: Readonly<Record<string, string>> = {
  "issue.deleted": "issue.archived",
  "comment.added": "comment.created",
  "member.updated": "member.role_changed",
};

function kinds(thing: string, ...happenings: string[]): string[] {
  return happenings.map((happening) => `${thing}.${happening}`);
}
