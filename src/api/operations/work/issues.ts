import { ActivityView, listPage as listActivity } from "../../../domain/work/activity/activity.ts";
import { archive, restore } from "../../../domain/work/issues/archive.ts";
import { change } from "../../../domain/work/issues/change.ts";
import { create, createMany } from "../../../domain/work/issues/create.ts";
import {
  BulkIssuesCreateInput,
  IssueCreateInput,
  IssuePatchInput,
  IssueTransitionInput,
} from "../../../domain/work/issues/inputs.ts";
import { IssueListQuery, listPage } from "../../../domain/work/issues/list.ts";
import { transition } from "../../../domain/work/issues/transition.ts";
import { IssueView, labelsOf, viewOf } from "../../../domain/work/issues/view.ts";
import { bulkCost, bulkRows } from "../../engine/bulk.ts";
import { operation } from "../../engine/operation.ts";

export const listIssues = operation({
  id: "issues.list",
  route: "GET P/issues",
  summary: "List a project's issues in board order",
  needs: "issues:read",
  query: IssueListQuery,
  returns: IssueView,
  shape: "list",
  handle: ({ ctx, query, paging }) => listPage(ctx, { ...query, paging }),
});

export const createIssue = operation({
  id: "issues.create",
  route: "POST P/issues",
  summary: "Create an issue",
  needs: "issues:write",
  body: IssueCreateInput,
  example: { title: "Sign-in fails on Safari", assignee_ids: ["me"], story_points: 3 },
  returns: IssueView,
  status: 201,
  mode: "statement",
  writers: "guests",
  handle: ({ ctx, body }) => create(ctx, body),
});

export const bulkCreateIssues = operation({
  id: "issues.bulk-create",
  route: "POST P/issues/bulk",
  summary: "Create 1 to 50 issues; each item has its own result",
  needs: "issues:write",
  body: BulkIssuesCreateInput,
  example: { items: [{ title: "Sign-in fails on Safari" }, { title: "Update the session cookie" }] },
  item: IssueCreateInput,
  returns: IssueView,
  shape: "bulk",
  mode: "statement",
  writers: "guests",
  cost: bulkCost,
  handle: async ({ ctx, items }) => bulkRows(await createMany(ctx, items)),
});

export const getIssue = operation({
  id: "issues.get",
  route: "GET I",
  summary: "Read an issue",
  needs: "issues:read",
  returns: IssueView,
  handle: async ({ ctx }) => viewOf(ctx, ctx.issue, labelsOf(ctx.issue)),
});

export const patchIssue = operation({
  id: "issues.patch",
  route: "PATCH I",
  summary: "Change an issue's fields",
  needs: "issues:write",
  body: IssuePatchInput,
  example: { title: "Sign-in fails on Safari 18" },
  returns: IssueView,
  handle: ({ ctx, body }) => change(ctx, body),
});

export const archiveIssue = operation({
  id: "issues.delete",
  route: "DELETE I",
  summary: "Archive an issue",
  needs: "issues:write",
  returns: IssueView,
  onArchived: true,
  handle: ({ ctx }) => archive(ctx),
});

export const restoreIssue = operation({
  id: "issues.restore",
  route: "POST I/restore",
  summary: "Restore an archived issue",
  needs: "issues:write",
  returns: IssueView,
  onArchived: true,
  handle: ({ ctx }) => restore(ctx),
});

export const transitionIssue = operation({
  id: "issues.transition",
  route: "POST I/transition",
  summary: "Move an issue on its board",
  needs: "issues:write",
  body: IssueTransitionInput,
  example: { status: "done" },
  returns: IssueView,
  handle: ({ ctx, body }) => transition(ctx, body),
});

export const listIssueActivity = operation({
  id: "issues.activity",
  route: "GET I/activity",
  summary: "List an issue's history, newest first",
  needs: "issues:read",
  returns: ActivityView,
  shape: "list",
  handle: ({ ctx, paging }) => listActivity(ctx, paging),
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
];
