import type { AuditChanges, AuditEntry } from "../../kernel/audit-entry.ts";
import type { Ctx, Recording } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { newId } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import type { Recorded } from "../../kernel/recorded.ts";
import { shorten } from "../../kernel/text.ts";
import type { EventDefinition } from "../define-event.ts";
import { clientPart } from "./client-part.ts";
import type { AuditDefinition } from "./define-audit.ts";
import { MAX_TEXT, shownChanges, withoutPath } from "./shown-value.ts";

/**
 * The audit log: who changed what, with which credential, from where. Entries commit with the change. They never contain
 * secrets, because events and views have none.
 */

/** What an entry is about. */
export type Target = { id: string | null; name: string | null; project_id?: string | null };

type InPlace = { readonly workspace: { readonly id: string } };

/** Audits a change that records no event. Callers return early when nothing changed: this always adds an entry. */
export function audit(
  ctx: Recording & InPlace,
  definition: AuditDefinition,
  target: Target,
  changes: AuditChanges = {},
): void {
  ctx.audited.push(auditEntry(ctx, definition, target, changes));
}

/** An entry, for work that stores it itself. */
export function auditEntry(
  ctx: Pick<Ctx, "actor" | "cause" | "client"> & InPlace,
  { type, target: target_type }: AuditDefinition,
  { id, name, project_id = null }: Target,
  changes: AuditChanges = {},
): AuditEntry {
  const { key_id = null, request_id, automation_id, workflow_run_id, session_id: agent_session_id } = ctx.cause;
  return {
    id: newId(),
    workspace_id: ctx.workspace.id,
    type,
    actor: ctx.actor,
    key_id,
    ...clientPart(ctx.client),
    target_type,
    target_id: id,
    target_name: name && shorten(name, MAX_TEXT),
    project_id,
    changes: shownChanges(changes),
    cause: { request_id, automation_id, workflow_run_id, agent_session_id },
  } as AuditEntry;
}

/** Audits a recorded event, if its definition says so. */
export function auditEvent(ctx: Recording, event: EventDefinition, recorded: Recorded): void {
  const { audit: how } = event;
  if (!how) return;
  const data = recorded.data as Record<string, unknown>;
  const all = changesOf(event, data, recorded.previous);
  const changes = how.only
    ? Object.fromEntries(how.only.flatMap((field) => (own(all, field) ? [[field, own(all, field)!]] : [])))
    : all;
  if (how.only && Object.keys(changes).length === 0) return;
  const { actor, cause, client } = ctx;
  const place = { actor, cause, client, workspace: { id: recorded.workspace_id } };
  const id = (own(data, how.id ?? "id") as string | undefined) ?? null;
  const target = { id, name: nameIn(data, how.name ?? ["name"]), project_id: recorded.project_id };
  ctx.audited.push(auditEntry(place, { type: event.name, target: how.target }, target, changes));
}

/** The first of the fields that has a value. */
function nameIn(data: Record<string, unknown>, fields: readonly string[]): string | null {
  const field = fields.find((one) => typeof own(data, one) === "string" && own(data, one) !== "");
  if (field === undefined) return null;
  const value = String(own(data, field));
  return field === "url" ? withoutPath(value) : value;
}

function changesOf(
  { audit: how }: EventDefinition,
  data: Record<string, unknown>,
  previous: Record<string, unknown> | null,
): AuditChanges {
  if (previous) return changesBetween(previous, data, Object.keys(previous));
  const begun = (how?.adds ?? []).map((field) => [field, [null, own(data, field)]]);
  const ended = (how?.drops ?? []).map((field) => [field, [own(data, field), null]]);
  return Object.fromEntries([...begun, ...ended]);
}

/** The fields that differ, with both values. */
export function changesBetween(before: object, after: object, fields: readonly string[]): AuditChanges {
  const [from, to] = [before, after] as Record<string, unknown>[];
  const differing = fields.filter((field) => !isSame(own(from!, field), own(to!, field)));
  return Object.fromEntries(differing.map((field) => [field, [own(from!, field), own(to!, field)]]));
}

/** The changed fields of an object that is about to change. */
export const changesFrom = (object: object, changes: object): AuditChanges =>
  Object.fromEntries(
    Object.entries(changes).map(([field, to]) => [field, [own(object as Record<string, unknown>, field), to]]),
  );

/** All given fields as those of a new object. */
export const asNew = (object: object, fields: readonly string[]): AuditChanges =>
  Object.fromEntries(fields.map((field) => [field, [null, own(object as Record<string, unknown>, field)]]));
