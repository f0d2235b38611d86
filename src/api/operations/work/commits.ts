import { listPage } from "../../../domain/work/commits/commits.ts";
import { CommitRefView } from "../../../domain/work/commits/view.ts";
import { operation } from "../../engine/operation.ts";

export const listIssueCommits = operation({
  id: "issues.commits",
  route: "GET I/commits",
  summary: "List the commits and pull requests that name an issue, newest first",
  about:
    "Commits and pull requests come from the repository's webhook. A key such as `WEB-1` in their text links them to the issue.",
  needs: "issues:read",
  returns: CommitRefView,
  shape: "list",
  handle: ({ ctx, paging }) => listPage(ctx, paging),
});
