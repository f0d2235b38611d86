import { conflict, defineErrors, forbidden } from "../../kernel/define-errors.ts";

export const inviteErrors = defineErrors({
  already_member: conflict(
    "Already a member",
    "This person is already a member of the workspace.",
    "Change the role with PATCH of the member instead.",
  ),
  invite_over: conflict("Invite over", "The invite was used, was revoked or has expired.", "Ask for a new one."),
  invite_for_another: forbidden(
    "Invite for another",
    "The invite is for another e-mail address.",
    "Sign in with that address.",
  ),
});
