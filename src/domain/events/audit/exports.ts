import { defineAudit } from "./define-audit.ts";

export const auditLogExported = defineAudit("audit_log.exported", "audit_log");
