import { markAbout } from "../../../domain/knowledge/notifications/notifications.ts";
import { MarkReadQuery } from "../../../domain/knowledge/notifications/view.ts";
import { ActivityView, listPage as listActivity } from "../../../domain/work/activity/activity.ts";
import { archive, restore } from "../../../domain/work/issues/archive.ts";
import { change } from "../../../domain/work/issues/change.ts";
import { changeTogether, isPlainChange } from "../../../domain/work/issues/change-shared.ts";
import { create, createIn, createMany, mayPlace } from "../../../domain/work/issues/create.ts";
import { isSharing } from "../../../domain/work/issues/create-shared.ts";
import {
  BulkIssuesCreateInput,
  IssueCreateInput,
  IssueInProjectInput,
  IssuePatchInput,
  IssueTransitionInput,
} from "../../../domain/work/issues/inputs.ts";
import { IssueListQuery, listPage, writtenPage } from "../../../domain/work/issues/list.ts";
import { isPlainMove, moveTogether } from "../../../domain/work/issues/move-shared.ts";
import { transition } from "../../../domain/work/issues/transition.ts";
import { IssueView, labelsOf, viewOf } from "../../../domain/work/issues/view.ts";
import { bulkCost, bulkRows } from "../../engine/bulk.ts";
import { JsonRows } from "../../engine/json-text.ts";
import { type Operation, operation } from "../../engine/operation.ts";
import { markIfAsked } from "../knowledge/mark-read.ts";

export const listIssues = operation({
  id: "issues.list",
  route: "GET P/issues",
  summary: "List a project's issues in board order",
  about:
    "Filters are combined with and; several values in one filter, separated by commas, mean any of them. `q` looks for words in key, title and description; `GET …/search` also finds comments and ranks by relevance. `ready=true` lists the issues on which the caller could start now. Archived issues are left out unless `archived=true`.",
  needs: "issues:read",
  query: IssueListQuery,
  returns: IssueView,
  shape: "list",
  handle: async ({ ctx, query, paging, fields }) => {
    if (fields.length > 0) return listPage(ctx, { ...query, paging });
    const { texts, next_cursor } = await writtenPage(ctx, { ...query, paging });
    return { rows: new JsonRows(texts), next_cursor };
  },
});

export const createIssue = operation({
  id: "issues.create",
  route: "POST P/issues",
  summary: "Create an issue",
  about:
    "The issue goes to the bottom of the project's default column unless `status`, `status_id` or a position says otherwise. Its number is the next one of the project; a refused call uses up no number. Labels, people and parents that do not exist are refused with 400 `invalid_reference`; labels are never created on the way. Reporter and assignees watch the issue, and assignees are notified; an assigned agent hears it on its event stream. To import without duplicates, send `external_source` and `external_id`: a second issue with the same pair is 409 `already_exists` with `existing_id`.",
  needs: "issues:write",
  body: IssueCreateInput,
  example: { title: "Sign-in fails on Safari", assignee_ids: ["me"], story_points: 3 },
  returns: IssueView,
  status: 201,
  mode: "shared",
  needsTransaction: mayPlace,
  writers: "guests",
  handle: ({ ctx, body }) => create(ctx, body),
});

export const bulkCreateIssues = operation({
  id: "issues.bulk-create",
  route: "POST P/issues/bulk",
  summary: "Create 1 to 50 issues; each item has its own result",
  about:
    "An item can name an earlier one of the same call as `parent` or `epic`: `#0` is the first. Issues get their numbers in the order of the items.",
  needs: "issues:write",
  body: BulkIssuesCreateInput,
  example: { items: [{ title: "Sign-in fails on Safari" }, { title: "Update the session cookie" }] },
  item: IssueCreateInput,
  returns: IssueView,
  shape: "bulk",
  mode: "statement",
  needsTransaction: mayPlace,
  writers: "guests",
  cost: bulkCost,
  handle: async ({ ctx, items }) => bulkRows(await createMany(ctx, items)),
});

export const getIssue = operation({
  id: "issues.get",
  route: "GET I",
  summary: "Read an issue",
  about:
    "The reply has the counts of comments, attachments, links and watchers, the values of custom fields, and the open agent sessions; the objects themselves have calls of their own.",
  needs: "issues:read",
  returns: IssueView,
  readsNothing: true,
  query: MarkReadQuery,
  handle: async ({ ctx, query }) => {
    await markIfAsked(ctx, query, { issue_id: ctx.issue.id });
    return viewOf(ctx, ctx.issue, labelsOf(ctx.issue));
  },
});

