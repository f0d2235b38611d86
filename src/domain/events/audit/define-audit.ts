/** The kinds of objects whose changes are audited. */
export const AUDIT_TARGETS = [
  "workspace",
  "member",
  "invite",
  "api_key",
  "oauth_grant",
  "oauth_app",
  "webhook",
  "agent",
  "automation",
  "workflow",
  "workflow_run",
  "project",
  "project_member",
  "commit_hook",
  "credits",
  "card",
  "doc",
  "report",
  "audit_log",
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/**
 * How an event is audited. Of a changed object the entry shows all changed fields, except derived ones.
 * @param Field a field of the event's view
 */
export type EventAudit<Field extends string = string> = {
  readonly target: AuditTarget;
  /** The field with the object's id. Default: `id`. */
  readonly id?: Field;
  /** The first of these fields that has a value names the object. Default: `name`. */
  readonly name?: readonly Field[];
  /** Without old values: fields that are shown as new, such as those of a created object. */
  readonly adds?: readonly Field[];
  /** Without old values: fields that are shown as gone, such as those of a deleted object. */
  readonly drops?: readonly Field[];
  /** Only changes of these fields are audited. */
  readonly only?: readonly Field[];
};

/** A kind of entry that no event stands for. */
export type AuditDefinition = { readonly type: string; readonly target: AuditTarget };

/**
 * Defines a kind of audit entry, as an exported constant of its subject, for a change that records no event. A change that
 * records one says so in `defineEvent`. `npm run pin` lists it in `domain/defined-audits.ts`.
 */
export const defineAudit = (type: string, target: AuditTarget): AuditDefinition => ({ type, target });
