import type { EventRow } from "../../events/message.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { StoredHeaders } from "./headers.ts";
import type { Verdict } from "./health.ts";
import { isInProjects, isOfPrivateDoc, mayGet } from "./may-get.sql.ts";
import { STEP } from "./step.sql.ts";

/** The outcome of an attempt as it is stored. */
export type Finished = Verdict & { id: string; request_headers: Record<string, string> | null };

/** The columns of a webhook that are needed to send a message. */
export type Endpoint = {
  url: string;
  headers: StoredHeaders;
  secret_sealed: string;
  /** Set during the grace period of an earlier rotation. */
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
  /** Milliseconds since it was due. */
  waited_ms: number;
};

/** Why a webhook is to be disabled. */
export type Closing = "gone" | "failing";

export type Step = Endpoint & {
  /**
   * - kept: this process has the lease and continues.
   * - released: this process had the lease and released it, because nothing is claimed.
   * - blocked: this process has the lease, but the step could do nothing: another transaction locks the webhook's row,
   *   or this process does not count as alive at the moment.
   * - locked: something is due and no process has the lease, but another transaction locks the webhook's row.
   * - none: another process has the lease, or nothing is due.
   *
   * The other fields are only valid with `kept` and `released`.
   */
  status: "kept" | "released" | "blocked" | "locked" | "none";
  /** The webhook was disabled or deleted; what is due is marked as skipped. */
  closed: boolean;
  /** How many requests the endpoint gets at a time, depending on its health. */
  concurrency: number;
  /** How many deliveries are due and not claimed, at most 100. */
  left_waiting: number;
  /** Ids of attempts whose outcome was stored. Another lease has taken over the others. */
  ended: string[];
  started: Started[];
  closing: Closing | null;
  /** The webhook has failed for half of the time until it is disabled, and no warning was sent yet. */
  warning: boolean;
};

export type StepOptions = {
  webhook_id: string;
  workspace_id: string;
  processId: string;
  /** The id of this lease. */
  lease: string;
  finished: readonly Finished[];
  /** Deliveries that stay claimed. */
  inHand: readonly { id: string }[];
  /** Deliveries to release for a later lease. */
  putBack: readonly { id: string }[];
  /** How many more to claim. */
  room: number;
  leaseMs: number;
  concurrency: number;
};

/**
 * Runs one step of delivering in one statement: takes the lease if no process has it and something is due, stores the
 * outcomes of attempts, claims the next deliveries, and releases the lease if nothing is claimed. It waits for no lock.
 * Returns null if the webhook does not exist.
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

// Compressed size as stored, in bytes.
const LARGE = 16_384;

const EVENTS = {
  name: "webhook_events",
  text: `
    select e.id, coalesce(e.issue_id::text, e.data ->> 'id', e.type) as subject, s.slug,
           e.type, e.actor_id, e.actor_kind, e.actor_name, e.cause, e.changed, e.created_at, e.truncated,
           l.large and not $3 as left_out, case when $3 or not l.large then e.data end as data,
           case when $3 or not l.large then e.previous end as previous
    from unnest($1::uuid[]) d(id)
    -- "offset 0" keeps this a lookup for each event, even if the planner does not know yet how many there are.
    cross join lateral (select * from event e where e.id = d.id and e.workspace_id = $2 offset 0) e
    join workspace s on s.id = e.workspace_id
    join webhook w on w.id = $4 and ${mayGet("e", "w")} and (e.type = 'webhook.test' or ${isInProjects("e", "w")})
      and not ${isOfPrivateDoc("e", null)}
    cross join lateral (
      select pg_column_size(e.data) + coalesce(pg_column_size(e.previous), 0) > ${LARGE} as large) l`,
};

export type StoredEvent = EventRow & {
  /**
   * The object that the event is about. All events of an issue, including those of its comments, are about the issue.
   */
  subject: string;
  slug: string;
  /** It is large and was not read. */
  left_out: boolean;
};

/**
 * Returns the events for messages to a webhook, by id, without those that are no longer kept or that it may not get: the
 * rights may have changed, or the URL, since the delivery was written. They are read by a separate statement, because a step keeps its locks until
 * Postgres has sent the whole reply.
 * @param largeToo whether large events are read with their content
 */
export async function eventsOf(
  db: Db,
  { workspace_id, webhook_id }: { workspace_id: string; webhook_id: string },
  ids: readonly string[],
  { largeToo }: { largeToo: boolean },
): Promise<Map<string, StoredEvent>> {
  const rows = await db.query<StoredEvent>(EVENTS, [ids, workspace_id, largeToo, webhook_id]);
  return new Map(rows.map((row) => [row.id, row]));
}
