import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { kindOf, type UserKind } from "./kind.sql.ts";

/** Enums of issues, and the row type of the most frequent reads. */

export const ISSUE_TYPES = ["epic", "story", "task", "bug", "subtask"] as const;
export type IssueType = (typeof ISSUE_TYPES)[number];

export const PRIORITIES = ["lowest", "low", "medium", "high", "highest", "critical"] as const;
export type Priority = (typeof PRIORITIES)[number];
/** Numbers are refused: `1` is the lowest priority of some trackers and the most urgent one of others. */
export const PRIORITY_SYNONYMS = { urgent: "critical" } as const satisfies Record<string, Priority>;

/** Columns of `issue`, with the fields of its column, first assignee and labels that the view shows. */
export type IssueRow = {
  id: string;
  project_id: string;
  number: number;
  key: string;
  type: IssueType;
  title: string;
  description_md: string | null;
  status: Category;
  status_id: string | null;
  status_name: string | null;
  priority: Priority;
  rank: string;
  assignee_ids: string[];
  assignee_name: string | null;
  assignee_kind: UserKind | null;
  reporter_id: string;
  parent_id: string | null;
  parent_number: number | null;
  epic_id: string | null;
  epic_number: number | null;
  /** Whether the epic was set for this issue itself. Others have the epic of their parent. */
  epic_own: boolean;
  milestone_id: string | null;
  sprint_id: string | null;
  release_id: string | null;
  label_ids: string[];
  estimate_minutes: number | null;
  story_points: number | null;
  spent_minutes: number | null;
  /** Used by time tracking, which has its own view. Null: derived from the estimate. */
  remaining_minutes: number | null;
  agent_minutes: number;
  completion_pct: number | null;
  start_at: string | null;
  /** The day that `start_at` stands for; null for an instant. */
  start_on: string | null;
  due_at: string | null;
  due_on: string | null;
  started_at: string | null;
  resolved_at: string | null;
  archived_at: string | null;
  archived_reason: string | null;
  custom_fields: Record<string, unknown>;
  active_session_ids: string[];
  active_workflow_run_id: string | null;
  /** Live children; of an epic, live issues that belong to it. */
  child_count: number;
  child_done_count: number;
  child_cancelled_count: number;
  comment_count: number;
  attachment_count: number;
  link_count: number;
  watcher_count: number;
  open_blocker_count: number;
  external_source: string | null;
  external_id: string | null;
  version: number;
  created_by: string;
  created_at: string;
  updated_at: string;
};

export type LabelRow = {
  id: string;
  name: string;
  color: string;
  description: string | null;
  created_at: string;
  updated_at: string;
};
export const labelColumns = "id, name, color, description, created_at, updated_at";

/** The columns of an issue, read from `issue i` with the joins of `issueJoins`. */
export const issueColumns = `
  i.id, i.project_id, i.number, i.key, i.type, i.title, i.description_md, i.status,
  st.id as status_id, st.name as status_name, i.priority, i.rank,
  i.assignee_ids, au.name as assignee_name, ${kindOf("au")} as assignee_kind, i.reporter_id,
  i.parent_id, i.parent_number, i.epic_id, i.epic_number, i.epic_own, i.milestone_id, i.sprint_id, i.release_id, i.label_ids,
  i.estimate_minutes, i.story_points, i.spent_minutes, i.remaining_minutes, i.agent_minutes,
  i.completion_pct,
  i.start_at, i.start_on, i.due_at, i.due_on, i.started_at, i.resolved_at, i.archived_at, i.archived_reason,
  i.custom_fields, i.active_session_ids, i.active_workflow_run_id,
  i.child_count, i.child_done_count, i.child_cancelled_count, i.comment_count, i.attachment_count, i.link_count, i.watcher_count,
  i.open_blocker_count, i.external_source, i.external_id, i.version, i.created_by, i.created_at, i.updated_at`;

/** The same without joins. The names of people, columns and labels are added from memory; see names.ts. */
export const bareIssueColumns = issueColumns
  .replace("st.id as status_id, st.name as status_name", "i.status_id")
  .replace(`au.name as assignee_name, ${kindOf("au")} as assignee_kind, `, "");

/** What a list of issues shows does not need these. */
const NOT_LISTED = ["epic_own", "remaining_minutes", "agent_minutes"] as const;
export type NotListed = (typeof NOT_LISTED)[number];

export const listedIssueColumns = NOT_LISTED.reduce(
  (columns, name) => columns.replace(` i.${name},`, ""),
  bareIssueColumns,
);

/** If the column was deleted, its issues show `status_id` null. */
export const issueJoins = `
  left join board_status st on st.id = i.status_id and st.deleted_at is null
  left join app_user au on au.id = i.assignee_ids[1]`;

/** An issue's labels as one unordered JSON array; see `labelsOf` in view.ts. */
export const labelsJson = `
  (select json_agg(l) from (
    select ${labelColumns} from label where id = any(i.label_ids)) l) as labels`;

/** A call about one issue. */
export type InIssue = InProject & {
  readonly issue: IssueRow & {
    readonly labels: LabelRow[] | null;
    /** The transaction that last wrote the row (xmin), if the row was read together with a remembered key. */
    readonly row_state?: string;
  };
};
