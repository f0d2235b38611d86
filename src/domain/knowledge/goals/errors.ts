import { defineErrors, invalid } from "../../kernel/define-errors.ts";

export const goalErrors = defineErrors({
  goal_cycle: invalid("Goal cycle", "A goal cannot be its own ancestor.", "Choose another parent goal."),
});
