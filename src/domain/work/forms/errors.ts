import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const formErrors = defineErrors({
  form_closed: conflict(
    "Form closed",
    "This form takes no more answers: it is not published, or its end or its limit is reached.",
    "Ask the owner of the form to open it again.",
  ),
  already_answered: conflict(
    "Already answered",
    "The form already has an answer from this e-mail address, and takes one from each.",
    "Nothing is left to do. To change the answer, ask the owner of the form.",
  ),
});
