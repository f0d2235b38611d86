import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const customFieldErrors = defineErrors({
  field_in_use: conflict(
    "Field in use",
    "Issues have values of this field, so its kind cannot change.",
    "Clear the values, or create another field.",
  ),
});
