import { setTimeout as sleep } from "node:timers/promises";
import { endLiveness, forgetDeadProcesses, renewLiveness } from "../../domain/kernel/liveness.sql.ts";
import type { Database, Log } from "../../domain/kernel/ports/ports.ts";
import { quietly } from "../quietly.ts";

/** A fifth of the time after which others take over, so that some late heartbeats do no harm. */
const BEAT_MS = 300;

/**
 * Shows that this process lives, until it is stopped. Others may take what it holds once it has not shown it for
 * LIVENESS_MS.
 * @param database a connection that no other work has to wait for; it is closed in the end
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
  const sayLate = quietly((error: unknown) => log.warn({ err: error }, "a heartbeat failed; it is tried again"));

  async function run() {
    for (let beats = 0; !stopping.signal.aborted; beats++) {
      await renewLiveness(database, processId).catch(sayLate);
      if (beats === 0) await forgetDeadProcesses(database).catch(() => {});
      await sleep(BEAT_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
      // Without it what is left becomes free a little later.
      await endLiveness(database, processId).catch(() => {});
      await database.close();
    },
  };
}
