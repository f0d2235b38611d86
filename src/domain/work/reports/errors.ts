import { defineErrors, missing } from "../../kernel/define-errors.ts";

export const reportErrors = defineErrors({
  unknown_report: missing("Unknown report", "This report does not exist.", "Request one of those in allowed."),
});
