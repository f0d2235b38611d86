import type { Transaction } from "../ports.ts";
import { DISABLE_AFTER, type Verdict, WARN_AFTER } from "./health.ts";

/** An attempt's end. `lease_until` is the one that its claim gave: whoever has lost it changes nothing. */
export type Finished = Verdict & {
  id: string;
  workspace_id: string;
  lease_until: string;
  request_headers: Record<string, string> | null;
};

const CONCLUDE = {
  name: "webhook_conclude",
  text: `
    with attempt as (
      update webhook_delivery d
      set state = x.state, final = x.final, status = x.status, latency_ms = x.latency_ms, error = x.error,
          request_headers = x.request_headers, response_body = x.response_body,
          due_at = now() + x.wait_ms * interval '1 ms', lease_until = null
      from jsonb_to_recordset($1::jsonb) as x(
        id uuid, workspace_id uuid, lease_until timestamptz, state text, final boolean, wait_ms bigint, status int,
        latency_ms int, error text, request_headers jsonb, response_body text, gone boolean, counts boolean)
      where d.id = x.id and d.workspace_id = x.workspace_id and d.state = 'delivering' and d.lease_until = x.lease_until
      returning d.id, d.webhook_id, d.attempt, d.state, d.status, x.gone, x.counts
    ),
    tally as (
      select webhook_id, (array_agg(status order by id desc))[1] as status,
             bool_or(counts and state = 'succeeded') as succeeded,
             bool_or(counts and state <> 'succeeded') as failed,
             -- A message counts at its first failure; its further attempts say nothing new.
             count(*) filter (where counts and state <> 'succeeded' and attempt = 1) as messages
      from attempt group by webhook_id
    ),
    failing as (
      select w.id, case when t.succeeded then 0
                        when t.failed then greatest(1, w.consecutive_failures + t.messages)
                        else w.consecutive_failures end as messages,
             case when t.succeeded then null when t.failed then coalesce(w.failing_since, now())
                  else w.failing_since end as since
      from tally t join webhook w on w.id = t.webhook_id
    ),
    hook as (
      update webhook w
      set last_delivery_at = now(), last_delivery_status = t.status,
          last_success_at = case when t.succeeded then now() else w.last_success_at end,
          probing = w.probing and not t.succeeded,
          consecutive_failures = f.messages, failing_since = f.since,
          failing_notified_at = case
            when t.succeeded then null
            when f.messages >= ${WARN_AFTER.messages} and f.since <= now() - interval '${WARN_AFTER.hours} hours'
              then coalesce(w.failing_notified_at, now())
            else w.failing_notified_at end
      from tally t join failing f on f.id = t.webhook_id
      where w.id = t.webhook_id
      returning w.id, t.failed and f.messages >= ${DISABLE_AFTER.messages}
                        and f.since <= now() - interval '${DISABLE_AFTER.hours} hours' as exhausted
    )
    select a.id, case when a.gone then 'gone' when h.exhausted then 'failing' end as closing
    from attempt a join hook h on h.id = a.webhook_id`,
};

/** Why a webhook is to be disabled. */
export type Closing = "gone" | "failing";

/** Stores how attempts ended and what that says about their webhooks. Answers those whose lease still held. */
export async function concludeAttempts(
  tx: Transaction,
  finished: readonly Finished[],
): Promise<Map<string, Closing | null>> {
  const rows = await tx.query<{ id: string; closing: Closing | null }>(CONCLUDE, [JSON.stringify(finished)]);
  return new Map(rows.map((row) => [row.id, row.closing]));
}
