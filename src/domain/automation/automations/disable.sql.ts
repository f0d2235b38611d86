import type { Db } from "../../kernel/ports/ports.ts";
import type { DisabledReason } from "./view.ts";

/** Returns false if the automation is not enabled. */
export async function disableRule(
  db: Db,
  workspaceId: string,
  { id, reason, now }: { id: string; reason: DisabledReason; now: string },
): Promise<boolean> {
  const text = `
    update automation set enabled = false, disabled_reason = $3, updated_at = $4
    where workspace_id = $1 and id = $2 and enabled and deleted_at is null returning 1`;
  return (await db.query({ name: "disable_automation", text }, [workspaceId, id, reason, now])).length > 0;
}
