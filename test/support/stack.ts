import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/dev/ports.ts";
import { startPostgres } from "../../src/dev/postgres.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { type Claim, claim } from "../../src/dev/run-file.ts";
import { StartupError } from "../../src/dev/startup-error.ts";
import { adminQuery } from "./databases.ts";

type StackOptions = { durable?: boolean; settings?: Record<string, string> };
export type Stack = { databaseUrl: string; redisUrl: string; stop(): Promise<void> };

const PREFIX = "muster-test-";
const CACHE = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/** A folder in memory, which most Linux machines have. Test databases are created and dropped there faster. */
const IN_MEMORY = "/dev/shm";
const ROOM = 4 * 1024 ** 3;

const say = (line: string) => console.error(line);

/**
 * An empty Postgres and an empty Redis of this run alone, on free ports, in a folder that `stop` deletes.
 * TEST_DATABASE_URL and TEST_REDIS_URL name servers to use instead; those are left as they are.
 * @param options.durable writes reach the disk, for tests and benchmarks of what survives a crash. Default: false.
 * @param options.settings settings of Postgres
 */
export async function startStack({ durable = false, settings = {} }: StackOptions = {}): Promise<Stack> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  await removeAbandoned();
  const folder = mkdtempSync(join(durable ? tmpdir() : fastFolder(), PREFIX));
  // If we are root, Postgres runs as another account, which needs access.
  chmodSync(folder, 0o711);
  const claimed = await claim(folder, say);
  const processes = openProcesses(say, (running) => claimed.record(running));
  const stop = async () => {
    await processes.stopAll();
    remove(folder, claimed);
  };
  try {
    const options = { folder, durable, say, templates: templates() };
    const [databaseUrl, redisUrl] = await Promise.all([
      TEST_DATABASE_URL || freePort().then((port) => startPostgres(processes, { ...options, settings, port })),
      TEST_REDIS_URL || freePort().then((port) => startRedis(processes, { ...options, port })),
    ]);
    if (!TEST_DATABASE_URL && !durable) await quickSignIn(databaseUrl);
    return { databaseUrl, redisUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Hashes the password once, not 4,096 times, for each of some ten thousand connections. */
async function quickSignIn(databaseUrl: string) {
  const { username, password } = new URL(databaseUrl);
  await adminQuery(databaseUrl, `set scram_iterations = 1; alter role ${username} password '${password}'`);
}

/** The folder in memory if there is plenty of it, otherwise the temporary folder. */
function fastFolder(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, process.availableMemory() / 2) > ROOM ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Stops the servers and deletes the folders of runs that were killed before they could. */
async function removeAbandoned() {
  await removeAbandonedIn(tmpdir());
  if (existsSync(IN_MEMORY)) await removeAbandonedIn(IN_MEMORY);
}

async function removeAbandonedIn(parent: string) {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    // A folder without run.json belongs to a run that is just starting.
    if (!name.startsWith(PREFIX) || !isOurs(join(folder, "run.json"))) continue;
    try {
      remove(folder, await claim(folder, () => {}));
    } catch (error) {
      // Still running, or being deleted by another run.
      if (!(error instanceof StartupError) && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

// Anyone can write to the temporary folder. Files of other users must not determine which processes we stop.
const isOurs = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();

function remove(folder: string, claimed: Claim) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  claimed.release();
}

/** The folder of an empty cluster for later runs; undefined if node_modules belongs to another user. */
function templates(): string | undefined {
  try {
    mkdirSync(CACHE, { recursive: true });
    accessSync(CACHE, constants.W_OK);
    return CACHE;
  } catch {
    return undefined;
  }
}
