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
 * Entries of a workspace, newest first. Each filter has an index in the order of the list. A group of types is read type
 * by type, so that each scan stops at `limit`.
 */
export function readAudit(db: Db, workspaceId: string, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  const { actorId, keyId, types, from, before } = filter;
  const values: unknown[] = [workspaceId, from, before, limit];
  const where = ["workspace_id = $1 and id >= $2::uuid and id < $3::uuid"];
  if (actorId) where.push(`actor_id = $${values.push(actorId)}::uuid`);
  if (keyId) where.push(`key_id = $${values.push(keyId)}::uuid`);
  const conditions = where.join(" and ");
  const order = "order by id desc limit $4";
  const name = `audit_${actorId !== null}_${keyId !== null}_${types !== null}`;
  if (types === null) {
    const text = `select ${columns} from audit_entry where ${conditions} ${order}`;
    return db.query<AuditRow>({ name, text }, values);
  }
  const text = `
    select ${columns} from unnest($${values.push(types)}::text[]) as named(one)
    cross join lateral (select * from audit_entry where ${conditions} and type = named.one ${order}) of_type
    ${order}`;
  return db.query<AuditRow>({ name, text }, values);
}
