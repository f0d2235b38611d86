import { expect, test } from "vitest";
import { openProcesses } from "../../src/dev/processes.ts";

/** Says that it is ready, and at SIGTERM that it stops; ends so much later. */
const program = (name: string, endsAfterMs: number, said: string[], patienceMs?: number) => {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const started = {
    name,
    command: process.execPath,
    args: [
      "-e",
      `process.on("SIGTERM", () => { console.log("stops"); setTimeout(() => { console.log("ends"); process.exit() }, ${endsAfterMs}) });
       setInterval(() => {}, 1000); console.log("ready")`,
    ],
    output: (line: string) => {
      said.push(`${name} ${line}`);
      if (line === "ready") resolve();
    },
    ...(patienceMs ? { patienceMs } : {}),
  };
  return { started, ready };
};

test("users finish together, then servers are stopped; those that take too long are killed", async () => {
  const said: string[] = [];
  const processes = openProcesses(() => {});
  for (const { started, ready } of [
    program("postgres", 0, said),
    program("redis", 0, said),
    program("web", 800, said, 3_000),
    program("worker", 800, said, 3_000),
    program("migrate", 60_000, said, 300),
  ]) {
    await processes.start(started, () => ready);
  }
  said.length = 0;
  const began = performance.now();
  await processes.stopAll();
  expect(performance.now() - began).toBeLessThan(1_600);
  expect(said.slice(0, 3).sort()).toEqual(["migrate stops", "web stops", "worker stops"]);
  expect(said.slice(3, 5).sort()).toEqual(["web ends", "worker ends"]);
  expect(said.slice(5)).toEqual(["redis stops", "redis ends", "postgres stops", "postgres ends"]);
});
