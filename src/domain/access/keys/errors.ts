import { conflict, defineErrors, forbidden } from "../../kernel/define-errors.ts";

export const keyErrors = defineErrors({
  scope_exceeds_grantor: forbidden(
    "Scope exceeds grantor",
    "Keys and apps cannot have more rights than their creator.",
  ),
  token_limit_reached: conflict(
    "Token limit reached",
    "You have the maximum number of personal tokens. Revoke one first.",
  ),
});
