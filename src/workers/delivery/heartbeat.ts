import { setTimeout as sleep } from "node:timers/promises";
import { deleteDeadProcesses, endLiveness, LIVENESS_MS, renewLiveness } from "../../domain/kernel/liveness.sql.ts";
import type { Database, Log } from "../../domain/kernel/ports/ports.ts";
import { throttled } from "../throttle.ts";

/** A fifth of the time after which others take over, so that some late heartbeats are harmless. */
const BEAT_MS = 300;
/** Between the reply to a heartbeat and the next one. */
const LEAST_PAUSE_MS = 50;

/**
 * What a process knows of its own liveness. Others consider it alive for LIVENESS_MS after a heartbeat was stored, so for
 * at least as long after the heartbeat was sent. Times are in milliseconds of `clock`, which never goes back.
 */
export function openLiveness(clock: () => number) {
  let began = Number.POSITIVE_INFINITY;
  let endsAt = Number.NEGATIVE_INFINITY;
  return {
    /** Call this when the reply to a heartbeat arrives. */
    stored(sentAt: number): void {
      const now = clock();
      // The process may have counted as dead until this heartbeat was stored, which may have been just now.
      if (now >= endsAt) began = now;
      endsAt = sentAt + LIVENESS_MS;
    },
    end(): void {
      endsAt = Number.NEGATIVE_INFINITY;
    },
    /** Whether the process has certainly been alive since then without a break. */
    livedSince: (time: number): boolean => clock() < endsAt && time >= began,
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
  /** As in openLiveness, for a time of performance.now(). */
  livedSince(time: number): boolean;
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
      const pause = Math.max(LEAST_PAUSE_MS, sentAt + BEAT_MS - performance.now());
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();

  return {
    livedSince: liveness.livedSince,

    async stop() {
      stopping.abort();
      await running;
      liveness.end();
      // If this fails, the process's work becomes free a little later.
      await endLiveness(database, processId).catch(() => {});
      await database.close();
    },
  };
}
