import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { app } from "../support/app.ts";
import { inheritedEnv } from "../support/compiled.ts";

/** A platform may stop a process that it has only just started. */

/** How long Node itself takes to start, so that a busy machine gets the time that it needs. */
function bareStartMs(): number {
  const began = performance.now();
  spawnSync(process.execPath, ["-e", ""]);
  return performance.now() - began;
}

async function startAndStop(name: "web" | "worker", afterMs: number) {
  const { config } = await app();
  const child = spawn(process.execPath, [join(import.meta.dirname, `../../src/${name}.ts`)], {
    env: {
      ...inheritedEnv(),
      NODE_ENV: "test",
      HOST: "127.0.0.1",
      PORT: "0",
      BASE_URL: config.BASE_URL,
      DATABASE_URL: config.DATABASE_URL,
      REDIS_URL: config.REDIS_URL,
      REDIS_PREFIX: `${config.REDIS_PREFIX}_early`,
      DRAIN_SECONDS: "0",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const gone = once(child, "exit");
  await sleep(afterMs);
  child.kill("SIGTERM");
  const [code, signal] = await gone;
  return { code, signal, errors };
}

test.each(["web", "worker"] as const)(
  "SIGTERM half a second after the start of %s ends it with code 0, and so it does later in its start",
  async (name) => {
    const earliest = Math.max(500, 4 * bareStartMs());
    for (const afterMs of [earliest, earliest * 1.5, earliest * 2, earliest * 3]) {
      const ended = await startAndStop(name, afterMs);
      expect(ended, `${Math.round(afterMs)} ms after the start`).toEqual({ code: 0, signal: null, errors: "" });
    }
  },
  120_000,
);
