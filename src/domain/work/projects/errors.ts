import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const boardErrors = defineErrors({
  status_limit_reached: conflict("Status limit reached", "A board can have at most 12 statuses.", "Delete one first."),
  last_status: conflict("Last status", "The last status of a board cannot be deleted.", "Create another one first."),
});
