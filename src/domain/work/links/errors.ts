import { conflict, defineErrors, invalid } from "../../kernel/define-errors.ts";

export const linkErrors = defineErrors({
  link_self: invalid("Link to itself", "An issue cannot be linked to itself."),
  link_cycle: invalid("Link cycle", "The issues would block each other in a circle; see cycle."),
  link_limit_reached: conflict("Link limit reached", "The issue has as many links as one may have."),
});
