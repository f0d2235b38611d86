import type { NamedIssue } from "../../access/identity/names.ts";
import { type IssueContext, type ShownIssue, viewOf } from "./view.ts";

/**
 * Writes issues as JSON. The columns have types, so what Postgres returns is written without the copies and checks that
 * other answers go through. A test compares the texts with those that `IssueView` makes, byte by byte.
 */
export const issueWriter =
  (ctx: IssueContext) =>
  (issue: ShownIssue & Pick<NamedIssue, "labels">): string =>
    JSON.stringify(viewOf(ctx, issue, issue.labels));
