import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const portfolioErrors = defineErrors({
  portfolio_project_limit_reached: conflict(
    "Portfolio project limit reached",
    "A portfolio can have at most 500 projects.",
    "Remove one first, or use another portfolio.",
  ),
});
