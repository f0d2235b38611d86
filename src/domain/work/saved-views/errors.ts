import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const savedViewErrors = defineErrors({
  view_limit_reached: conflict(
    "View limit reached",
    "The maximum number of saved views is reached.",
    "Delete one first.",
  ),
});
