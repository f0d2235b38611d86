import { z } from "zod";
import { ISSUE_TYPES, type IssueRow, type LabelRow, PRIORITIES } from "../../access/identity/issue-row.ts";
import { USER_KINDS } from "../../access/identity/kind.sql.ts";
import { CATEGORIES } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import type { Project } from "../../kernel/rows.ts";
import { color, id, instantOfJson, timestamp } from "../../kernel/wire.ts";
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
  due_at: timestamp.nullable(),
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
  children: part(aboutChildren, { total: z.number().int(), done: z.number().int() }),
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

/**
 * Adds the parts of the view that are derived from the row. The engine removes the row's other columns from replies.
 */
export function viewOf(ctx: IssueContext, row: IssueRow, labels: LabelRow[]): IssueView {
  const projectKey = ctx.project.key;
  return {
    ...row,
    project_key: projectKey,
    url: urlOf(ctx, row.key),
    assignee_id: row.assignee_ids[0] ?? null,
    assignees: row.assignee_ids,
    labels,
    parent_key: row.parent_number === null ? null : `${projectKey}-${row.parent_number}`,
    epic_key: row.epic_number === null ? null : `${projectKey}-${row.epic_number}`,
    children: { total: row.child_count, done: row.child_done_count },
    counts: {
      comments: row.comment_count,
      attachments: row.attachment_count,
      links: row.link_count,
      watchers: row.watcher_count,
    },
    is_blocked: row.open_blocker_count > 0,
  };
}

/** Returns the view alone, without other columns of the row. Events store it. */
export const pureViewOf = (ctx: IssueContext, row: IssueRow, labels: LabelRow[]): z.output<typeof IssueView> =>
  IssueView.parse(viewOf(ctx, row, labels));

export const urlOf = (ctx: IssueContext, key: string): string =>
  `${ctx.settings.baseUrl}/w/${ctx.workspace.slug}/p/${ctx.project.slug}/${key}`;
