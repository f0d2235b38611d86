import type { Db } from "../../kernel/ports/ports.ts";
import type { Verdict } from "./health.ts";
import type { Endpoint, Started } from "./turn.sql.ts";

/**
 * Deliveries of `webhook.test`. They wait for no other message and go to disabled webhooks, too, so each is claimed on its
 * own, with a lease.
 */

export type ClaimedTest = Started & Endpoint & { lease_until: string };

const CLAIM = {
  name: "webhook_test_claim",
  text: `
    with test as (
      select d.id, w.deleted_at is not null as deleted
      from webhook_delivery d join webhook w on w.id = d.webhook_id
      where d.id = $1 and d.workspace_id = $2 and d.event_type = 'webhook.test'
        and (d.state = 'pending' or d.state = 'delivering' and d.lease_until <= now())
      for update of d skip locked
    ),
    claimed as (
      update webhook_delivery d
      set state = case when deleted then 'skipped' else 'delivering' end, final = deleted, due_at = null,
          lease_until = case when not deleted then now() + $3 * interval '1 ms' end
      from test where d.id = test.id
      returning d.id, d.webhook_id, d.delivery_id, d.event_type, d.attempt, d.lease_until
    )
    select c.*, null as sequence, 0 as waited_ms, w.url, w.headers, w.secret_sealed,
           case when w.previous_secret_expires_at > now() then w.previous_secret_sealed end as previous_secret_sealed,
           case when w.older_secret_expires_at > now() then w.older_secret_sealed end as older_secret_sealed,
           now() as at
    from claimed c join webhook w on w.id = c.webhook_id and w.deleted_at is null`,
};

/** Takes a test in hand; null when it is over, or in another worker's hand. */
export async function claimTest(
  db: Db,
  test: { id: string; workspace_id: string },
  leaseMs: number,
): Promise<ClaimedTest | null> {
  const [row] = await db.query<ClaimedTest>(CLAIM, [test.id, test.workspace_id, leaseMs]);
  return row ?? null;
}

const CONCLUDE = {
  name: "webhook_test_conclude",
  text: `
    with test as (
      update webhook_delivery
      set state = $4, final = true, status = $5, latency_ms = $6, error = $7, request_headers = $8, response_body = $9,
          lease_until = null
      where id = $1 and workspace_id = $2 and state = 'delivering' and lease_until = $3
      returning webhook_id, status
    )
    update webhook w set last_delivery_at = now(), last_delivery_status = test.status from test where w.id = test.webhook_id`,
};

/** Stores how a test ended, unless its lease has run out. */
export async function concludeTest(
  db: Db,
  { id, lease_until }: ClaimedTest,
  workspaceId: string,
  verdict: Verdict,
  requestHeaders: Record<string, string> | null,
): Promise<void> {
  const { state, status, latency_ms, error, response_body } = verdict;
  const values = [state, status, latency_ms, error, requestHeaders, response_body];
  await db.query(CONCLUDE, [id, workspaceId, lease_until, ...values]);
}
