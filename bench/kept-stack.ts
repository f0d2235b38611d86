import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../src/dev/ports.ts";
import { startPostgres } from "../src/dev/postgres.ts";
import { openProcesses } from "../src/dev/processes.ts";
import { startRedis } from "../src/dev/redis.ts";
import { claim } from "../src/dev/run-file.ts";
import type { Stack } from "../test/support/stack.ts";

/** Survives a restart of the machine where there is such a folder. */
const LASTING = "/var/tmp";

export const STORES = process.env.BENCH_STORES ?? join(existsSync(LASTING) ? LASTING : tmpdir(), "muster-bench");

const say = (line: string) => console.error(line);

/** A Postgres whose data stays in the folder `STORES` for the next run, and an empty Redis. */
export async function startKeptStack(settings: Record<string, string>): Promise<Stack> {
  mkdirSync(STORES, { recursive: true, mode: 0o755 });
  const claimed = await claim(STORES, say);
  const processes = openProcesses(say, (running) => claimed.record(running));
  const stop = async () => {
    await processes.stopAll();
    claimed.release();
  };
  try {
    const options = { folder: STORES, say };
    const [databaseUrl, redisUrl] = await Promise.all([
      freePort().then((port) => startPostgres(processes, { ...options, durable: true, settings, port })),
      freePort().then((port) => startRedis(processes, { ...options, durable: false, port })),
    ]);
    return { databaseUrl, redisUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
