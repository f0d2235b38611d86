import { defineErrors, invalid, unavailable } from "../../kernel/define-errors.ts";

export const docErrors = defineErrors({
  replace_not_found: invalid(
    "Text not found",
    "The text to replace is not in the doc.",
    "Compare it with `nearest`, or read the doc again.",
  ),
  replace_ambiguous: invalid(
    "Text found several times",
    "The text to replace occurs several times in the doc.",
    "Send more of the text around it.",
  ),
  too_complex_to_export: invalid(
    "Too complex to export",
    "Rendering the doc takes too much time or memory.",
    "Export it with format=md, or divide it into several docs.",
  ),
  pdf_unavailable: unavailable(
    "No PDFs here",
    "This server cannot make PDFs.",
    "Export the doc with format=html or format=md, or ask the server's operator.",
  ),
});
