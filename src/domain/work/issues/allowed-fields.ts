import { agentErrors } from "../../access/agents/errors.ts";
import { CUSTOM_FIELD, type FieldName } from "../../access/agents/field-policy.ts";
import type { IssueRow } from "../../access/identity/issue-row.ts";
import { isSame } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Changes } from "./change.sql.ts";
import type { Change } from "./changes-for.ts";

/**
 * The field policy of agents: the fields of existing issues that an agent may change. It is checked against what a call
 * really changes, so that an agent can send back fields that it has read.
 */

/** Fields that have one name in calls, in policies and as a column. */
const SAME = {
  type: "type",
  title: "title",
  description_md: "description_md",
  priority: "priority",
  rank: "rank",
  custom_fields: "custom_fields",
  milestone_id: "milestone_id",
  sprint_id: "sprint_id",
  release_id: "release_id",
  estimate_minutes: "estimate_minutes",
  remaining_minutes: "remaining_minutes",
  spent_minutes: "spent_minutes",
  story_points: "story_points",
  completion_pct: "completion_pct",
  start_at: "start_at",
  due_at: "due_at",
  external_source: "external_source",
  external_id: "external_id",
} as const;

/** Fields that calls send → their names in a field policy. Null: the field changes nothing by itself. */
export const NAME_OF_INPUT = {
  ...SAME,
  start_on: "start_at",
  due_on: "due_at",
  status: "status",
  status_id: "status",
  before: "rank",
  after: "rank",
  position: "rank",
  assignee: "assignee",
  assignee_ids: "assignee",
  reporter: "reporter",
  labels: "labels",
  add_labels: "labels",
  remove_labels: "labels",
  field_value: "custom_fields",
  parent: "parent",
  epic: "epic",
  log: "spent_minutes",
  if_version: null,
  must_agree: null,
} as const satisfies Record<keyof Change, FieldName | null>;

/** Columns that these fields set. Other columns follow from them, such as the times that a move sets. */
const NAME_OF_COLUMN = new Map<string, FieldName>(
  Object.entries({
    ...SAME,
    start_on: "start_at",
    due_on: "due_at",
    status_id: "status",
    assignee_ids: "assignee",
    reporter_id: "reporter",
    label_ids: "labels",
    parent_id: "parent",
    epic_id: "epic",
  } as const satisfies Record<Exclude<keyof Changes, Following>, FieldName>),
);
/** Columns that no call sets alone. */
type Following =
  | ("status" | "started_at" | "resolved_at" | "archived_at" | "archived_reason" | "agent_minutes" | "earlier_times")
  | ("parent_number" | "epic_number" | "epic_own" | "active_session_ids" | "active_workflow_run_id")
  | ("child_count" | "child_done_count" | "child_cancelled_count" | "comment_count" | "attachment_count" | "link_count")
  | ("watcher_count" | "open_blocker_count" | "version" | "created_by" | "created_at" | "updated_at");

/**
 * Checks what a call changes in an issue against the field policy of the agent that calls. A position within a move is
 * part of the move.
 * @throws Refusal field_not_allowed, with the fields as the call names them
 */
export function checkFieldPolicy(
  { agent }: Principal,
  before: Pick<IssueRow, "custom_fields">,
  wanted: Change,
  changes: Changes,
): void {
  const policy = agent?.field_policy;
  if (!policy) return;
  const fields = Object.keys(changes).flatMap((column) => {
    const name = NAME_OF_COLUMN.get(column);
    if (!name || policy.includes(name) || (name === "rank" && changes.status_id !== undefined)) return [];
    return name === "custom_fields" ? valuesOutside(policy, before, changes) : namesSent(wanted, name);
  });
  if (fields.length === 0) return;
  const message = `The agent may not change ${fields.join(", ")}. Leave it out, or ask the agent's owner to allow it.`;
  refuse(agentErrors.field_not_allowed, { message, fields, field_policy: policy });
}

/**
 * Checks a call that changes one field of existing issues because something else changes, such as the sprint that they are
 * in. `name` is that of the policy, also of a single custom field.
 * @throws Refusal field_not_allowed
 */
export function checkFieldOfMany({ agent }: Principal, name: FieldName | `${typeof CUSTOM_FIELD}${string}`): void {
  const policy = agent?.field_policy;
  if (!policy || policy.includes(name) || (name.startsWith(CUSTOM_FIELD) && policy.includes("custom_fields"))) return;
  const message = `This would change ${name} of issues, which the agent may not change. Ask its owner to allow it.`;
  refuse(agentErrors.field_not_allowed, { message, fields: [name], field_policy: policy });
}

const namesSent = (wanted: Change, name: FieldName): string[] => {
  const keys = Object.entries(wanted).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  return keys.filter((key) => own(NAME_OF_INPUT, key) === name);
};

function valuesOutside(policy: readonly string[], before: Pick<IssueRow, "custom_fields">, after: Changes): string[] {
  const next = after.custom_fields ?? {};
  const ids = new Set([...Object.keys(before.custom_fields), ...Object.keys(next)]);
  return [...ids]
    .filter((id) => !isSame(own(before.custom_fields, id), own(next, id)))
    .map((id) => CUSTOM_FIELD + id)
    .filter((name) => !policy.includes(name));
}
