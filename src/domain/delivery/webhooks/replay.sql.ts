import { firstIdAt } from "../../kernel/ids.ts";
import { inMs, type Lease, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db, Transaction } from "../../kernel/ports/ports.ts";
import { isInProjects, isOfPrivateDoc, mayGet } from "./may-get.sql.ts";
import type { DeliveryState } from "./view.ts";

/** Messages of a webhook that are to be sent again. */
export type Wanted = {
  workspaceId: string;
  webhookId: string;
  since: string;
  until: string;
  states: readonly DeliveryState[];
  /** Full names; null for all. */
  eventTypes: readonly string[] | null;
};

/** Replayed messages of a webhook that wait at a time. More follow as these are sent. */
const MOST_WAITING = 1_000;
/** Attempts that one statement looks at. */
const LOOKED_AT = 1_000;
/** Attempts that are looked at to count messages for the reply. */
const COUNTED = 5_000;
const LEASE_MS = 30_000;

// Ids of events begin with the time at which they were made, which may differ a little from the event's time.
const SLACK_MS = 5 * 60_000;
const idNear = (instant: string, ms: number) => firstIdAt(new Date(Date.parse(instant) + ms));

/**
 * SQL: the newest attempts among `seen` whose messages the replay `r` wants. Attempts that are recorded after the call do
 * not count, so that the same call made twice sends a message once. A test is for one moment and is not repeated. The
 * webhook may be for fewer projects than it was, and its credential may read less.
 */
const FITTING = `
  select s.* from seen s cross join replay r
  where s.state = any(r.states) and s.created_at <= r.created_at and s.event_type <> 'webhook.test'
    and (r.event_types is null or s.event_type = any(r.event_types))
    and not exists (select from webhook_delivery n
                    where n.webhook_id = r.webhook_id and n.delivery_id = s.delivery_id and n.attempt = s.attempt + 1)
    and exists (select from event e
                join webhook w on w.id = r.webhook_id and ${isInProjects("e", "w")} and ${mayGet("e", "w")}
                where e.id = s.delivery_id and e.workspace_id = r.workspace_id
                  and e.created_at >= r.since and e.created_at < r.until and not ${isOfPrivateDoc("e", null)})`;

const seen = (most: number | string) => `
  select d.* from replay r cross join lateral (
    select delivery_id, attempt, state, event_type, sequence, created_at from webhook_delivery
    where webhook_id = r.webhook_id and (delivery_id, attempt) > (r.message, r.attempt) and delivery_id < r.last_message
    order by delivery_id, attempt limit ${most}) d`;

const COUNT = {
  name: "webhook_replay_count",
  text: `
    with replay as (
      select $1::uuid as workspace_id, $2::uuid as webhook_id, $3::timestamptz as since, $4::timestamptz as until,
             $5::text[] as states, $6::text[] as event_types, $7::uuid as message, 0 as attempt,
             $8::uuid as last_message, now() as created_at
    ),
    seen as (${seen(COUNTED)}),
    fitting as (${FITTING})
    select case when (select count(*) from seen) < ${COUNTED} then (select count(*) from fitting)::int end as messages`,
};

/** Counts the messages that a replay would queue now; null if that takes too long. */
export async function countMessages(db: Db, wanted: Wanted): Promise<number | null> {
  const { workspaceId, webhookId, since, until, states, eventTypes } = wanted;
  const range = [idNear(since, -SLACK_MS), idNear(until, SLACK_MS)];
  const [row] = await db.query<{ messages: number | null }>(COUNT, [
    ...[workspaceId, webhookId, since, until, states, eventTypes],
    ...range,
  ]);
  return row!.messages;
}

/** How many replays of a webhook have not ended. */
export async function countOpenReplays(db: Db, workspaceId: string, webhookId: string): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    {
      name: "webhook_replays_open",
      text: `select count(*)::int as open from webhook_replay
             where workspace_id = $1 and webhook_id = $2 and due_at is not null`,
    },
    [workspaceId, webhookId],
  );
  return row!.open;
}

