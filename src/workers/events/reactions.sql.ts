import { inMs, leasedRows } from "../../domain/kernel/leases.sql.ts";
import type { Db } from "../../domain/kernel/ports/ports.ts";
import { isForEvents, type QueueDefinition, type QueueRows } from "../../queues/queue.ts";
import type { Owed } from "./relay.sql.ts";

/** Jobs owed for events, of all workspaces. These statements only move ids; they return no tenant's data. */

/**
 * Jobs that should be done by now, of the queues in `$3`. The relay claims them to add them again, and once more `$2`
 * milliseconds from now. The job itself has no claim: it may run more than once, and each run may store that it is done.
 */
const reactions = leasedRows<Owed>({
  table: "reaction",
  key: "event_id",
  lease: "due_at",
  open: "failed_at is null",
  only: "queue = any($3::text[])",
  until: inMs("$2"),
  columns: "event_id, queue, workspace_id",
});

/** The rows of one queue's jobs. A job that was given up is no longer due, and stays open. */
export const reactionsOf = ({ name }: QueueDefinition): QueueRows => ({
  table: "reaction",
  open: `queue = '${name}'`,
  due: `queue = '${name}' and ${reactions.due}`,
});

/** Claims jobs that should be done by now. They are due again `patienceMs` from now. */
export const claimOverdue = (
  db: Db,
  queues: readonly QueueDefinition[],
  options: { limit: number; patienceMs: number },
): Promise<Owed[]> =>
  reactions.claimDue(
    db,
    options.limit,
    options.patienceMs,
    queues.filter(isForEvents).map(({ name }) => name),
  );

const DONE = {
  name: "reaction_done",
  text: `delete from reaction where event_id = any($1::uuid[]) and queue = $2`,
};

/** The events of a job. */
export type OfEvents = { event_id: string } | { event_ids: readonly string[] };
const idsOf = (job: OfEvents): readonly string[] => ("event_ids" in job ? job.event_ids : [job.event_id]);

/** Deletes the rows of a job that is done. */
export async function reactionDone(db: Db, job: OfEvents, queue: string): Promise<void> {
  await db.query(DONE, [idsOf(job), queue]);
}

const FAILED = {
  name: "reaction_failed",
  text: `update reaction set failed_at = now() where event_id = any($1::uuid[]) and queue = $2`,
};

/** Marks a job as given up. It is not added again, and waits for an operator. */
export async function reactionFailed(db: Db, job: OfEvents, queue: string): Promise<void> {
  await db.query(FAILED, [idsOf(job), queue]);
}

// The previous version makes a job for each event, in a queue that no worker of this version serves.
const BACK_TO_OUTBOX = {
  name: "reaction_back_to_outbox",
  text: `
    with left_over as (
      delete from reaction where ctid = any(array(
        select ctid from reaction where queue = 'match-webhooks' and due_at < now()
        limit $1 for update skip locked))
      returning event_id, workspace_id
    )
    insert into outbox (event_id, workspace_id, type)
    select e.id, e.workspace_id, e.type from left_over l
    join event e on e.id = l.event_id and e.workspace_id = l.workspace_id
    on conflict do nothing`,
};

/** Returns events to the outbox that the previous version had taken for the queue match-webhooks. */
export async function returnMatchesToOutbox(db: Db, limit: number): Promise<void> {
  await db.query(BACK_TO_OUTBOX, [limit]);
}
