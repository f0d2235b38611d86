import type { Db } from "../../kernel/ports/ports.ts";
import type { DeliveryJob } from "./deliver-due.ts";
import { dueRows, isUnserved } from "./due.sql.ts";

// Jumps from one webhook to the next through the partial indexes, so the cost depends on the number of webhooks with
// open deliveries and not on the number of deliveries.
const WITH_OPEN = `
    with recursive waiting(id) as (
      (select webhook_id from webhook_delivery where state in ('pending', 'retrying') order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_delivery d
              where d.state in ('pending', 'retrying') and d.webhook_id > w.id order by d.webhook_id limit 1)
      from waiting w where w.id is not null
    ),
    leased(id) as (
      (select webhook_id from webhook_delivery where state = 'delivering' order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_delivery d
              where d.state = 'delivering' and d.webhook_id > l.id order by d.webhook_id limit 1)
      from leased l where l.id is not null
    ),
    open as (
      select w.id, w.workspace_id, w.served_by, w.turn from (select id from waiting union select id from leased) found
      join webhook w on w.id = found.id
    )`;

const OVERDUE = {
  name: "webhook_overdue",
  text: `${WITH_OPEN}
    select id as webhook_id, workspace_id, null as test_id from open w
    where ${isUnserved("w.served_by")} and exists (${dueRows("w.id", "true", "1", 1)})
    union all
    select w.id, w.workspace_id, t.id from open w
    cross join lateral (
      -- Only tests have no number, but for rows of the version before.
      select id from webhook_delivery
      where webhook_id = w.id and state = 'pending' and sequence is null and event_type = 'webhook.test'
        and due_at < now() - interval '5 s'
      union all
      select id from webhook_delivery
      where webhook_id = w.id and state = 'delivering' and event_type = 'webhook.test' and lease_until <= now()
    ) t`,
};

/**
 * Returns webhooks of all workspaces with due deliveries that no process serves, and tests that no process has claimed.
 */
export async function unservedWebhooks(db: Db): Promise<DeliveryJob[]> {
  const rows = await db.query<{ webhook_id: string; workspace_id: string; test_id: string | null }>(OVERDUE);
  return rows.map(({ test_id, ...webhook }) => (test_id ? { ...webhook, test_id } : webhook));
}

const UNSERVED = {
  name: "webhook_unserved",
  text: `select w.id from webhook w where w.id = any($1::uuid[]) and ${isUnserved("w.served_by")}`,
};

/**
 * Returns the webhooks among these that no live process serves. Call it after their deliveries are committed: a process
 * that serves one of the others checks once more after it has released the webhook, and finds them.
 */
export async function unservedOf(db: Db, webhookIds: readonly string[]): Promise<string[]> {
  if (webhookIds.length === 0) return [];
  const rows = await db.query<{ id: string }>(UNSERVED, [webhookIds]);
  return rows.map(({ id }) => id);
}

const LEASED_BY = {
  name: "webhook_leased_by",
  text: `${WITH_OPEN}
    select id as webhook_id, turn as lease from open where served_by = $1`,
};

/** Returns the leases of a process on webhooks of all workspaces that have open deliveries. */
export const leasesOf = (db: Db, processId: string): Promise<{ webhook_id: string; lease: string }[]> =>
  db.query(LEASED_BY, [processId]);
