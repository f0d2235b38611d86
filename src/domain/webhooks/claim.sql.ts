import type { Transaction } from "../ports.ts";
import type { StoredHeaders } from "./headers.ts";
import { FAILING_CONCURRENCY, SLOW_DOWN_AFTER } from "./health.ts";
import type { EventRow } from "./message.ts";

/**
 * Claims of many webhooks at once, each under its webhook's row lock: a claim counts what is in flight, which is right
 * only while nobody else claims. All times are the database's, since workers' clocks differ.
 */

const LOCK = {
  name: "webhook_lock",
  text: `select 1 from webhook where id = any($1::uuid[]) order by id for no key update`,
};

/** Takes the webhooks' row locks. What is read by later statements is what the last holder left. */
export async function lockWebhooks(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(LOCK, [ids]);
}

/** A row in state `delivering` that is ours until `lease_until`, with all that its message needs. */
export type Claimed = {
  id: string;
  workspace_id: string;
  workspace_slug: string;
  webhook_id: string;
  delivery_id: string;
  event_type: string;
  attempt: number;
  lease_until: string;
  claimed_at: string;
  url: string;
  headers: StoredHeaders;
  secret_sealed: string;
  /** Set while a rotation lasts. */
  previous_secret_sealed: string | null;
  /** Null when the event is no longer kept. */
  event: EventRow | null;
};

export type Asked = { webhook_id: string; workspace_id: string; turns: number };

/** How many further turns there is room and work for, by webhook; the rows claimed, in no order. */
export type Claims = { further: Map<string, number>; claimed: Claimed[] };

// Skipped at a time while a webhook is disabled.
const MOST_SKIPPED = 1000;

// Rows are stored to the millisecond, rounded, and the timer of a retry may be early against the database's clock.
const DUE = `due_at <= now() + interval '500 ms'`;

