import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const formErrors = defineErrors({
  form_closed: conflict("Form closed", "This form takes no more answers."),
  already_answered: conflict("Already answered", "Somebody with this e-mail address has answered already."),
});
