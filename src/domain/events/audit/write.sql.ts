import type { AuditEntry } from "../../kernel/audit-entry.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** Entries that one statement stores. */
const AT_ONCE = 200;

const WRITE = {
  name: "write_audit",
  text: `
    insert into audit_entry (id, workspace_id, type, actor_id, actor_kind, actor_name, key_id, ip, user_agent,
                             target_type, target_id, target_name, project_id, changes, cause)
    select e.id, e.workspace_id, e.type, (e.actor ->> 'id')::uuid, e.actor ->> 'kind', e.actor ->> 'name', e.key_id,
           e.ip, e.user_agent, e.target_type, e.target_id, e.target_name, e.project_id, e.changes, e.cause
    from jsonb_to_recordset($1::jsonb) as e(
      id uuid, workspace_id uuid, type text, actor jsonb, key_id uuid, ip text, user_agent text,
      target_type text, target_id text, target_name text, project_id uuid, changes jsonb, cause jsonb)`,
};

/** Stores audit entries, in the transaction of the change. */
export async function writeAudit(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    await db.query(WRITE, [JSON.stringify(entries.slice(at, at + AT_ONCE))]);
  }
}
