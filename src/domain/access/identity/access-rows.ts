import type { Category } from "../../kernel/categories.ts";
import type { Caller, Project, Workspace } from "../../kernel/rows.ts";
import { instantOfJson } from "../../kernel/wire.ts";

/** The JSON lists that the statement of access answers, and what is made of them. */

export type AccessList = [
  keyId: string,
  keyKind: Caller["key_kind"],
  keyName: string,
  keyPrefix: string,
  keyExpiresAt: string | null,
  credentialExpiresAt: string | null,
  scopes: string[],
  projectIds: string[] | null,
  rateLimit: number | null,
  userId: string,
  userKind: Caller["user_kind"],
  userName: string | null,
  userEmail: string | null,
  role: Caller["role"],
  makerRole: Caller["maker_role"],
  workspaceId: string,
  slug: string,
  workspaceName: string,
  plan: Workspace["plan"],
];

export function callerOf(list: AccessList): { caller: Caller; workspace: Workspace } {
  const [key_id, key_kind, key_name, key_prefix, keyExpiresAt, credentialExpiresAt, ...grant] = list;
  const [scopes, project_ids, rate_limit_per_minute, ...rest] = grant;
  const [user_id, user_kind, user_name, user_email, role, maker_role, ...place] = rest;
  const [id, slug, name, plan] = place;
  const key = {
    key_id,
    key_kind,
    key_name,
    key_prefix,
    key_expires_at: instantOf(keyExpiresAt),
    credential_expires_at: instantOf(credentialExpiresAt),
    scopes,
    project_ids,
    rate_limit_per_minute,
  };
  const user = { user_id, user_kind, user_name, user_email, role, maker_role };
  return { caller: { ...key, ...user }, workspace: { id, slug, name, plan } };
}

export type ProjectList = [
  id: string,
  key: string,
  slug: string,
  name: string,
  scoped: boolean,
  archivedAt: string | null,
  columnId: string | null,
  columnName: string,
  columnCategory: Category,
  defaultAssigneeId: string | null,
  transitionRules: Project["transition_rules"],
  wipMode: Project["wip_mode"],
  enforceBlockers: boolean,
  role: Project["role"],
  asksFields: boolean,
];

export function projectOf(list: ProjectList): Project {
  const [id, key, slug, name, scoped, archivedAt, columnId, columnName, category, ...rest] = list;
  const [default_assignee_id, transition_rules, wip_mode, enforce_blockers, role, asks_fields] = rest;
  return {
    id,
    key,
    slug,
    name,
    scoped,
    archived_at: instantOf(archivedAt),
    default_column: columnId ? { id: columnId, name: columnName, category } : null,
    default_assignee_id,
    transition_rules,
    wip_mode,
    enforce_blockers,
    role,
    asks_fields,
  };
}

const instantOf = (text: string | null): string | null => (text === null ? null : instantOfJson(text));
