import { runProcess } from "./run-process.ts";

/** The web process. */
await runProcess(async () => (await import("./start-web.ts")).startWeb);
