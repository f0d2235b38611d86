import type { Transaction } from "../ports.ts";
import type { Closing } from "./conclude.sql.ts";
import { DISABLE_AFTER } from "./health.ts";

export type DisabledRow = {
  id: string;
  url: string;
  event_types: string[];
  secret_prefix: string;
  description: string | null;
  project_ids: string[] | null;
  disabled_at: string;
  disabled_reason: Closing;
  consecutive_failures: number;
  last_delivery_at: string | null;
  last_delivery_status: number | null;
  last_success_at: string | null;
  created_by: string;
  created_at: string;
};

// A success or an owner's hand may have come in between, so what is asked for must still hold.
const DISABLE = {
  name: "webhook_disable",
  text: `
    update webhook set disabled_at = $4, disabled_reason = $3, updated_at = $4
    where id = $1 and workspace_id = $2 and disabled_at is null and deleted_at is null
      and ($3 = 'gone' or consecutive_failures >= ${DISABLE_AFTER.messages}
                      and failing_since <= now() - interval '${DISABLE_AFTER.hours} hours')
    returning id, url, event_types, secret_prefix, description, project_ids, disabled_at, disabled_reason,
              consecutive_failures, last_delivery_at, last_delivery_status, last_success_at, created_by, created_at`,
};

/** Disables a webhook once; null when it already is, or need not be any more. */
export async function disableWebhook(
  tx: Transaction,
  webhook: { id: string; workspace_id: string },
  reason: Closing,
  now: string,
): Promise<DisabledRow | null> {
  const [row] = await tx.query<DisabledRow>(DISABLE, [webhook.id, webhook.workspace_id, reason, now]);
  return row ?? null;
}
