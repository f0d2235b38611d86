import { runProcess } from "../src/run-process.ts";

/** A web process in which SIGUSR2 switches the counting of keys' usage off and on again. */

let isCounting = true;
process.on("SIGUSR2", () => {
  isCounting = !isCounting;
});

await runProcess(async () => {
  const { startWeb } = await import("../src/start-web.ts");
  return (config) => startWeb(config, { isCounting: () => isCounting });
});
