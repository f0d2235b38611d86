import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const formErrors = defineErrors({
  form_closed: conflict("Form closed", "This form is closed."),
  already_answered: conflict("Already answered", "The form already has an answer from this e-mail address."),
});
