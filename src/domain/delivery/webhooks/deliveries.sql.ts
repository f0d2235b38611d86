import type { EventRow } from "../../events/message.ts";
import { scopesOfEventSql } from "../../events/scopes.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { isOfPrivateDoc } from "./may-get.sql.ts";
import type { DeliveryState, WebhookDeliveryView } from "./view.ts";

export type DeliveryRow = Omit<WebhookDeliveryView, "request_body"> & {
  event: Omit<EventRow, "created_at"> | null;
  event_created_at: string;
  sequence: number | null;
};

/** Characters of a message that are shown. */
export const BODY_SHOWN = 16 * 1024;

// A page of large events would be tens of megabytes. The part that is shown ends within the first longer text, so
// cutting texts to this length does not change it.
const cut = (column: string) => `
  case when jsonb_typeof(${column}) = 'object' and length(${column}::text) > ${BODY_SHOWN} then
    (select jsonb_object_agg(t.key, case when jsonb_typeof(t.value) = 'string'
                                      then to_jsonb(left(t.value #>> '{}', ${BODY_SHOWN})) else t.value end)
     from jsonb_each(${column}) t)
  else ${column} end`;

/**
 * Why a reader may not see what a message contains: its key lacks the scope of the event, or is limited to other projects,
 * or the object is private to others. Null: they may. A receiver may answer with the body, so this hides the reply as well.
 * Of a message whose event is no longer kept, the reader is unknown, if it was of a channel.
 */
const HIDDEN = `
  case when d.event_type = 'webhook.test' then null
       when not coalesce((${scopesOfEventSql("d.event_type")}) <@ $5::text[], $5 is null) then 'scope'
       when $4::uuid[] is not null and not coalesce(e.project_id = any($4), false) then 'project'
       when e.id is null and d.event_type like 'chat.%' then 'private'
       when e.channel_id is not null
         and not exists (select from chat_member c where c.channel_id = e.channel_id and c.user_id = $3) then 'private'
       when ${isOfPrivateDoc("e", "$3::uuid")} then 'private'
  end`;

const select = `
  select d.delivery_id, d.event_type, d.attempt, d.status, d.latency_ms, d.error, d.final::int as final,
         d.created_at as ts, d.id, d.state, case when d.state in ('pending', 'retrying') then d.due_at end as next_attempt_at,
         d.request_headers, h.body_hidden, case when h.body_hidden is null then d.response_body end as response_body,
         d.sequence, e.created_at as event_created_at,
         case when e.id is not null and h.body_hidden is null then jsonb_build_object(
           'id', e.id, 'type', e.type, 'actor_id', e.actor_id, 'actor_kind', e.actor_kind, 'actor_name', e.actor_name,
           'cause', e.cause, 'data', ${cut("e.data")},
           'previous', ${cut("e.previous")}, 'changed', e.changed, 'truncated', e.truncated) end as event
  from webhook_delivery d left join event e on e.id = d.delivery_id and e.workspace_id = d.workspace_id
  cross join lateral (select ${HIDDEN} as body_hidden offset 0) h
  where d.workspace_id = $1 and d.webhook_id = $2`;

/** The deliveries of a webhook, as a reader sees them. */
type Deliveries = {
  workspaceId: string;
  webhookId: string;
  readerId: string;
  readerProjects: string[] | null;
  /** All scopes that the reader's key includes; null for a person in a browser. */
  readerScopes: string[] | null;
};

const valuesOf = ({ workspaceId, webhookId, readerId, readerProjects, readerScopes }: Deliveries) => [
  workspaceId,
  webhookId,
  readerId,
  readerProjects,
  readerScopes,
];

/** Which attempts: all, or those in some states. */
type Listed = { states: readonly DeliveryState[] | null; after: Cursor | null; limit: number };

/** Attempts of a webhook, newest first. */
export function listDeliveries(db: Db, of: Deliveries, { states, after, limit }: Listed): Promise<DeliveryRow[]> {
  const paged = after ? "and id < $7::uuid" : "";
  return db.query<DeliveryRow>(
    { text: `${select} and d.id = any(array(${newest(states, paged)})) order by d.id desc` },
    [...valuesOf(of), limit, ...(after ?? [])],
  );
}

// A subselect for each state, because each has an index of its own, which ends the search after one page.
function newest(states: Listed["states"], paged: string): string {
  const page = (state: string) => `
    (select id from webhook_delivery where webhook_id = $2 ${state} ${paged} order by id desc limit $6)`;
  if (!states) return page("");
  const pages = states.map((state) => page(`and state = '${state}'`)).join(" union all ");
  return `select id from (${pages}) found order by id desc limit $6`;
}

/** Returns an attempt by its own id, or the newest attempt of the message with this id. */
export async function findDelivery(db: Db, of: Deliveries, id: string): Promise<DeliveryRow | null> {
  const text = `${select} and d.id = coalesce((
    select id from webhook_delivery where webhook_id = $2 and delivery_id = $6 order by attempt desc limit 1), $6)`;
  const [row] = await db.query<DeliveryRow>({ text }, [...valuesOf(of), id]);
  return row ?? null;
}

/** Whether an attempt has ended. */
export async function isOver(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const rows = await db.query(
    {
      name: "delivery_is_over",
      text: `select 1 from webhook_delivery
             where workspace_id = $1 and id = $2 and state not in ('pending', 'delivering')`,
    },
    [workspaceId, id],
  );
  return rows.length > 0;
}

/**
 * Writes the first attempt of a message, due at once. Matching the event later finds this row and does not add another.
 */
export async function insertDelivery(
  db: Db,
  workspaceId: string,
  row: { id: string; webhook_id: string; delivery_id: string; event_type: string },
): Promise<void> {
  await db.query(
    {
      text: `insert into webhook_delivery
               (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, created_at)
             values ($2, $1, $3, $4, $5, 1, 'pending', now(), now())`,
    },
    [workspaceId, row.id, row.webhook_id, row.delivery_id, row.event_type],
  );
}

/** Marks the open deliveries of a webhook as skipped. */
export async function skipDeliveries(db: Db, workspaceId: string, webhookId: string): Promise<void> {
  await db.query(
    {
      text: `update webhook_delivery set state = 'skipped', final = true, due_at = null
             where workspace_id = $1 and webhook_id = $2 and state in ('pending', 'retrying')`,
    },
    [workspaceId, webhookId],
  );
}
