import { inMs, type Lease, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Verdict } from "./health.ts";
import type { Endpoint, Started } from "./webhook-lease.sql.ts";

/**
 * Deliveries of `webhook.test`. They wait for no other message and go to disabled webhooks, too, so each is claimed on its
 * own. `$2` of a claim is the workspace, `$3` the lease in milliseconds.
 */
export const tests = leasedRows<Started & { webhook_id: string }>({
  name: "webhook_test",
  table: "webhook_delivery",
  key: "id",
  lease: "lease_until",
  open: "event_type = 'webhook.test' and state in ('pending', 'delivering')",
  unclaimed: "state = 'pending'",
  only: "workspace_id = $2",
  until: inMs("$3"),
  claiming: "state = 'delivering', due_at = null",
  columns: "id, webhook_id, delivery_id, event_type, attempt, null as sequence, 0 as waited_ms",
});

const ENDPOINT = {
  name: "webhook_test_endpoint",
  text: `
    select url, headers, secret_sealed,
           case when previous_secret_expires_at > now() then previous_secret_sealed end as previous_secret_sealed,
           case when older_secret_expires_at > now() then older_secret_sealed end as older_secret_sealed, now() as at
    from webhook where id = $1 and workspace_id = $2 and deleted_at is null`,
};

/** Returns the endpoint of a test; null if the webhook was deleted. */
export async function endpointOf(db: Db, workspaceId: string, webhookId: string): Promise<Endpoint | null> {
  const [row] = await db.query<Endpoint>(ENDPOINT, [webhookId, workspaceId]);
  return row ?? null;
}

/** Marks a test as skipped, because its webhook was deleted. */
export const testSkipped = tests.ending("skipped", { set: "state = 'skipped', final = true" });

const store = tests.ending("conclude", {
  set: `state = $3, final = true, status = $4, latency_ms = $5, error = $6, request_headers = $7, response_body = $8`,
  also: `
    update webhook w set last_delivery_at = now(), last_delivery_status = c.status
    from concluded c where w.id = c.webhook_id`,
});

/** Stores the outcome of a test, unless its lease has expired. */
export async function concludeTest(
  db: Db,
  test: Lease,
  { state, status, latency_ms, error, response_body }: Verdict,
  requestHeaders: Record<string, string> | null,
): Promise<void> {
  await store(db, [test], state, status, latency_ms, error, requestHeaders, response_body);
}
