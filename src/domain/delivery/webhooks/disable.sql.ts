import type { Transaction } from "../../kernel/ports/ports.ts";
import { DISABLE_AFTER, WARN_AFTER } from "./health.ts";
import type { Closing } from "./webhook-lease.sql.ts";

export type HookRef = { webhook_id: string; workspace_id: string };

// A success or an owner's hand may have come in between, so what is asked for must still hold.
const failingFor = ({ messages, hours }: typeof DISABLE_AFTER) =>
  `consecutive_failures >= ${messages} and failing_since <= now() - interval '${hours} hours'`;

const DISABLE = {
  name: "webhook_disable",
  text: `
    update webhook set disabled_at = $4, disabled_reason = $3, updated_at = $4,
           failing_notified_at = case when $3 = 'failing' then coalesce(failing_notified_at, $4) else failing_notified_at end
    where id = $1 and workspace_id = $2 and disabled_at is null and deleted_at is null
      and ($3 = 'gone' or ${failingFor(DISABLE_AFTER)})
    returning 1`,
};

/** Disables a webhook; false when it already is, or need not be any more. */
export async function disableWebhook(
  tx: Transaction,
  { webhook_id, workspace_id }: HookRef,
  reason: Closing,
  now: string,
): Promise<boolean> {
  return (await tx.query(DISABLE, [webhook_id, workspace_id, reason, now])).length > 0;
}

const MARK_FAILING = {
  name: "webhook_mark_failing",
  text: `
    update webhook set failing_notified_at = $3
    where id = $1 and workspace_id = $2 and disabled_at is null and deleted_at is null
      and failing_notified_at is null and ${failingFor(WARN_AFTER)}
    returning 1`,
};

/** Marks a webhook as failing; false when it already is, or is not any more. */
export async function markFailing(
  tx: Transaction,
  { webhook_id, workspace_id }: HookRef,
  now: string,
): Promise<boolean> {
  return (await tx.query(MARK_FAILING, [webhook_id, workspace_id, now])).length > 0;
}
