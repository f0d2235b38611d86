import type { Ctx, InProject, Sharing } from "../../kernel/context.ts";
import type { SharedWrite } from "../../kernel/lanes.ts";
import type { NewIssue, Numbered } from "./create.sql.ts";
import { createShared, type NumberedRow, type SharedIssue } from "./create-shared.sql.ts";

/** New issues of a workspace that arrive at the same time share a statement and its commit. */

export const isSharing = (ctx: Ctx): ctx is Ctx & Sharing => "shared" in ctx;

/** Whether the short statement can store the issue. It is that of nearly all calls. */
export const isPlain = ({ parent_id, epic_id, epic_own, rank, field_values, events }: NewIssue): boolean =>
  parent_id === null &&
  epic_id === null &&
  !epic_own &&
  rank === null &&
  field_values.length === 0 &&
  // Long texts are cut in events, so the event differs from the issue.
  !events.some(({ truncated }) => truncated);

/** @throws errors that `isBoardChanged`, `isPlanningGone` and `isExternalIdTaken` recognise */
export async function createTogether(ctx: InProject & Sharing, at: Place, issue: NewIssue): Promise<Numbered> {
  const { number, rank } = await ctx.shared.together(writeTo(ctx), sharedIssue(ctx, at, issue));
  return { number, rank, parent_number: null, epic_number: null };
}

type Place = { projectKey: string; urlPrefix: string; keepsLimits: boolean };

const writeTo = ({ workspace, project }: InProject): SharedWrite<SharedIssue, NumberedRow> => ({
  lane: `issues ${workspace.id}`,
  part: project.id,
  run: (db, items) => createShared(db, workspace.id, items),
  lengthOf: ({ title, description_md }) => BASE_LENGTH + 2 * (title.length + (description_md?.length ?? 0)),
});

/** Characters of an item besides its texts, which are in the issue and in its events. */
const BASE_LENGTH = 2_000;

function sharedIssue(ctx: InProject, at: Place, issue: NewIssue): SharedIssue {
  const { events } = issue;
  return {
    project_id: ctx.project.id,
    key_prefix: `${at.projectKey}-`,
    url_prefix: at.urlPrefix,
    keeps_limits: at.keepsLimits,
    id: issue.id,
    type: issue.type,
    title: issue.title,
    description_md: issue.description_md,
    status: issue.status,
    status_id: issue.status_id,
    priority: issue.priority,
    assignee_ids: issue.assignee_ids,
    reporter_id: issue.reporter_id,
    milestone_id: issue.milestone_id,
    sprint_id: issue.sprint_id,
    release_id: issue.release_id,
    label_ids: issue.label_ids,
    estimate_minutes: issue.estimate_minutes,
    story_points: issue.story_points,
    spent_minutes: issue.spent_minutes,
    completion_pct: issue.completion_pct,
    start_at: issue.start_at,
    start_on: issue.start_on,
    due_at: issue.due_at,
    due_on: issue.due_on,
    started_at: issue.started_at,
    resolved_at: issue.resolved_at,
    external_source: issue.external_source,
    external_id: issue.external_id,
    created_by: issue.created_by,
    watcher_ids: issue.watcher_ids,
    now: ctx.now,
    actor: ctx.actor,
    cause: ctx.cause,
    json: JSON.stringify(events[0]!.data),
    previous: null,
    changed: null,
    events: events.map(({ id, type, context }) => ({ id, type, context })),
    activity: events.flatMap(({ activity }) => activity),
  };
}
