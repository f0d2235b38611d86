import { conflict, defineErrors, invalid } from "../../kernel/define-errors.ts";

export const memberErrors = defineErrors({
  not_a_member: invalid(
    "Not a member",
    "This person is not a member of the workspace.",
    "Invite them first, or name a member.",
  ),
  last_owner: conflict(
    "Last owner",
    "A workspace must have at least one owner.",
    "Make another member an owner first.",
  ),
});
