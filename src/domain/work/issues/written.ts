import type { z } from "zod";
import type { NotListed } from "../../access/identity/issue-row.ts";
import type { NamedIssue } from "../../access/identity/names.ts";
import type { InProject } from "../../kernel/context.ts";
import { type IssueContext, type IssueView, urlOf } from "./view.ts";

type ProjectContext = IssueContext & Pick<InProject, "project">;
type WrittenIssue = Omit<NamedIssue, NotListed>;

/**
 * Writes issues as JSON: the text that `IssueView` makes of `viewOf`. The columns have types, so what Postgres returns is
 * written without the copies and checks that other answers go through. A test compares the two texts, byte by byte.
 */
export function issueWriter(ctx: ProjectContext): (issue: WrittenIssue) => string {
  const { id, key } = ctx.project;
  const url = urlOf(ctx, "");
  return (row) => {
    const view: z.output<typeof IssueView> = {
      id: row.id,
      key: row.key,
      url: url + row.key,
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
      labels: row.labels,
      estimate_minutes: row.estimate_minutes,
      story_points: row.story_points,
      spent_minutes: row.spent_minutes,
      completion_pct: row.completion_pct,
      start_at: row.start_at,
      due_at: row.due_at,
      resolved_at: row.resolved_at,
      archived_at: row.archived_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
      project_id: id,
      project_key: key,
      parent_key: row.parent_number === null ? null : `${key}-${row.parent_number}`,
      epic_key: row.epic_number === null ? null : `${key}-${row.epic_number}`,
      assignee_name: row.assignee_name,
      assignee_kind: row.assignee_kind,
      children: { total: row.child_count, done: row.child_done_count },
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
    return JSON.stringify(view);
  };
}
