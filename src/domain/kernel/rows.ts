import type { Category } from "./categories.ts";
import type { Plan } from "./plans.ts";
import type { Role } from "./roles.ts";

/** Rows as the hot reads answer them: plain objects, one spelling from column to wire. */

export const KEY_KINDS = ["workspace", "agent", "personal", "oauth"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Who calls: the key, and the user it acts as. A person's browser stands in the place of a key. */
export type Caller = {
  key_id: string;
  key_kind: KeyKind | "session";
  key_name: string;
  key_prefix: string;
  key_expires_at: string | null;
  /** When what was presented ends: the key itself, or an access token, which ends before its grant. */
  credential_expires_at: string | null;
  scopes: string[];
  project_ids: string[] | null;
  rate_limit_per_minute: number | null;
  user_id: string;
  user_kind: "person" | "agent";
  user_name: string | null;
  user_email: string | null;
  /** Role in the key's workspace; null once the user has left it. */
  role: Role | null;
  /** Role of the person who made the key: what an agent may do ends where theirs does. */
  maker_role: Role;
};

export type Workspace = {
  id: string;
  slug: string;
  name: string;
  plan: Plan;
};

export const PROJECT_ROLES = ["admin", "member", "viewer"] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

export const WIP_MODES = ["off", "warn", "enforce"] as const;

/** What locating a project answers: enough for access checks and for writing issues. */
export type Project = {
  id: string;
  key: string;
  slug: string;
  name: string;
  scoped: boolean;
  archived_at: string | null;
  /** Column of new issues. */
  default_column: { id: string; name: string; category: Category } | null;
  default_assignee_id: string | null;
  transition_rules: Record<string, string[]> | null;
  wip_mode: (typeof WIP_MODES)[number];
  enforce_blockers: boolean;
  /** Whether a custom field is required or has a default value: only then do issues without values look at them. */
  asks_fields: boolean;
  /** The caller's role in the project, if named in its list. */
  role: ProjectRole | null;
};
