import { setTimeout as sleep } from "node:timers/promises";
import { deleteDeadProcesses, endLiveness, LIVENESS_MS, renewLiveness } from "../../domain/kernel/liveness.sql.ts";
import type { Database, Log } from "../../domain/kernel/ports/ports.ts";
import { throttled } from "../throttle.ts";

/** A fifth of the time after which others take over, so that some late heartbeats are harmless. */
const BEAT_MS = 300;

/**
 * What a process knows of its own liveness, in milliseconds of a clock that never goes back. A heartbeat is stored after
 * it was sent, so others consider the process alive for at least LIVENESS_MS from then.
 */
export function openLiveness(clock: () => number) {
  let began = Number.POSITIVE_INFINITY;
  let lastsUntil = Number.NEGATIVE_INFINITY;
  return {
    /** Call this when a heartbeat has been stored. */
    stored(sentAt: number): void {
      if (clock() >= lastsUntil) began = sentAt;
      lastsUntil = sentAt + LIVENESS_MS;
    },
    /** Since when the process has certainly been alive without a break; Infinity if it may be considered dead. */
    since: (): number => (clock() < lastsUntil ? began : Number.POSITIVE_INFINITY),
  };
}

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
  /** As in openLiveness, on the clock of performance.now(). */
  liveSince(): number;
  stop(): Promise<void>;
} {
  const { database, processId, log } = options;
  const liveness = openLiveness(() => performance.now());
  const stopping = new AbortController();
  const sayLate = throttled((error: unknown) => log.warn({ err: error }, "a heartbeat failed; it is tried again"));

  async function run() {
    for (let beats = 0; !stopping.signal.aborted; beats++) {
      const sentAt = performance.now();
      await renewLiveness(database, processId).then(() => liveness.stored(sentAt), sayLate);
      if (beats === 0) await deleteDeadProcesses(database).catch(() => {});
      await sleep(BEAT_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();

  return {
    liveSince: liveness.since,

    async stop() {
      stopping.abort();
      await running;
      // If this fails, the process's work becomes free a little later.
      await endLiveness(database, processId).catch(() => {});
      await database.close();
    },
  };
}
