import { isAlive } from "../../kernel/liveness.sql.ts";
import { ASYNC_COMMIT } from "../../kernel/transaction-settings.ts";
import { dueRows, isUnserved } from "./due.sql.ts";
import { DISABLE_AFTER, FAILING_CONCURRENCY, SLOW_DOWN_AFTER, WARN_AFTER } from "./health.ts";

/** How many deliveries a step reads, and the largest number that it counts. */
const WINDOW = 100;
/** How many deliveries of a disabled webhook a step marks as skipped. */
const MAX_SKIPPED = 1_000;

// Rows of other leases, and rows that this lease claimed in a step whose reply was lost with the connection.
const LEFT = "(turn <> $4 or id <> all($11::uuid[]))";

/**
 * One step of delivering to a webhook. $1 webhook, $2 workspace, $3 process, $4 the lease's id (`turn`), $5 attempts
 * that ended (JSON), $6 how many deliveries stay claimed, $7 those to release, $8 how many more to claim, $9 lease in
 * ms, $10 how many requests an endpoint gets at a time, $11 all deliveries that the process knows it has claimed.
 */
export const STEP = {
  name: "webhook_step",
  text: `
    with hook as (
      select w.*, w.disabled_at is not null or w.deleted_at is not null as closed
      from webhook w
      where w.id = $1 and w.workspace_id = $2 and ${isAlive("$3")}
        and (w.turn = $4 or (w.served_by = $3 or ${isUnserved("w.served_by")}) and exists (${dueRows("w.id", LEFT, "1", 1)}))
      for no key update skip locked
    ),

    -- How attempts ended, and what that says about the webhook.
    ended as (
      update webhook_delivery d
      set state = x.state, final = x.final, status = x.status, latency_ms = x.latency_ms, error = x.error,
          request_headers = x.request_headers, response_body = x.response_body,
          due_at = now() + x.wait_ms * interval '1 ms', lease_until = null, turn = null
      from hook, jsonb_to_recordset($5::jsonb) as x(
        id uuid, state text, final boolean, wait_ms bigint, status int, latency_ms int, error text,
        request_headers jsonb, response_body text, gone boolean, counts boolean)
      where d.id = x.id and d.webhook_id = hook.id and d.state = 'delivering' and d.turn = $4
      returning d.id, d.attempt, d.state, d.status, x.gone, x.counts
    ),
    tally as (
      select count(*) as attempts, (array_agg(status order by id desc))[1] as status, coalesce(bool_or(gone), false) as gone,
             coalesce(bool_or(counts and state = 'succeeded'), false) as succeeded,
             coalesce(bool_or(counts and state <> 'succeeded'), false) as failed,
             -- A message counts at its first failure; its further attempts say nothing new.
             count(*) filter (where counts and state <> 'succeeded' and attempt = 1) as messages
      from ended
    ),
    health as (
      select case when t.succeeded then 0 when t.failed then greatest(1, h.consecutive_failures + t.messages)
                  else h.consecutive_failures end as failures,
             case when t.succeeded then null when t.failed then coalesce(h.failing_since, now())
                  else h.failing_since end as since,
             h.probing and not t.succeeded as probing
      from hook h, tally t
    ),

    put_back as (
      update webhook_delivery d set state = 'pending', due_at = now(), lease_until = null, turn = null
      from hook where d.id = any($7::uuid[]) and d.webhook_id = hook.id and d.state = 'delivering' and d.turn = $4
    ),

    -- The next deliveries in their order. Replayed messages take turns with the others.
    waiting as (
      select d.*, row_number() over (partition by d.replayed order by d.sequence nulls first, d.due_at, d.id) as place
      from hook h
      cross join lateral (${dueRows("h.id", LEFT, "id, state, sequence, due_at, replayed", WINDOW)}) d
      where not h.closed
      order by place, d.replayed limit ${WINDOW}
    ),
    -- Locked rows are passed over.
    taken as (
      select d.id, d.state, d.due_at from waiting w join webhook_delivery d on d.id = w.id and d.state = w.state
      order by w.place, w.replayed limit $8::int
      for update of d skip locked
    ),
    started as (
      update webhook_delivery d
      set state = 'delivering', due_at = null, turn = $4, lease_until = now() + $9 * interval '1 ms'
      from taken t where d.id = t.id and t.state <> 'retrying'
      returning d.id, d.delivery_id, d.event_type, d.attempt, d.sequence, t.due_at
    ),
    failed as (
      update webhook_delivery d set state = 'failed', due_at = null
      from taken t where d.id = t.id and t.state = 'retrying'
      returning d.delivery_id, d.event_type, d.attempt, d.sequence, t.due_at
    ),
    again as (
      insert into webhook_delivery
        (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, turn, lease_until, sequence, created_at)
      select uuidv7(), $2, $1, delivery_id, event_type, attempt + 1, 'delivering', $4, now() + $9 * interval '1 ms',
             sequence, now()
      from failed
      on conflict (webhook_id, delivery_id, attempt) do nothing
      returning id, delivery_id, event_type, attempt, sequence, now() as due_at
    ),
    skipped as (
      update webhook_delivery d
      set state = 'skipped', final = true, due_at = null, lease_until = null, turn = null
      where d.id = any(array(
        select s.id from hook h cross join lateral (${dueRows("h.id", LEFT, "id", MAX_SKIPPED)}) s
        where h.closed limit ${MAX_SKIPPED}))
      returning 1
    ),

    outcome as (
      select sent, sent > 0 or $6::int > 0 or (select count(*) from skipped) >= ${MAX_SKIPPED} as kept
      from (select (select count(*) from started) + (select count(*) from again) as sent) s
    ),
    stored as (
      update webhook w
      set served_by = case when o.kept then $3::uuid end, turn = case when o.kept then $4::uuid end,
          last_delivery_at = case when t.attempts > 0 then now() else w.last_delivery_at end,
          last_delivery_status = case when t.attempts > 0 then t.status else w.last_delivery_status end,
          last_success_at = case when t.succeeded then now() else w.last_success_at end,
          probing = f.probing, consecutive_failures = f.failures, failing_since = f.since,
          failing_notified_at = case when not t.succeeded then w.failing_notified_at end
      from hook h, tally t, health f, outcome o
      where w.id = h.id
        and (t.attempts > 0 or w.turn is distinct from case when o.kept then $4::uuid end)
    )
    select case when h.id is not null and o.kept then 'kept' when h.id is not null then 'released'
                when seen.turn = $4 then 'blocked' when seen.free and seen.due then 'locked' else 'none' end as status,
           coalesce(h.closed, false) as closed,
           case when f.probing then 1 when f.failures >= ${SLOW_DOWN_AFTER} then least($10, ${FAILING_CONCURRENCY})
                else $10 end as concurrency,
           (select count(*) from waiting)::int - o.sent::int as left_waiting,
           (select coalesce(json_agg(id), '[]') from ended) as ended,
           (select coalesce(json_agg(s order by s.sequence nulls first), '[]') from (
              select id, delivery_id, event_type, attempt, sequence,
                     coalesce(extract(epoch from now() - due_at) * 1000, 0)::int as waited_ms
              from (select * from started union all select * from again) r) s) as started,
           case when t.gone then 'gone'
                when t.failed and f.failures >= ${DISABLE_AFTER.messages}
                     and f.since <= now() - interval '${DISABLE_AFTER.hours} hours' then 'failing' end as closing,
           coalesce(t.failed and f.failures >= ${WARN_AFTER.messages} and h.failing_notified_at is null
                    and f.since <= now() - interval '${WARN_AFTER.hours} hours', false) as warning,
           h.url, h.headers, h.secret_sealed,
           case when h.previous_secret_expires_at > now() then h.previous_secret_sealed end as previous_secret_sealed,
           case when h.older_secret_expires_at > now() then h.older_secret_sealed end as older_secret_sealed,
           clock_timestamp() as at
    from (select w.turn, w.served_by = $3 or ${isUnserved("w.served_by")} as free,
                 exists (${dueRows("w.id", LEFT, "1", 1)}) as due
          from webhook w where w.id = $1 and w.workspace_id = $2) seen
    cross join tally t cross join outcome o cross join (select ${ASYNC_COMMIT}) u left join hook h on true left join health f on true`,
};
