import { defineErrors, missing } from "../../kernel/define-errors.ts";

export const reportErrors = defineErrors({
  unknown_report: missing("Unknown report", "There is no such report; see allowed."),
});
