import { conflict, defineErrors, invalid } from "../../kernel/define-errors.ts";

export const memberErrors = defineErrors({
  not_a_member: invalid("Not a member", "This person is not in the workspace."),
  last_owner: conflict("Last owner", "A workspace keeps at least one owner; make somebody else one first."),
});
