import { conflict, defineErrors, invalid } from "../../kernel/define-errors.ts";

export const issueErrors = defineErrors({
  parent_cycle: invalid("Parent cycle", "An issue cannot be its own ancestor."),
  depth_limit_reached: invalid(
    "Depth limit reached",
    "The hierarchy would have too many levels. Choose a parent on a higher level.",
  ),
  version_conflict: conflict("Version conflict", "The object has changed since you read it. Read it again and retry."),
  restore_window_over: conflict(
    "Restore window over",
    "The object was archived too long ago to be restored. Create a new one.",
  ),
  transition_not_allowed: conflict(
    "Transition not allowed",
    "The board's rules do not allow this move. Move to one of the columns in allowed.",
  ),
  wip_limit_exceeded: conflict(
    "WIP limit exceeded",
    "The column has reached its limit. Move an issue out of it first.",
  ),
  open_blockers: conflict("Open blockers", "Open issues block this issue. Close them first."),
});
