import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const issueErrors = defineErrors({
  transition_not_allowed: conflict(
    "Transition not allowed",
    "The board's rules do not allow this move.",
    "Move to one of the columns in allowed.",
  ),
  wip_limit_exceeded: conflict(
    "WIP limit exceeded",
    "The column has reached its limit.",
    "Move an issue out of it first, or ask an admin to raise its limit.",
  ),
  sprint_completed: conflict(
    "Sprint completed",
    "Open issues cannot be put into a completed sprint.",
    "Name a sprint that is planned or active, or close the issue first.",
  ),
  open_blockers: conflict("Open blockers", "Open issues block this issue.", "Close those in blocked_by first."),
});
