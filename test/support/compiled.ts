import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Half of a process's start is compiling: Node keeps what it compiled in a folder that vitest.config.ts names. */

/** The environment of a Node process that a test starts. */
export function inheritedEnv(): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
}

const ROOTS = ["start-web.ts", "start-worker.ts"].map(
  (name) => pathToFileURL(join(import.meta.dirname, "../../src", name)).href,
);

/** Compiles web and worker for all later processes. Tests kill theirs, and a killed process writes no cache. */
export async function compileSources(): Promise<void> {
  const code = ROOTS.map((root) => `await import(${JSON.stringify(root)});`).join("");
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    env: inheritedEnv(),
    stdio: "inherit",
  });
  const [exitCode] = await once(child, "exit");
  if (exitCode !== 0) throw new Error(`Loading src/start-web.ts and src/start-worker.ts ended with code ${exitCode}.`);
}