/** Deletes replays that ended, and were asked for before a time. */
export async function deleteReplays(db: Db, before: string): Promise<number> {
  const text = "delete from webhook_replay where created_at < $1 and due_at is null returning 1";
  return (await db.query({ name: "delete_webhook_replays", text }, [before])).length;
}

/** Stores a replay. A worker queues its messages. */
export async function insertReplay(tx: Transaction, id: string, createdBy: string, wanted: Wanted): Promise<void> {
  const { workspaceId, webhookId, since, until, states, eventTypes } = wanted;
  await tx.query(
    {
      name: "insert_webhook_replay",
      text: `insert into webhook_replay
               (id, workspace_id, webhook_id, since, until, states, event_types, message, attempt, due_at, created_by, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, 0, now(), $9, now())`,
    },
    [id, workspaceId, webhookId, since, until, states, eventTypes, idNear(since, -SLACK_MS), createdBy],
  );
}

export type Replay = { id: string; workspace_id: string; webhook_id: string; until: string };

/** Replays that have not ended. `$2` of a claim is the worker process. */
export const replays = leasedRows<Replay>({
  table: "webhook_replay",
  key: "id",
  lease: "due_at",
  process: "held_by",
  open: "due_at is not null",
  until: inMs(LEASE_MS),
  turns: true,
  columns: "id, workspace_id, webhook_id, until",
});

export const replayEnded = replays.ending("ended", {});
/** As many messages as may wait are waiting. */
export const replayWaits = replays.ending("waits", { due: inMs(500) });
/** It goes on when other replays have had their turn. */
export const replayYields = replays.ending("yields", { due: "now()" });

const PIECE = {
  name: "webhook_replay_piece",
  text: `
    with replay as (
      select r.*, $4::uuid as last_message, w.disabled_at is not null or w.deleted_at is not null as closed
      from webhook_replay r join webhook w on w.id = r.webhook_id
      where r.id = $1 and r.workspace_id = $3 and r.due_at = $2
    ),
    room as (
      select ${MOST_WAITING} - (select count(*) from (
        select from webhook_delivery
        where webhook_id = r.webhook_id and state = 'pending' and replayed limit ${MOST_WAITING}) d)::int as free
      from replay r
    ),
    seen as (${seen(`(select case when r.closed then 0 else least(free, 1) * ${LOOKED_AT} end from room)`)}),
    chosen as (select * from (${FITTING}) f order by delivery_id limit (select free from room)),
    added as (
      insert into webhook_delivery
        (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, sequence, created_at, replayed)
      select uuidv7(), r.workspace_id, r.webhook_id, c.delivery_id, c.event_type, c.attempt + 1, 'pending', now(),
             c.sequence, now(), true
      from replay r cross join (select * from chosen order by delivery_id) c
      on conflict (webhook_id, delivery_id, attempt) do nothing
      returning 1
    ),
    -- A full piece ends with its last message; another one with the last attempt that was looked at.
    reached as (
      select c.delivery_id, c.attempt from chosen c, room where (select count(*) from chosen) = free
      union all
      select s.delivery_id, s.attempt from seen s, room where (select count(*) from chosen) < free
      order by delivery_id desc, attempt desc limit 1
    ),
    moved as (
      update webhook_replay w
      set message = t.delivery_id, attempt = t.attempt, queued = w.queued + (select count(*) from added)
      from replay r, reached t where w.id = r.id
    )
    select r.closed, (select count(*) from added)::int as added, room.free - (select count(*) from chosen)::int as free,
           (select count(*) from seen)::int < ${LOOKED_AT} as is_last
    from replay r, room`,
};

/** `free`: how many more messages may wait. `is_last`: there is nothing left to look at, if any are free. */
export type Piece = { closed: boolean; added: number; free: number; is_last: boolean };

/** Queues the next messages of a replay, in one statement. Returns null if this process has lost its lease. */
export async function queuePiece(db: Db, { lease_until, ...replay }: Replay & Lease): Promise<Piece | null> {
  const last = idNear(replay.until, SLACK_MS);
  const [row] = await db.query<Piece>(PIECE, [replay.id, lease_until, replay.workspace_id, last]);
  return row ?? null;
}
