import type { Transaction } from "../ports.ts";
import type { Closing } from "./conclude.sql.ts";
import { DISABLE_AFTER } from "./health.ts";

// A success or an owner's hand may have come in between, so what is asked for must still hold.
const DISABLE = {
  name: "webhook_disable",
  text: `
    update webhook set disabled_at = $4, disabled_reason = $3, updated_at = $4
    where id = $1 and workspace_id = $2 and disabled_at is null and deleted_at is null
      and ($3 = 'gone' or consecutive_failures >= ${DISABLE_AFTER.messages}
                      and failing_since <= now() - interval '${DISABLE_AFTER.hours} hours')
    returning 1`,
};

/** Disables a webhook; false when it already is, or need not be any more. */
export async function disableWebhook(
  tx: Transaction,
  webhook: { id: string; workspace_id: string },
  reason: Closing,
  now: string,
): Promise<boolean> {
  return (await tx.query(DISABLE, [webhook.id, webhook.workspace_id, reason, now])).length > 0;
}
