import { runProcess } from "./run-process.ts";

/** The worker process. */
await runProcess(async () => (await import("./start-worker.ts")).startWorker);
