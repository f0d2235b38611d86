import { auditEntry, type Target } from "../../domain/events/audit/audit.ts";
import type { AuditDefinition } from "../../domain/events/audit/define-audit.ts";
import { writeAudit } from "../../domain/events/audit/write.sql.ts";
import type { AuditChanges } from "../../domain/kernel/audit-entry.ts";
import type { InWorkspace } from "../../domain/kernel/context.ts";

/** An answer by which data leaves the workspace. Every file is one, so that the audit log has all of them. */
export class Export {
  readonly kind: AuditDefinition;
  readonly target: Target;
  readonly changes: AuditChanges;
  readonly answer: unknown;

  constructor(
    kind: AuditDefinition,
    { changes = {}, ...target }: Target & { changes?: AuditChanges },
    answer: unknown,
  ) {
    this.kind = kind;
    this.target = target;
    this.changes = changes;
    this.answer = answer;
  }
}

/** Stores the audit entry of an export that is about to be sent. */
export const auditExport = (ctx: InWorkspace, { kind, target, changes }: Export): Promise<void> =>
  writeAudit(ctx.db, [auditEntry(ctx, kind, target, changes)]);
