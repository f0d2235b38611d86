import { defineAudit } from "../../events/audit/define-audit.ts";

export const reportExported = defineAudit("report.exported", "report");
