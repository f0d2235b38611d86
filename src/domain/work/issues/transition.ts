import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { create as createComment } from "../comments/comments.ts";
import { lockBoardsBlockedBy } from "../links/blockers.sql.ts";
import { change } from "./change.ts";
import type { IssueTransitionInput } from "./inputs.ts";
import type { IssueView } from "./view.ts";

/** Moves an issue on its board; by default, to the bottom of the column. @throws Refusal */
export async function transition(
  ctx: InIssue & Writing,
  { comment_md, ...move }: IssueTransitionInput,
): Promise<IssueView> {
  if (comment_md !== undefined) {
    // Storing the comment locks the issue, and boards are locked before issues.
    await lockBoardsBlockedBy(ctx);
    await createComment(ctx, { body_md: comment_md });
  }
  return change(ctx, { ...move, must_agree: true });
}
