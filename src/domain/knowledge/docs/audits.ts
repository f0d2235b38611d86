import { defineAudit } from "../../events/audit/define-audit.ts";

export const docExported = defineAudit("doc.exported", "doc");
