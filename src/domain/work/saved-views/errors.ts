import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const savedViewErrors = defineErrors({
  view_limit_reached: conflict(
    "View limit reached",
    "There are as many saved views as there may be; delete one first.",
  ),
});
