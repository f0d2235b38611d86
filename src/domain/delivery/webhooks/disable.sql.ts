import type { Transaction } from "../../kernel/ports/ports.ts";
import { DISABLE_AFTER, WARN_AFTER } from "./health.ts";
import type { Closing } from "./webhook-lease.sql.ts";

export type HookRef = { webhook_id: string; workspace_id: string };

// A delivery may have succeeded or an owner may have changed the webhook meanwhile, so the condition is checked again.
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

/** Disables a webhook. Returns false if it is disabled already or no longer has to be. */
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

/** Marks a webhook as failing. Returns false if it is marked already or is no longer failing. */
export async function markFailing(
  tx: Transaction,
  { webhook_id, workspace_id }: HookRef,
  now: string,
): Promise<boolean> {
  return (await tx.query(MARK_FAILING, [webhook_id, workspace_id, now])).length > 0;
}
