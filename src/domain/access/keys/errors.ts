import { conflict, defineErrors, forbidden } from "../../kernel/define-errors.ts";

export const keyErrors = defineErrors({
  scope_exceeds_grantor: forbidden(
    "Scope exceeds grantor",
    "Keys and apps cannot have more rights than their creator.",
    "Leave out the scopes that you do not have, or ask somebody who has them.",
  ),
  token_limit_reached: conflict(
    "Token limit reached",
    "You have the maximum number of personal tokens.",
    "Revoke one first.",
  ),
});
