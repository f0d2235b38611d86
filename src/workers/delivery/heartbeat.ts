import { setTimeout as sleep } from "node:timers/promises";
import { deleteDeadProcesses, endLiveness, renewLiveness } from "../../domain/kernel/liveness.sql.ts";
import type { Database, Log } from "../../domain/kernel/ports/ports.ts";
import { throttled } from "../throttle.ts";

/** A fifth of the time after which others take over, so that some late heartbeats are harmless. */
const BEAT_MS = 300;

/**
 * Sends heartbeats of this process until it is stopped. Other processes may take over its work after LIVENESS_MS
 * without a heartbeat.
 * @param database a connection that no other work uses; it is closed at the end
 */
export function startHeartbeat(options: {
  database: Database & { close(): Promise<void> };
  processId: string;
  log: Log;
}): {
  stop(): Promise<void>;
} {
  const { database, processId, log } = options;
  const stopping = new AbortController();
  const sayLate = throttled((error: unknown) => log.warn({ err: error }, "a heartbeat failed; it is tried again"));

  async function run() {
    for (let beats = 0; !stopping.signal.aborted; beats++) {
      await renewLiveness(database, processId).catch(sayLate);
      if (beats === 0) await deleteDeadProcesses(database).catch(() => {});
      await sleep(BEAT_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
      // If this fails, the process's work becomes free a little later.
      await endLiveness(database, processId).catch(() => {});
      await database.close();
    },
  };
}
