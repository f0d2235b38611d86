import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const sessionErrors = defineErrors({
  session_cancelled: conflict(
    "Session cancelled",
    "The session was cancelled and stays so. Stop working on it, or start a new session.",
  ),
});
