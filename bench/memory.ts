import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { flagsOf } from "../test/support/procfile.ts";
import { addWebhooks } from "./deliveries.ts";
import { setUp } from "./setup.ts";

/**
 * The peak memory of a web and a worker process, started with the flags of the Procfile, at 100 requests per second,
 * as the kernel counts it. The goal leaves a fifth of 512 MB free. MEMORY_MINUTES sets the duration (default: ten).
 * Linux only.
 */

const GOAL_MB = 400;
const PER_SECOND = 100;
const MAX_WAITING = 100;

export async function run(): Promise<void> {
  const minutes = Number(process.env.MEMORY_MINUTES ?? 10);
  const bench = await setUp({ issues: 10_000 });
  let worker: ChildProcess | undefined;
  try {
    const sink = await bench.start("bench/sink.ts");
    await addWebhooks(bench, `http://127.0.0.1:${sink.port}`, 1);
    const web = await bench.start("src/web.ts", { LOG_LEVEL: "info" }, flagsOf("web"));
    web.child.stdout?.resume();
    worker = spawn(process.execPath, [...flagsOf("worker"), "src/worker.ts"], {
      env: { ...bench.env, LOG_LEVEL: "info" },
      stdio: "ignore",
    });
    const pool = new Pool(`http://127.0.0.1:${web.port}`, { connections: 20, pipelining: 1 });
    const answered = await steadily(minutes, () => call(pool, bench.key));
    await pool.close();
    console.log(`memory: ${minutes} minutes, ${Math.round(answered / (minutes * 60))} requests a second answered`);
    for (const [name, child] of Object.entries({ web: web.child, worker })) {
      const mb = mostMb(child);
      console.log(`  ${name.padEnd(6)} ${mb} MB at most (goal below ${GOAL_MB}${mb < GOAL_MB ? "" : ", MISSED"})`);
    }
  } finally {
    worker?.kill("SIGTERM");
    if (worker?.exitCode === null) await once(worker, "exit");
    await bench.stop();
  }
}

/** The peak resident size of a process so far. */
function mostMb({ pid }: ChildProcess): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/**
 * Makes as many calls as are due, but none while a hundred are waiting.
 * @param one returns whether the call had the expected result, or throws to end the measurement
 * @returns the number of calls with the expected result
 */
async function steadily(minutes: number, one: () => Promise<boolean>): Promise<number> {
  const start = Date.now();
  let [made, waiting, done] = [0, 0, 0];
  let fault: unknown;
  for (let passed = 0; passed < minutes * 60 && !fault; passed = (Date.now() - start) / 1000) {
    for (; made < passed * PER_SECOND && waiting < MAX_WAITING; made++, waiting++) {
      void one()
        .then((well) => {
          if (well) done++;
        })
        .catch((error) => {
          fault ??= error;
        })
        .finally(() => waiting--);
    }
    await sleep(5);
  }
  while (waiting > 0) await sleep(10);
  if (fault) throw fault;
  return done;
}

const P = "/v1/workspaces/bench/projects/WEB";

/**
 * Reads about twice as often as it writes. Returns false on a busy machine where writes to one project wait too long
 * (503).
 */
async function call(pool: Pool, key: string): Promise<boolean> {
  const number = 1 + Math.floor(Math.random() * 10_000);
  const issue = `${P}/issues/WEB-${number}`;
  const [method, path, body] = pick([
    [8, ["GET", issue]],
    [4, ["GET", `${P}/issues?limit=50`]],
    [1, ["GET", "/v1/me"]],
    [3, ["POST", `${P}/issues`, { title: "A new issue", description_md: "It fails on the second try. ".repeat(15) }]],
    [2, ["PATCH", issue, { title: `Title ${number}` }]],
    [2, ["POST", `${issue}/comments`, { body_md: "I have seen **this** too. ".repeat(5) }]],
  ] as [number, [string, string, object?]][]);
  const reply = await pool.request({
    method: method as "GET",
    path,
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.body.text();
  if (reply.statusCode === 503) return false;
  if (reply.statusCode > 201) throw new Error(`${method} ${path} answered ${reply.statusCode}: ${text.slice(0, 300)}`);
  return true;
}

/** Picks one of the choices with a probability proportional to its weight. */
function pick<T>(choices: [number, T][]): T {
  const all = choices.flatMap(([weight, choice]) => Array.from({ length: weight }, () => choice));
  return all[Math.floor(Math.random() * all.length)]!;
}

if (import.meta.main) await run();