const CLAIM = {
  name: "webhook_claim",
  text: `
    with asked as (
      select webhook_id, workspace_id, sum(turns)::int as turns
      from unnest($1::uuid[], $2::uuid[], $3::int[]) as a(webhook_id, workspace_id, turns)
      group by webhook_id, workspace_id
    ),
    hook as (
      select w.id, a.turns, w.deleted_at is not null as deleted,
             w.disabled_at is not null or w.deleted_at is not null as closed,
             greatest(0, case when w.probing then 1
                              when w.consecutive_failures >= ${SLOW_DOWN_AFTER} then least($6, ${FAILING_CONCURRENCY})
                              else $6 end - (
               select count(*) from webhook_delivery d
               where d.webhook_id = w.id and d.state = 'delivering' and d.lease_until > now()
                 and d.event_type <> 'webhook.test')::int) as free
      from asked a join webhook w on w.id = a.webhook_id and w.workspace_id = a.workspace_id
    ),
    -- Tests asked for by name pass the limits and a disabled webhook. (offset 0: the planner is to go by
    -- their ids.)
    test as (
      select d.id, d.state from unnest($4::uuid[]) as named(id)
      cross join lateral (select * from webhook_delivery where id = named.id offset 0) d
      join hook h on h.id = d.webhook_id and not h.deleted
      where d.event_type = 'webhook.test'
        and (d.state = 'pending' or d.state = 'delivering' and d.lease_until <= now())
    ),
    due as (
      select d.*, h.closed and (h.deleted or d.event_type <> 'webhook.test') as skip, h.free, h.turns
      from hook h cross join lateral (
        (select id, webhook_id, event_type, state, due_at as since from webhook_delivery
         where webhook_id = h.id and state in ('pending', 'retrying') and ${DUE} and id <> all($4::uuid[])
         order by due_at limit case when h.closed then ${MOST_SKIPPED} else h.free end)
        union all
        (select id, webhook_id, event_type, state, lease_until from webhook_delivery
         where webhook_id = h.id and state = 'delivering' and lease_until <= now() and id <> all($4::uuid[])
         order by lease_until limit case when h.closed then ${MOST_SKIPPED} else h.free end)
      ) d
    ),
    ranked as (
      select id, webhook_id, state, free, turns, row_number() over (partition by webhook_id order by since, id) as place
      from due where not skip
    ),
    taken as (
      select id, state from ranked where place <= least(free, turns)
      union all
      select id, state from test
    ),
    skipped as (
      update webhook_delivery d set state = 'skipped', final = true, due_at = null, lease_until = null
      from due where d.id = due.id and due.skip
      returning d.webhook_id
    ),
    started as (
      update webhook_delivery d set state = 'delivering', due_at = null, lease_until = now() + $7 * interval '1 ms'
      from taken t where d.id = t.id and t.state <> 'retrying'
      returning d.id, d.workspace_id, d.webhook_id, d.delivery_id, d.event_type, d.attempt, d.lease_until
    ),
    ended as (
      update webhook_delivery d set state = 'failed', due_at = null
      from taken t where d.id = t.id and t.state = 'retrying'
      returning d.workspace_id, d.webhook_id, d.delivery_id, d.event_type, d.attempt
    ),
    again as (
      insert into webhook_delivery
        (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, lease_until, created_at)
      select fresh.id, e.workspace_id, e.webhook_id, e.delivery_id, e.event_type, e.attempt + 1, 'delivering',
             now() + $7 * interval '1 ms', now()
      from (select *, row_number() over () as place from ended) e
      join unnest($5::uuid[]) with ordinality as fresh(id, place) using (place)
      on conflict (webhook_id, delivery_id, attempt) do nothing
      returning id, workspace_id, webhook_id, delivery_id, event_type, attempt, lease_until
    )
    select h.id as hook_id,
           case when h.closed then ((select count(*) from skipped s where s.webhook_id = h.id) >= ${MOST_SKIPPED})::int
                else greatest(0, least(h.free, (select count(*) from ranked r where r.webhook_id = h.id)::int) - h.turns)
           end as further,
           c.*, s.slug as workspace_slug, now() as claimed_at, w.url, w.headers, w.secret_sealed,
           case when w.previous_secret_expires_at > now() then w.previous_secret_sealed end as previous_secret_sealed,
           case when e.id is not null then jsonb_build_object(
             'id', e.id, 'type', e.type, 'actor_id', e.actor_id, 'actor_kind', e.actor_kind,
             'actor_name', e.actor_name, 'cause', e.cause, 'data', e.data, 'previous', e.previous,
             'changed', e.changed) end as event,
           e.created_at as event_created_at
    from hook h
    left join (select * from started union all select * from again) c on c.webhook_id = h.id
    left join webhook w on w.id = c.webhook_id
    left join workspace s on s.id = c.workspace_id
    left join event e on e.id = c.delivery_id and e.workspace_id = c.workspace_id`,
};

type ClaimRow = { hook_id: string; further: number; event_created_at: string } & (Claimed | { id: null });

/**
 * Claims what is due of each webhook: as many rows as turns are asked for, as far as its limit leaves room, oldest
 * first. Of a disabled webhook it marks them as skipped instead. The webhooks must be locked.
 */
export async function claimDue(
  tx: Transaction,
  asked: readonly Asked[],
  options: { testIds: readonly string[]; freshIds: readonly string[]; concurrency: number; leaseMs: number },
): Promise<Claims> {
  const rows = await tx.query<ClaimRow>(CLAIM, [
    asked.map((one) => one.webhook_id),
    asked.map((one) => one.workspace_id),
    asked.map((one) => one.turns),
    options.testIds,
    options.freshIds,
    options.concurrency,
    options.leaseMs,
  ]);
  const claimed = rows.flatMap(({ hook_id: _, further: __, event_created_at, ...row }) =>
    row.id === null ? [] : [{ ...row, event: row.event && { ...row.event, created_at: event_created_at } }],
  );
  return { further: new Map(rows.map((row) => [row.hook_id, row.further])), claimed };
}
