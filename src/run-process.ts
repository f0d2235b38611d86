import { basename } from "node:path";
import type { Config } from "./config.ts";
import type { Resources } from "./resources.ts";

type Running = { resources: Pick<Resources, "config" | "log">; stop(): Promise<void> };

/**
 * Runs web or worker until SIGTERM or SIGINT. Loading all modules takes a second or more, and an unhandled signal
 * would end the process with an error. So this file loads nothing before it installs its handlers.
 */
export async function runProcess(load: () => Promise<(config: Config) => Promise<Running>>): Promise<void> {
  // Before anything is started, there is nothing to stop.
  let onSignal: (signal: string) => void = () => process.exit(0);
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, (signal) => onSignal(signal));

  const [{ start }, { readConfig }, { openLog }, { endAfter, endInOrder, endOnBug }, startRunning] = await Promise.all([
    import("./start.ts"),
    import("./config.ts"),
    import("./adapters/log.ts"),
    import("./shutdown.ts"),
    load(),
  ]);
  const asked = Promise.withResolvers<string>();
  onSignal = asked.resolve;
  await start(async () => {
    const config = readConfig();
    // The platform counts from the signal, which may come during the start.
    const name = basename(process.argv[1] ?? "", ".ts");
    void asked.promise.then(() => endAfter(config.STOP_SECONDS, openLog(config.LOG_LEVEL, name)));
    const { resources, stop } = await startRunning(config);
    const { log } = resources;
    endOnBug(log);
    void asked.promise.then((signal) => endInOrder({ log, signal }, stop));
  });
}
