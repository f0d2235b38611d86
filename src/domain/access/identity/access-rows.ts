import type { Category } from "../../kernel/categories.ts";
import type { AgentLimits, Credential, Principal } from "../../kernel/principal.ts";
import type { Project, Workspace } from "../../kernel/rows.ts";
import { instantOfJson } from "../../kernel/wire.ts";

/** The JSON arrays that the access statement returns, and the objects made of them. */

export type AccessList = [
  keyId: string,
  keyKind: Credential["kind"],
  keyName: string,
  keyPrefix: string,
  keyExpiresAt: string | null,
  credentialExpiresAt: string | null,
  scopes: string[],
  projectIds: string[] | null,
  rateLimit: number | null,
  userId: string,
  userKind: Principal["user_kind"],
  userName: string | null,
  userEmail: string | null,
  role: Principal["role"],
  makerRole: Principal["maker_role"],
  workspaceId: string,
  slug: string,
  workspaceName: string,
  plan: Workspace["plan"],
  changing: string[],
  agent: AgentLimits | null,
];

export function callerOf(list: AccessList): { principal: Principal; credential: Credential; workspace: Workspace } {
  const [id, kind, name, prefix, expiresAt, tokenExpiresAt, scopes, project_ids, rate_limit_per_minute, ...rest] = list;
  const [
    user_id,
    user_kind,
    user_name,
    user_email,
    role,
    maker_role,
    workspaceId,
    slug,
    workspaceName,
    plan,
    changing,
    agent,
  ] = rest;
  const instants = { expires_at: instantOf(expiresAt), token_expires_at: instantOf(tokenExpiresAt) };
  return {
    principal: {
      ...{ kind: user_kind, user_id, user_kind, user_name, user_email, role, maker_role, project_ids },
      key: kind === "session" ? null : { id, scopes },
      ...(agent ? { agent } : {}),
    },
    credential: { id, kind, name, prefix, ...instants, scopes, rate_limit_per_minute },
    workspace: { id: workspaceId, slug, name: workspaceName, plan, changing },
  };
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
