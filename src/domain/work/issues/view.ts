import { z } from "zod";
import {
  ISSUE_TYPES,
  type IssueRow,
  type LabelRow,
  type NotListed,
  PRIORITIES,
} from "../../access/identity/issue-row.ts";
import { USER_KINDS } from "../../access/identity/kind.sql.ts";
import { CATEGORIES } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import type { Project } from "../../kernel/rows.ts";
import { calendarDay, color, id, instantOfJson, timestamp } from "../../kernel/wire.ts";
import { aboutChildren, aboutCounts, aboutIssue, aboutLabel } from "./descriptions.ts";

export const LabelView = view("Label", aboutLabel, {
  id,
  name: z.string(),
  color,
  description: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type LabelView = z.output<typeof LabelView>;

const minutes = z.number().int().nullable();

export const IssueView = view("Issue", aboutIssue, {
  id,
  key: z.string(),
  url: z.string(),
  number: z.number().int(),
  type: z.enum(ISSUE_TYPES),
  title: z.string(),
  description_md: z.string().nullable(),
  status: z.enum(CATEGORIES),
  status_id: id.nullable(),
  status_name: z.string().nullable(),
  priority: z.enum(PRIORITIES),
  assignee_id: id.nullable(),
  assignees: z.array(id),
  reporter_id: id,
  parent_id: id.nullable(),
  epic_id: id.nullable(),
  milestone_id: id.nullable(),
  sprint_id: id.nullable(),
  release_id: id.nullable(),
  labels: z.array(LabelView),
  estimate_minutes: minutes,
  story_points: z.number().int().nullable(),
  spent_minutes: minutes,
  completion_pct: z.number().int().nullable(),
  start_at: timestamp.nullable(),
  start_on: calendarDay.nullable(),
  due_at: timestamp.nullable(),
  due_on: calendarDay.nullable(),
  resolved_at: timestamp.nullable(),
  archived_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  project_id: id,
  project_key: z.string(),
  parent_key: z.string().nullable(),
  epic_key: z.string().nullable(),
  assignee_name: z.string().nullable(),
  assignee_kind: z.enum(USER_KINDS).nullable(),
  children: part(aboutChildren, { total: z.number().int(), done: z.number().int(), cancelled: z.number().int() }),
  custom_fields: z.record(z.string(), z.unknown()),
  counts: part(aboutCounts, {
    comments: z.number().int(),
    attachments: z.number().int(),
    links: z.number().int(),
    watchers: z.number().int(),
  }),
  is_blocked: z.boolean(),
  rank: z.string(),
  version: z.number().int(),
  active_session_ids: z.array(id),
  active_workflow_run_id: id.nullable(),
  external_source: z.string().nullable(),
  external_id: z.string().nullable(),
  created_by: id,
  started_at: timestamp.nullable(),
  archived_reason: z.string().nullable(),
});
export type IssueView = z.input<typeof IssueView>;

/** Returns an issue's labels in the order in which they were added. */
export function labelsOf(row: IssueRow & { labels: LabelRow[] | null }): LabelRow[] {
  if (row.label_ids.length === 0 || !row.labels) return [];
  if (isOrdered(row.label_ids, row.labels)) return row.labels;
  const byId = new Map(row.labels.map((label) => [label.id, label]));
  return row.label_ids.flatMap((id) => {
    const label = byId.get(id);
    if (!label) return [];
    const { created_at, updated_at } = label;
    return [{ ...label, created_at: instantOfJson(created_at), updated_at: instantOfJson(updated_at) }];
  });
}

/** Whether these are the labels as they are shown. Those of memory are, unlike those that Postgres wrote as JSON. */
const isOrdered = (ids: string[], labels: LabelRow[]): boolean =>
  ids.length === labels.length && labels.every(({ id, updated_at }, at) => id === ids[at] && updated_at.endsWith("Z"));

/** What a view needs to know about the issue's workspace and project. */
export type IssueContext = Pick<InProject, "settings" | "workspace"> & { project: Pick<Project, "key" | "slug"> };

/** The columns that the view shows. */
export type ShownIssue = Omit<IssueRow, NotListed>;

/**
 * Returns what is shown of an issue: in replies, and in events, which store it. The compiler checks that no field is
 * missing and that none is there besides those of the view.
 */
export function viewOf(ctx: IssueContext, row: ShownIssue, labels: LabelRow[]): z.output<typeof IssueView> {
  const projectKey = ctx.project.key;
  return {
    id: row.id,
    key: row.key,
    url: urlOf(ctx, row.key),
    number: row.number,
    type: row.type,
    title: row.title,
    description_md: row.description_md,
    status: row.status,
    status_id: row.status_id,
    status_name: row.status_name,
    priority: row.priority,
    assignee_id: row.assignee_ids[0] ?? null,
    assignees: row.assignee_ids,
    reporter_id: row.reporter_id,
    parent_id: row.parent_id,
    epic_id: row.epic_id,
    milestone_id: row.milestone_id,
    sprint_id: row.sprint_id,
    release_id: row.release_id,
    labels,
    estimate_minutes: row.estimate_minutes,
    story_points: row.story_points,
    spent_minutes: row.spent_minutes,
    completion_pct: row.completion_pct,
    start_at: row.start_at,
    start_on: row.start_on,
    due_at: row.due_at,
    due_on: row.due_on,
    resolved_at: row.resolved_at,
    archived_at: row.archived_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    project_id: row.project_id,
    project_key: projectKey,
    parent_key: row.parent_number === null ? null : `${projectKey}-${row.parent_number}`,
    epic_key: row.epic_number === null ? null : `${projectKey}-${row.epic_number}`,
    assignee_name: row.assignee_name,
    assignee_kind: row.assignee_kind,
    children: { total: row.child_count, done: row.child_done_count, cancelled: row.child_cancelled_count },
    custom_fields: row.custom_fields,
    counts: {
      comments: row.comment_count,
      attachments: row.attachment_count,
      links: row.link_count,
      watchers: row.watcher_count,
    },
    is_blocked: row.open_blocker_count > 0,
    rank: row.rank,
    version: row.version,
    active_session_ids: row.active_session_ids,
    active_workflow_run_id: row.active_workflow_run_id,
    external_source: row.external_source,
    external_id: row.external_id,
    created_by: row.created_by,
    started_at: row.started_at,
    archived_reason: row.archived_reason,
  };
}

export const urlOf = (ctx: IssueContext, key: string): string =>
  `${ctx.settings.baseUrl}/w/${ctx.workspace.slug}/p/${ctx.project.slug}/${key}`;
