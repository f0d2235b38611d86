import type { Log } from "./domain/kernel/ports/ports.ts";

/** Stops the process in order, within the time after which the platform kills it. */
export async function endInOrder(
  { log, graceSeconds, signal }: { log: Log; graceSeconds: number; signal: string },
  stop: () => Promise<void>,
): Promise<void> {
  log.info({ signal }, `stopping on ${signal}`);
  setTimeout(
    () => {
      log.error({}, "gave up waiting for a clean stop");
      process.exit(1);
    },
    graceSeconds * 1000 - 500,
  ).unref();
  await stop().catch((error) => log.error({ err: error }, "the stop was not clean"));
  log.info({}, "stopped");
  process.exit(0);
}

/**
 * Logs an uncaught error and ends the process with code 1. Its state is unknown then, and the platform starts another
 * process. Only bugs cause this; a lost connection never does.
 */
export function endOnBug(log: Log): void {
  process.on("uncaughtException", (error, origin) => {
    log.error({ err: error, origin }, "a bug ends the process");
    process.exit(1);
  });
}
