import { conflict, defineErrors, forbidden } from "../../kernel/define-errors.ts";

export const inviteErrors = defineErrors({
  already_member: conflict("Already a member", "This person is in the workspace already."),
  invite_over: conflict("Invite over", "The invite was used, revoked or has expired; ask for a new one."),
  invite_for_another: forbidden(
    "Invite for another",
    "The invite is for another e-mail address; sign in with that one.",
  ),
});
