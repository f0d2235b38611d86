import { defineErrors, invalid } from "../../kernel/define-errors.ts";

export const docErrors = defineErrors({
  replace_not_found: invalid(
    "Text not found",
    "The text to replace is not in the doc. Compare it with `nearest`, or read the doc again.",
  ),
  replace_ambiguous: invalid(
    "Text found several times",
    "The text to replace occurs several times in the doc. Send more of the text around it.",
  ),
});
