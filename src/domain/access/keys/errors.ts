import { conflict, defineErrors, forbidden } from "../../kernel/define-errors.ts";

export const keyErrors = defineErrors({
  scope_exceeds_grantor: forbidden("Scope exceeds grantor", "A key cannot hold more than its maker."),
  token_limit_reached: conflict(
    "Token limit reached",
    "You have as many personal tokens as one may; revoke one first.",
  ),
});
