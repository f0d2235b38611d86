import type { Actor, Cause, Ctx, Writing } from "./context.ts";
import { newId } from "./ids.ts";

/** Every kind of event that is recorded today. Webhooks subscribe to these names; names are only ever added. */
export const EVENT_TYPES = [
  "workspace.updated",
  "project.created",
  "project.updated",
  "project.archived",
  "project.restored",
  "project.member.added",
  "project.member.role_changed",
  "project.member.removed",
  "status.created",
  "status.updated",
  "status.deleted",
  "label.created",
  "label.updated",
  "label.deleted",
  "milestone.created",
  "milestone.updated",
  "milestone.completed",
  "milestone.deleted",
  "sprint.created",
  "sprint.updated",
  "sprint.started",
  "sprint.completed",
  "sprint.deleted",
  "release.created",
  "release.updated",
  "release.released",
  "release.deleted",
  "issue.created",
  "issue.updated",
  "issue.status_changed",
  "issue.priority_changed",
  "issue.assigned",
  "issue.unassigned",
  "issue.archived",
  "issue.restored",
  "issue.link.created",
  "issue.link.deleted",
  "issue.attachment.created",
  "issue.attachment.deleted",
  "custom_field.created",
  "custom_field.updated",
  "custom_field.deleted",
  "form.created",
  "form.updated",
  "form.deleted",
  "form.submitted",
  "comment.created",
  "comment.updated",
  "comment.deleted",
  "member.added",
  "member.role_changed",
  "member.removed",
  "invite.created",
  "invite.accepted",
  "invite.revoked",
  "agent.connected",
  "agent.revoked",
  "api_key.created",
  "api_key.revoked",
  "credits.purchased",
  "credits.low",
  "credits.charge_refunded",
  "webhook.disabled",
  "webhook.test",
] as const;
/** Events for workers alone: no webhook ever hears of them. */
export const INTERNAL_EVENT_TYPES = ["payment.succeeded", "payment.noticed", "card.noticed", "mail.written"] as const;
export type PublicEventType = (typeof EVENT_TYPES)[number];
export type EventType = PublicEventType | (typeof INTERNAL_EVENT_TYPES)[number];

/** One line of an issue's history. */
export type ActivityLine = { kind: string; payload: Record<string, unknown> };

export type Recorded = {
  id: string;
  type: EventType;
  workspace_id: string;
  project_id: string | null;
  issue_id: string | null;
  data: unknown;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
  context: Record<string, unknown> | null;
  activity: ActivityLine[];
};

export type Happening = {
  workspace_id: string;
  project_id?: string | null;
  issue_id?: string | null;
  /** The very view REST answers. */
  data: unknown;
  previous?: Record<string, unknown>;
  changed?: string[];
  /** For reactions only; never sent to receivers. */
  context?: Record<string, unknown>;
  activity?: ActivityLine[];
};

/** Writes down what happened; the event row commits with the change itself, and the relay takes it from there. */
export function record(ctx: Writing, type: EventType, happening: Happening): void {
  const id = newId();
  ctx.eventIds.push(id);
  ctx.recorded.push({
    id,
    type,
    project_id: null,
    issue_id: null,
    previous: null,
    changed: null,
    context: null,
    activity: [],
    ...happening,
  });
}

/** Who did it and through what, as event and activity rows keep it. */
export function authorship(ctx: Ctx): { actor: Actor; cause: Cause } {
  return { actor: ctx.actor, cause: ctx.cause };
}
