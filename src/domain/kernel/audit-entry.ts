import type { Actor } from "./context.ts";

/** Old and new values of changed fields. */
export type AuditChanges = Record<string, [from: unknown, to: unknown]>;

/** The client that sent a request. Work in the background has none. */
export type Client = {
  /** Network address. */
  readonly address: string;
  /** As sent, or empty. */
  readonly userAgent: string;
};

/** One row of the audit log, as it is stored. */
export type AuditEntry = {
  /** UUIDv7; its time is that of the entry. */
  id: string;
  workspace_id: string;
  type: string;
  actor: Actor;
  key_id: string | null;
  ip: string | null;
  user_agent: string | null;
  target_type: string;
  target_id: string | null;
  target_name: string | null;
  /** The project that the object belongs to. */
  project_id: string | null;
  changes: AuditChanges;
  /** What the change was made through; its members are absent if there was nothing. */
  cause: { request_id?: string; automation_id?: string; workflow_run_id?: string; agent_session_id?: string };
};
