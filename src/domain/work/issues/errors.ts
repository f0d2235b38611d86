import { conflict, defineErrors, invalid } from "../../kernel/define-errors.ts";

export const issueErrors = defineErrors({
  parent_cycle: invalid("Parent cycle", "An issue cannot be its own ancestor."),
  depth_limit_reached: invalid("Depth limit reached", "The hierarchy would get too deep."),
  version_conflict: conflict("Version conflict", "The object was changed meanwhile; read it again and retry."),
  restore_window_over: conflict("Restore window over", "It was archived too long ago to be restored."),
  transition_not_allowed: conflict("Transition not allowed", "The board's rules do not allow this move; see allowed."),
  wip_limit_exceeded: conflict("WIP limit exceeded", "The column is full."),
  open_blockers: conflict("Open blockers", "The issue is blocked by open issues."),
});
