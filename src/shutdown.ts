import type { Log } from "./domain/kernel/ports/ports.ts";

/** Ends the process shortly before the platform kills it, `graceSeconds` after its signal. */
export function endAfter(graceSeconds: number, log: Log): void {
  const giveUp = () => {
    log.error({}, "gave up waiting for a clean stop");
    process.exit(1);
  };
  setTimeout(giveUp, graceSeconds * 1000 - 500).unref();
}

/** Stops the process in order. */
export async function endInOrder(
  { log, signal }: { log: Log; signal: string },
  stop: () => Promise<void>,
): Promise<void> {
  log.info({ signal }, `stopping on ${signal}`);
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
