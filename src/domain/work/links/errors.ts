import { conflict, defineErrors, invalid } from "../../kernel/define-errors.ts";

export const linkErrors = defineErrors({
  link_self: invalid("Link to itself", "An issue cannot be linked to itself.", "Name another issue in target_key."),
  link_cycle: invalid(
    "Link cycle",
    "With this link the issues in cycle would block each other.",
    "Delete one of their links first.",
  ),
  link_limit_reached: conflict("Link limit reached", "The issue has the maximum number of links.", "Delete one first."),
});
