import type { Log } from "./domain/ports.ts";

const PATIENCE_MS = 9_500;

/** Ends the process in order on SIGTERM or SIGINT: platforms kill what has not ended after ten seconds. */
export function onStop(log: Log, stop: () => Promise<void>): void {
  let stopping = false;
  const end = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, `stopping on ${signal}`);
    setTimeout(() => {
      log.error({}, "gave up waiting for a clean stop");
      process.exit(1);
    }, PATIENCE_MS).unref();
    await stop().catch((error) => log.error({ err: error }, "the stop was not clean"));
    log.info({}, "stopped");
    process.exit(0);
  };
  process.on("SIGTERM", () => void end("SIGTERM"));
  process.on("SIGINT", () => void end("SIGINT"));
}
