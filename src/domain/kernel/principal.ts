import type { Role } from "./roles.ts";

export const PRINCIPAL_KINDS = ["person", "agent", "automation", "workflow", "form"] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

/**
 * The user who acts, and the rights that apply. People and agents act with their own rights. Automations, workflows and
 * forms act with the rights and in the name of a person. Domain code uses the principal and never the credential,
 * because jobs have no credential.
 */
export type Principal = {
  kind: PrincipalKind;
  /** The user whose rights count. */
  user_id: string;
  user_kind: "person" | "agent";
  user_name: string | null;
  user_email: string | null;
  /** The user's role in the workspace; null once they have left it. */
  role: Role | null;
  /** The role of the person who answers for the user: their own or, for an agent, that of the person who made its key. */
  maker_role: Role;
  /** The projects that the principal is limited to; null if it is not limited. */
  project_ids: string[] | null;
  /** The key or grant whose scopes limit the rights. Null for a person's session: all rights of the person's role. */
  key: KeyLimits | null;
  /** What people decided about the user, if it is an agent. Absent: nothing limits it. */
  agent?: AgentLimits;
};

export type KeyLimits = { readonly id: string; readonly scopes: readonly string[] };

export type AgentLimits = {
  /** A paused agent may only read. */
  paused: boolean;
  /** The fields of issues that the agent may change; null: all. */
  field_policy: string[] | null;
};

export const KEY_KINDS = ["workspace", "agent", "personal", "oauth"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** How a call authenticates: with a key or with a person's session in a browser. Only calls have a credential. */
export type Credential = {
  id: string;
  kind: KeyKind | "session";
  name: string;
  prefix: string;
  /** When the key ends, as RFC 3339. */
  expires_at: string | null;
  /** When the presented key, access token or session ends. An access token expires before its grant. */
  token_expires_at: string | null;
  scopes: string[];
  /** Null for the installation's limit. */
  rate_limit_per_minute: number | null;
};
