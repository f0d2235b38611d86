import type { Db } from "../../kernel/ports/ports.ts";
import type { AuditRow } from "./view.ts";

export type AuditFilter = {
  actorId: string | null;
  keyId: string | null;
  /** Null: all types. */
  types: readonly string[] | null;
  /** The entries from the first id on, and before the second one. */
  from: string;
  before: string;
};

const columns = `
  id, type, actor_id, actor_kind, actor_name, key_id, ip, user_agent, target_type, target_id, target_name, project_id,
  changes, cause`;

/**
 * Entries of a workspace, newest first. A filter is written as a range of one value and is part of the order: only its own
 * index has that order, so Postgres cannot choose to search all entries of the workspace for a rare value. A group of types
 * is read type by type, so that each scan stops at `limit`.
 */
export function readAudit(db: Db, workspaceId: string, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  const { actorId, keyId, types, from, before } = filter;
  const values: unknown[] = [workspaceId, from, before, limit];
  const bound = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const scan = (column: string | null, value: string, more = "") => `
    select ${columns} from audit_entry
    where workspace_id = $1 and id >= $2::uuid and id < $3::uuid ${more}
      ${column ? `and ${column} >= ${value} and ${column} <= ${value}` : ""}
    order by ${column ? `${column} desc, ` : ""}id desc limit $4`;

  const ofTypes = types && (keyId || actorId) ? `and type = any(${bound(types, "text[]")})` : "";
  if (keyId) {
    const ofActor = actorId ? `and actor_id = ${bound(actorId, "uuid")}` : "";
    return db.query<AuditRow>({ text: scan("key_id", bound(keyId, "uuid"), `${ofTypes} ${ofActor}`) }, values);
  }
  if (actorId) return db.query<AuditRow>({ text: scan("actor_id", bound(actorId, "uuid"), ofTypes) }, values);
  if (types === null) return db.query<AuditRow>({ name: "audit", text: scan(null, "") }, values);
  const scans = types.map((type) => `(${scan("type", bound(type, "text"))})`).join(" union all ");
  return db.query<AuditRow>({ text: `select * from (${scans}) found order by id desc limit $4` }, values);
}
