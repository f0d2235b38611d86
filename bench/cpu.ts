import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";

/** The computing time of processes, from /proc. On other systems than Linux it is not known: NaN. */

const TICKS_PER_SECOND = 100;

/** Seconds of user and system time of a process and of all that descend from it, ended ones too. */
export function cpuOf(pid: number): number {
  const children = new Map<number, number[]>();
  const seconds = new Map<number, number>();
  for (const name of folders()) {
    const stat = statOf(name);
    if (!stat) continue;
    const [parent, ticks] = stat;
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    seconds.set(Number(name), ticks / TICKS_PER_SECOND);
  }
  let sum = seconds.has(pid) ? 0 : Number.NaN;
  for (const todo = [pid]; todo.length > 0; ) {
    const next = todo.pop()!;
    sum += seconds.get(next) ?? 0;
    todo.push(...(children.get(next) ?? []));
  }
  return sum;
}

const folders = (): string[] => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

/** The parent, and the ticks of the process and of those of its children that ended. */
function statOf(pid: number | string): [parent: number, ticks: number] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may contain spaces.
    const [, parent, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [Number(parent), fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0)];
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}

/** The pids of a Postgres and a Redis of this machine. */
export async function serversOf(env: Record<string, string>): Promise<{ postgres: number; redis: number }> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL! });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  // A backend is a child of the server.
  const postgres = statOf(rows[0].pid)?.[0] ?? 0;
  await client.end();
  const connection = new Redis(env.REDIS_URL!);
  const redis = Number(/process_id:(\d+)/.exec(await connection.info("server"))?.[1] ?? 0);
  connection.disconnect();
  return { postgres, redis };
}

const STEP_MS = 100;
const IDLE = 0.12;
const PATIENCE_MS = 10_000;

/** Resolves when a process has nothing more to do, or after ten seconds. */
export async function untilIdle(pid: number): Promise<void> {
  let before = cpuOf(pid);
  for (let waited = 0, quiet = 0; waited < PATIENCE_MS && quiet < 2; waited += STEP_MS) {
    await sleep(STEP_MS);
    const now = cpuOf(pid);
    quiet = now - before > (IDLE * STEP_MS) / 1000 ? 0 : quiet + 1;
    before = now;
  }
}