export const patchIssue = operation({
  id: "issues.patch",
  route: "PATCH I",
  summary: "Change an issue's fields",
  about:
    "Only the fields that are sent change; `null` clears one. `labels` and `assignee_ids` replace the whole list, while `add_labels` and `remove_labels` change single ones. A new `status` or `status_id` moves the issue like `POST …/transition`, by the same rules. `if_version` or `If-Match` protects against changes that you have not seen. An agent with a field policy may change only the fields that it names (403 `field_not_allowed`).",
  needs: "issues:write",
  body: IssuePatchInput,
  example: { title: "Sign-in fails on Safari 18" },
  returns: IssueView,
  mode: "shared",
  needsTransaction: (body) => !isPlainChange(body),
  handle: async ({ ctx, body }) => {
    const issue = await (isSharing(ctx) ? changeTogether(ctx, body) : change(ctx, body));
    if (body.status !== undefined || body.status_id !== undefined) await markAbout(ctx, { issue_id: ctx.issue.id });
    return issue;
  },
});

export const archiveIssue = operation({
  id: "issues.delete",
  route: "DELETE I",
  summary: "Archive an issue",
  about:
    "The issue disappears from lists, boards, reports and search, but can still be read. Open agent sessions and the workflow run on it are cancelled; what it blocked is no longer blocked. It can be restored for 30 days. Archiving it again changes nothing. Its children are not archived.",
  needs: "issues:write",
  returns: IssueView,
  onArchived: true,
  handle: async ({ ctx }) => {
    const issue = await archive(ctx);
    await markAbout(ctx, { issue_id: ctx.issue.id });
    return issue;
  },
});

export const restoreIssue = operation({
  id: "issues.restore",
  route: "POST I/restore",
  summary: "Restore an archived issue",
  about:
    "The issue returns to its column, or else to the first one of its category, or to the default column. It keeps its rank unless another issue has taken that. If it is open, it leaves a completed sprint (warning `sprint_completed`) and people who left the workspace. After 30 days the reply is 409 `restore_window_over`.",
  needs: "issues:write",
  returns: IssueView,
  onArchived: true,
  handle: ({ ctx }) => restore(ctx),
});

export const transitionIssue = operation({
  id: "issues.transition",
  route: "POST I/transition",
  summary: "Move an issue on its board",
  about:
    "Give a category in `status` (the issue stays in a column of that category, or else goes to the first one that `transition_rules` allow) or a column in `status_id`. The issue goes to the bottom unless `before`, `after`, `position` or `rank` places it. Moves that `transition_rules` forbid get 409 `transition_not_allowed` with the `allowed` columns; limits of columns and open blockers refuse or warn, as the project has set it. `warnings` also names required fields without a value. An issue that becomes open again leaves a completed sprint (warning `sprint_completed`) and people who left the workspace. `comment_md` adds a comment in the same transaction.",
  needs: "issues:write",
  body: IssueTransitionInput,
  example: { status: "done" },
  returns: IssueView,
  mode: "shared",
  needsTransaction: (body) => !isPlainMove(body),
  handle: async ({ ctx, body }) => {
    const issue = await (isSharing(ctx) ? moveTogether(ctx, body) : transition(ctx, body));
    await markAbout(ctx, { issue_id: ctx.issue.id });
    return issue;
  },
});

export const listIssueActivity = operation({
  id: "issues.activity",
  route: "GET I/activity",
  summary: "List an issue's history, newest first",
  about:
    "One line for each changed field, comment, link, file and session: who did it, by which key, and from which value to which.",
  needs: "issues:read",
  returns: ActivityView,
  shape: "list",
  handle: ({ ctx, paging }) => listActivity(ctx, paging),
});

export const createIssueInWorkspace = operation({
  id: "issues.create-in-workspace",
  route: "POST W/issues",
  summary: "Create an issue in the project that the body names",
  about:
    "As `POST …/projects/{key}/issues`, with the project's key, slug or id in `project`. It may be left out by callers who see exactly one project that is not archived; others get 400, which names a few that they see.",
  needs: "issues:write",
  limitedKeys: "filter",
  inProject: true,
  body: IssueInProjectInput,
  example: { project: "WEB", title: "Sign-in fails on Safari", story_points: 3 },
  returns: IssueView,
  status: 201,
  writers: "guests",
  handle: ({ ctx, body, project }) => createIn(ctx, body, project!),
});

/** The same call with a path that leaves out the project, which follows from the issue's key or id. */
const withoutProject = ({ of, ...own }: { of: Operation; id: string; summary: string }): Operation => ({
  ...of,
  ...own,
  path: of.path.replace("/projects/{key}", ""),
});

const issueByKey = withoutProject({
  of: getIssue,
  id: "issues.by-key",
  summary: "Read an issue by its key or id, without naming its project",
});

const patchIssueByKey = withoutProject({
  of: patchIssue,
  id: "issues.patch-by-key",
  summary: "Change an issue's fields, without naming its project",
});

export const issueOperations = [
  listIssues,
  createIssue,
  bulkCreateIssues,
  getIssue,
  patchIssue,
  archiveIssue,
  restoreIssue,
  transitionIssue,
  listIssueActivity,
  createIssueInWorkspace,
  issueByKey,
  patchIssueByKey,
];
