import { z } from "zod";
import { ACTOR_KINDS, type ActorKind } from "../../kernel/context.ts";
import { inputPart, part, view } from "../../kernel/described.ts";
import { readId, timeOf } from "../../kernel/ids.ts";
import { choice, flag, id, instant, timestamp } from "../../kernel/wire.ts";
import { aboutAuditQuery, aboutEntry, aboutEntryActor, aboutEntryCause, aboutEntryTarget } from "./descriptions.ts";

export const AuditEntryView = view("AuditEntry", aboutEntry, {
  id,
  at: timestamp,
  actor: part(aboutEntryActor, { id: id.nullable(), kind: z.enum(ACTOR_KINDS), name: z.string().nullable() }),
  key_id: id.nullable(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  type: z.string(),
  target: part(aboutEntryTarget, { type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  project_id: id.nullable(),
  changes: z.record(z.string(), z.array(z.unknown()).length(2)),
  cause: part(aboutEntryCause, {
    request_id: z.string().nullable(),
    automation_id: id.nullable(),
    workflow_run_id: id.nullable(),
    agent_session_id: id.nullable(),
  }),
});
export type AuditEntryView = z.output<typeof AuditEntryView>;

const idFilter = z
  .string()
  .max(100)
  .transform((text, ctx) => {
    const read = text.toLowerCase() === "me" ? "me" : readId(text);
    if (read !== null) return read;
    ctx.addIssue({ code: "custom", message: "must be an id", params: { code: "pattern" } });
    return z.NEVER;
  });

export const EXPORT_FORMATS = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const AuditQuery = inputPart(aboutAuditQuery, {
  actor_id: idFilter.optional(),
  key_id: idFilter.optional(),
  type: z.string().max(100).optional(),
  since: instant.optional(),
  until: instant.optional(),
  format: choice(["json", ...EXPORT_FORMATS]).optional(),
  bom: flag.default("true"),
});
export type AuditQuery = z.output<typeof AuditQuery>;

/** An entry as it is stored. */
export type AuditRow = {
  id: string;
  type: string;
  actor_id: string | null;
  actor_kind: ActorKind;
  actor_name: string | null;
  key_id: string | null;
  ip: string | null;
  user_agent: string | null;
  target_type: string;
  target_id: string | null;
  target_name: string | null;
  project_id: string | null;
  changes: Record<string, unknown[]>;
  cause: Partial<Record<keyof AuditEntryView["cause"], string>>;
};

export const auditEntryView = (row: AuditRow): AuditEntryView => ({
  id: row.id,
  at: timeOf(row.id),
  actor: { id: row.actor_id, kind: row.actor_kind, name: row.actor_name },
  key_id: row.key_id,
  ip: row.ip,
  user_agent: row.user_agent,
  type: row.type,
  target: { type: row.target_type, id: row.target_id, name: row.target_name },
  project_id: row.project_id,
  changes: row.changes,
  cause: {
    request_id: row.cause.request_id ?? null,
    automation_id: row.cause.automation_id ?? null,
    workflow_run_id: row.cause.workflow_run_id ?? null,
    agent_session_id: row.cause.agent_session_id ?? null,
  },
});

/** The same in one line of a table. */
export const auditTableRow = ({ id, at, type, actor, target, changes, cause, ...row }: AuditEntryView) => ({
  id,
  at,
  type,
  actor_id: actor.id,
  actor_kind: actor.kind,
  actor_name: actor.name,
  ...row,
  target_type: target.type,
  target_id: target.id,
  target_name: target.name,
  changes: JSON.stringify(changes),
  ...cause,
});

export const AUDIT_COLUMNS: readonly string[] = [
  ...["id", "at", "type", "actor_id", "actor_kind", "actor_name", "key_id", "ip", "user_agent"],
  ...["target_type", "target_id", "target_name", "project_id", "changes"],
  ...["request_id", "automation_id", "workflow_run_id", "agent_session_id"],
];
