import { matchingCtes } from "../../domain/delivery/webhooks/match.sql.ts";
import type { Database } from "../../domain/kernel/ports/ports.ts";
import { ASYNC_COMMIT } from "../../domain/kernel/transaction-settings.ts";
import { WEBHOOK_EVENTS } from "../../domain/webhook-events.ts";
import { isForEvents, type QueueDefinition } from "../../queues/queue.ts";

/**
 * Events on their way to queues. Each statement is a transaction of its own, so a process that is frozen between two of
 * them keeps no lock.
 */

// Jumps from one workspace to the next, so the cost depends on the number of workspaces and not on the number of
// events.
const WAITING = {
  name: "relay_waiting",
  text: `
    with recursive waiting(id) as (
      (select workspace_id from outbox where workspace_id is not null order by workspace_id limit 1)
      union all
      select (select o.workspace_id from outbox o where o.workspace_id > w.id order by o.workspace_id limit 1)
      from waiting w where w.id is not null
    )
    select id as workspace_id from waiting where id is not null
    union all
    select null where exists (select from outbox where workspace_id is null)`,
};

/**
 * Returns the workspaces with events that no relay has taken. Null stands for events that belong to a person and no
 * workspace.
 */
export async function workspacesWaiting(database: Database): Promise<(string | null)[]> {
  const rows = await database.query<{ workspace_id: string | null }>(WAITING);
  return rows.map((row) => row.workspace_id);
}

/** Parts of the statement that are the same in each call. */
type Constants = { heard: string; pairs: string; concerns: string; limit: number; patienceMs: number };

const WEBHOOK_TYPES = WEBHOOK_EVENTS.map(({ name }) => name);

// One relay at a time takes a workspace's events, because it numbers them in the order in which messages are sent. A
// second relay does not wait.
const takeFrom = (name: string, ofWorkspace: string, { heard, pairs, concerns, limit, patienceMs }: Constants) => ({
  name,
  text: `
    with alone as materialized (
      select pg_try_advisory_xact_lock(hashtextextended('relay ' || coalesce($1::uuid::text, ''), 0)) as mine,
             ${ASYNC_COMMIT}
    ),
    taken as (
      delete from outbox where event_id = any(array(
        select o.event_id from alone, outbox o where alone.mine and ${ofWorkspace} order by o.position limit ${limit}
        for update of o skip locked))
      returning event_id, type, position
    ),
    heard(queue) as materialized (${heard}),
    owed as (
      insert into reaction (event_id, queue, workspace_id, due_at, position)
      select t.event_id, queue, $1, now() + ${patienceMs} * interval '1 ms', t.position
      from taken t join (values ${pairs}) as r(queue, type) on r.type = t.type join heard using (queue)
      where ${concerns}
      on conflict do nothing
      returning event_id, queue
    ),
    happened as (
      select e.*, row_number() over (order by t.position) as place
      from taken t
      -- "offset 0" keeps this a lookup for each event. The planner may know of no events yet, and would read them all.
      cross join lateral (select * from event e where e.id = t.event_id and e.workspace_id = $1 offset 0) e
      -- Without a webhook nobody sees the numbers, and events need not even be read.
      where (select exists (select from webhook w where w.workspace_id = $1 and w.deleted_at is null))
        and t.type = any('{${WEBHOOK_TYPES.join(",")}}')
        -- Events about private objects are for one person, and not even counted for others.
        and e.person_id is null
    ),
    counted as (
      insert into event_sequence (workspace_id, last)
      select $1, count(*) from happened having count(*) > 0
      on conflict (workspace_id) do update set last = event_sequence.last + excluded.last
      returning last - (select count(*) from happened) as first
    ),
    ${matchingCtes}
    select (select mine from alone) as mine, (select count(*) from taken)::int as events,
           (select event_id from taken order by event_id limit 1) as oldest,
           (select coalesce(json_agg(o), '[]') from owed o) as owed,
           array(select distinct webhook_id from written where state = 'pending' and event_type <> 'webhook.test') as webhooks,
           (select coalesce(json_agg(t), '[]') from test t) as tests`,
});

/** A job owed for an event. `workspace_id` is null for events that belong to a person only. */
export type Owed = { event_id: string; workspace_id: string | null; queue: string };

export type Taken = {
  /** False while another relay takes events of this workspace. */
  mine: boolean;
  events: number;
  /** The id of the oldest of them. Null if there are none. */
  oldest: string | null;
  owed: Owed[];
  /** Webhooks with new deliveries. */
  webhooks: string[];
  /** Deliveries of `webhook.test`. */
  tests: { id: string; webhook_id: string }[];
};

/** Takes events for the queues that serve them. */
export type Taking = {
  /** Takes committed events of a workspace, oldest first: writes their deliveries and the jobs owed for them. */
  take(database: Database, workspaceId: string | null): Promise<Taken>;
};

/**
 * SQL: whether event `t` adds a job to the queue `r`. The event is read only if that depends on it. Types with the same
 * condition share it, and all conditions share one subquery over the partitions of events: planning many subqueries takes
 * long.
 */
function concernsOf(queues: readonly QueueDefinition[]): string {
  const conditions = queues.flatMap(({ name, only }) =>
    Object.entries(only).map(([type, sql]) => ({ name, type, sql })),
  );
  if (conditions.length === 0) return "true";
  const alike = Map.groupBy(conditions, ({ name, sql }) => `${name} ${sql}`);
  const cases = [...alike.values()].map((same) => {
    const [{ name, sql }] = same as [(typeof same)[number]];
    return `when r.queue = '${name}' and r.type = any('{${same.map(({ type }) => type).join(",")}}') then (${sql})`;
  });
  return `case when r.queue || ' ' || r.type = any('{${conditions.map(({ name, type }) => `${name} ${type}`).join(",")}}')
    then exists (
      -- With "offset 0" the conditions are planned and made ready once, and not for each partition.
      select from (select * from event e where e.id = t.event_id and e.workspace_id = $1 offset 0) e
      where case ${cases.join(" ")} else false end)
    else true end`;
}

/**
 * @param options.limit events that are taken at a time
 * @param options.patienceMs when a job that is not done is added again
 */
export function openTaking(queues: readonly QueueDefinition[], options: { limit: number; patienceMs: number }): Taking {
  const forEvents = queues.filter(isForEvents);
  // Names, conditions and options are constants in the text. With parameters, Postgres would plan the statement for their
  // values each time, which takes longer than the statement itself.
  const pairs = forEvents.flatMap(({ name, on }) => on.map((type) => `('${name}', '${type}')`)).join(", ");
  // Listeners are checked once for a batch, before any row is written.
  const asked = forEvents.map(({ name, listeners }) => `select '${name}' where ${listeners}`);
  const heard = ["select null::text where false", ...asked].join(" union all ");
  const constants = { ...options, heard, pairs, concerns: concernsOf(forEvents) };
  const ofWorkspace = takeFrom("relay_take", "o.workspace_id = $1", constants);
  const personal = takeFrom("relay_take_personal", "o.workspace_id is null", constants);
  return {
    async take(database, workspaceId) {
      const [row] = await database.query<Taken>(workspaceId === null ? personal : ofWorkspace, [workspaceId]);
      const { owed, ...taken } = row!;
      return { ...taken, owed: owed.map((one) => ({ ...one, workspace_id: workspaceId })) };
    },
  };
}
