import type { Category } from "./categories.ts";
import type { Plan } from "./plans.ts";

/** Rows as frequent reads return them: plain objects with the API's field names. */

export type Workspace = {
  id: string;
  slug: string;
  name: string;
  plan: Plan;
  /** The kinds of changes that many of its issues are about to get; see present.sql.ts. Absent: it does not matter. */
  changing?: readonly string[];
};

export const PROJECT_ROLES = ["admin", "member", "viewer"] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

export const WIP_MODES = ["off", "warn", "enforce"] as const;

/** The columns that locating a project returns: enough for access checks and for writing issues. */
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
  /** Whether a custom field is required or has a default. If not, a new issue without values need not read the fields. */
  asks_fields: boolean;
  /** The caller's role in the project; null if they are not a member of it. */
  role: ProjectRole | null;
};
