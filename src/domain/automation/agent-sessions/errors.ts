import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const sessionErrors = defineErrors({
  session_cancelled: conflict(
    "Session cancelled",
    "The session was cancelled and stays so.",
    "Stop working on it, or start a new session.",
  ),
  issue_claimed: conflict(
    "Issue claimed",
    "Another session has claimed the issue.",
    "Work on another issue, or wait until the holder's session has ended.",
  ),
  nothing_ready: conflict(
    "Nothing ready",
    "No issue is ready for the agent.",
    "Ask again when one of those in examples is free, or with other filters.",
  ),
});
