import type { LabelRow } from "../../access/identity/issue-row.ts";
import type { Actor, Cause } from "../../kernel/context.ts";
import type { Changes } from "../issues/change.sql.ts";

/** A change of very many issues that is still to come for some of them. */
export type MassChange = {
  /** Later changes have greater ids. */
  id: string;
  project_id: string;
  kind: string;
  /** What was deleted or changed: a label, a sprint, a field. */
  target_id: string;
  /** Where its issues belong instead. Null: nowhere. */
  to_id: string | null;
  /** What the kind needs besides: see its file in kinds/. */
  data: unknown;
  /** By how much it increases the version of an issue. */
  steps: number;
  /** The actor and the cause, as events store them. */
  author: { actor: Actor; cause: Cause };
  created_at: string;
  workspace_slug: string;
  project_key: string;
  project_slug: string;
};

/** What a label was when it was deleted. */
export type LabelData = { label: LabelRow };

/** One issue of a mass change, and what changes in it. */
export type Item = { id: string; changes: Changes };
