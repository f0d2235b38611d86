import type { Db } from "../../kernel/ports/ports.ts";
import type { StoredHeaders } from "./headers.ts";
import type { Verdict } from "./health.ts";
import type { EventRow } from "./message.ts";
import { STEP } from "./step.sql.ts";

/** An attempt's end as it is stored. */
export type Finished = Verdict & { id: string; request_headers: Record<string, string> | null };

/** What a message needs of its webhook. */
export type Endpoint = {
  url: string;
  headers: StoredHeaders;
  secret_sealed: string;
  /** Set while the grace of an earlier rotation lasts. */
  previous_secret_sealed: string | null;
  older_secret_sealed: string | null;
  /** The database's time. */
  at: string;
};

/** A delivery that was claimed. */
export type Started = {
  id: string;
  delivery_id: string;
  event_type: string;
  attempt: number;
  sequence: number | null;
  /** Since it was due. */
  waited_ms: number;
};

/** Why a webhook is to be disabled. */
export type Closing = "gone" | "failing";

export type Step = Endpoint & {
  /**
   * - kept: we have the lease and go on.
   * - released: we had the lease and gave it back, because nothing is claimed.
   * - blocked: we have the lease, but the step could do nothing: somebody locks the webhook's row, or this process does
   *   not count as alive at the moment.
   * - locked: something is due and nobody has the lease, but somebody locks the webhook's row.
   * - none: another process has the lease, or nothing is due.
   *
   * The other fields count with `kept` and `released` only.
   */
  status: "kept" | "released" | "blocked" | "locked" | "none";
  /** The webhook was disabled or deleted; what is due is marked as skipped. */
  closed: boolean;
  /** How many requests it gets at a time, by its health. */
  concurrency: number;
  /** Due, and not taken in hand; counted up to a hundred. */
  left_waiting: number;
  /** Attempts that were stored as ended. Others had been lost to another lease. */
  ended: string[];
  started: Started[];
  closing: Closing | null;
  /** It has failed for half as long as it takes to be disabled, and nobody was told. */
  warning: boolean;
};

export type StepOptions = {
  webhook_id: string;
  workspace_id: string;
  processId: string;
  /** Names this lease. */
  lease: string;
  finished: readonly Finished[];
  /** Deliveries that stay in hand. */
  inHand: readonly { id: string }[];
  /** Deliveries that are for a later lease. */
  putBack: readonly { id: string }[];
  /** How many more are wanted. */
  room: number;
  leaseMs: number;
  concurrency: number;
};

/**
 * One step of delivering, in one statement: takes the lease if nobody has it and something is due, stores how attempts ended,
 * takes the next deliveries in hand, and releases the lease when nothing is claimed. It waits for no lock.
 * Null when the webhook does not exist.
 */
export async function step(db: Db, options: StepOptions): Promise<Step | null> {
  const { finished, inHand, putBack } = options;
  const [row] = await db.query<Step>(STEP, [
    options.webhook_id,
    options.workspace_id,
    options.processId,
    options.lease,
    JSON.stringify(finished),
    inHand.length,
    putBack.map(({ id }) => id),
    options.room,
    options.leaseMs,
    options.concurrency,
    [...inHand, ...putBack, ...finished].map(({ id }) => id),
  ]);
  return row ?? null;
}

const RELEASE = {
  name: "webhook_release",
  text: `update webhook set served_by = null, turn = null where id = $1 and turn = $2`,
};

/** Releases a webhook after an error. */
export async function release(db: Db, webhookId: string, lease: string): Promise<void> {
  await db.query(RELEASE, [webhookId, lease]);
}

// In bytes as they are stored, compressed.
const LARGE = 16_384;

const EVENTS = {
  name: "webhook_events",
  text: `
    select e.id, coalesce(e.issue_id::text, e.data ->> 'id', e.type) as subject, s.slug,
           e.type, e.actor_id, e.actor_kind, e.actor_name, e.cause, e.changed, e.created_at,
           l.large and not $3 as left_out, case when $3 or not l.large then e.data end as data,
           case when $3 or not l.large then e.previous end as previous
    from unnest($1::uuid[]) d(id)
    join event e on e.id = d.id and e.workspace_id = $2
    join workspace s on s.id = e.workspace_id
    cross join lateral (
      select pg_column_size(e.data) + coalesce(pg_column_size(e.previous), 0) > ${LARGE} as large) l`,
};

export type StoredEvent = EventRow & {
  /** What the event is about. All events of an issue, such as those of its comments, are about the issue. */
  subject: string;
  slug: string;
  /** It is large and was not read. */
  left_out: boolean;
};

/**
 * What messages are made of, by the event's id. They are read by a statement of their own, because a
 * step keeps its locks until Postgres has sent the whole reply.
 * @param largeToo whether large events are read with their content
 */
export async function eventsOf(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  { largeToo }: { largeToo: boolean },
): Promise<Map<string, StoredEvent>> {
  const rows = await db.query<StoredEvent>(EVENTS, [ids, workspaceId, largeToo]);
  return new Map(rows.map((row) => [row.id, row]));
}
