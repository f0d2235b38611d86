import { setTimeout as sleep } from "node:timers/promises";
import { releaseUnused } from "../../domain/delivery/webhooks/servings.ts";
import type { Database, Log } from "../../domain/kernel/ports/ports.ts";

const CHECK_MS = 5_000;

/** Regularly releases webhooks that this process has leased but does not serve, until it is stopped. */
export function startLeaseCheck(options: { database: Database; processId: string; log: Log }): {
  stop(): Promise<void>;
} {
  const { database, processId, log } = options;
  const stopping = new AbortController();

  async function check() {
    const released = await releaseUnused(database, processId);
    if (released > 0) log.info({ released }, "released leases of lost statements");
  }

  async function run() {
    while (!stopping.signal.aborted) {
      await sleep(CHECK_MS, undefined, { signal: stopping.signal }).catch(() => {});
      // After an error, the next check releases them. When the process ends, its leases end, too.
      if (!stopping.signal.aborted) await check().catch(() => {});
    }
  }
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
