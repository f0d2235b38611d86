import type { Db } from "./ports/ports.ts";
import { ASYNC_COMMIT } from "./transaction-settings.ts";

/**
 * Liveness of worker processes. What a process has leased (a webhook, a mail) names the process, and others may take it
 * once that process is dead. All times are the database's, because the clocks of workers differ.
 */

/** A process that was killed or frozen counts as alive for this long after its last heartbeat. */
export const LIVENESS_MS = 1_500;

/** A process counts as dead only if another process has sent heartbeats without a break for this long. */
const STEADY_MS = 1_000;

// If no process is steady, something that all of them need was unavailable, such as Postgres. Each then has time for a
// heartbeat.
const SOME_PROCESS_IS_STEADY = `
  exists (select from worker_process s
          where s.alive_until > now() and s.steady_since < now() - interval '${STEADY_MS} ms')`;

/** SQL: whether the process named by a column or parameter lives. */
export const isAlive = (process: string): string => `
  exists (select from worker_process p
          where p.id = ${process} and (p.alive_until > now() or not ${SOME_PROCESS_IS_STEADY}))`;

const BEAT = {
  name: "worker_beat",
  text: `
    insert into worker_process as p (id, steady_since, alive_until)
    select $1, now(), now() + interval '${LIVENESS_MS} ms' from (select ${ASYNC_COMMIT}) u
    on conflict (id) do update
    set steady_since = case when p.alive_until < now() then now() else p.steady_since end,
        alive_until = excluded.alive_until`,
};

/** Records a heartbeat: the process counts as alive for LIVENESS_MS. */
export async function renewLiveness(db: Db, processId: string): Promise<void> {
  await db.query(BEAT, [processId]);
}

/** Records that a process has ended, so that others may take over its work at once. */
export async function endLiveness(db: Db, processId: string): Promise<void> {
  await db.query({ text: "delete from worker_process where id = $1" }, [processId]);
}

/** Deletes the rows of processes that were killed long ago. */
export async function deleteDeadProcesses(db: Db): Promise<void> {
  await db.query({ text: "delete from worker_process where alive_until < now() - interval '1 hour'" });
}
