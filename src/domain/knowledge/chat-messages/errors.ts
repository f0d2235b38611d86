import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const messageErrors = defineErrors({
  reaction_limit_reached: conflict(
    "Reaction limit reached",
    "A message can have at most 50 different reactions. Use one that it has already.",
  ),
});
