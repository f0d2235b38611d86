import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const run = (code: string) =>
  spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: `${import.meta.dirname}/../..`,
    encoding: "utf8",
  });

test.each([
  ["an exception", 'setTimeout(() => { throw new Error("nobody caught this"); })', "uncaughtException"],
  ["a rejected promise", 'Promise.reject(new Error("nobody caught this"))', "unhandledRejection"],
])("%s that nobody catches is logged in one line and ends the process with code 1", (_, fault, origin) => {
  const { status, stdout, stderr } = run(`
    import { openLog } from "./src/adapters/log.ts";
    import { endOnBug } from "./src/shutdown.ts";
    endOnBug(openLog("info", "web"));
    setInterval(() => {}, 1_000);
    ${fault};`);
  expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
  const line = JSON.parse(stdout);
  expect(line).toMatchObject({ level: 50, process: "web", origin, msg: "a bug ends the process" });
  expect(line.err.stack).toContain("nobody caught this");
});
