import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { FAULT_KINDS, type Fault, POSTGRES_FAREWELL, startCuttingProxy } from "../support/cutting-proxy.ts";
import { adminQuery, databaseAt } from "../support/databases.ts";
import type { Answered, Asked } from "../support/postgres-exchange.ts";

/**
 * A process that uses Postgres, and a proxy between them that cuts, joins and delays what Postgres sends at every
 * byte: of start-up and password, prepared and plain statements, errors, savepoints, commits and rollbacks.
 */

const AT_ONCE = 4;
const name = `cut_${process.pid}`;
let url: string;
let sql: pg.Pool;
let child: ChildProcess;
let said = "";
const waiting = new Map<number, PromiseWithResolvers<Answered>>();

beforeAll(async () => {
  const { databaseUrl } = inject("stack");
  await adminQuery(databaseUrl, `create database ${name}`);
  url = databaseAt(databaseUrl, name);
  sql = new pg.Pool({ connectionString: url, max: 2 });
  await sql.query("create table part (run integer, part text)");
  child = fork(join(import.meta.dirname, "../support/postgres-exchange.ts"), {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (said += chunk));
  child.on("message", (answered: Answered) => waiting.get(answered.run)?.resolve(answered));
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error(`The process ended: ${said}`));
  });
});

afterAll(async () => {
  const gone = once(child, "exit");
  if (child.exitCode === null && child.kill()) await gone;
  await sql.end();
  await adminQuery(inject("stack").databaseUrl, `drop database ${name} with (force)`);
});

let runs = 0;

/** One exchange through a proxy with this fault. Answers also how many bytes Postgres sent on the first connection. */
async function exchange(fault?: Fault) {
  const proxy = await startCuttingProxy(url, POSTGRES_FAREWELL);
  if (fault) proxy.plan([fault]);
  const run = ++runs;
  const answered = Promise.withResolvers<Answered>();
  waiting.set(run, answered);
  child.send({ url: proxy.url, run } satisfies Asked);
  try {
    return { ...(await answered.promise), bytes: proxy.bytes()[0]!, happened: proxy.taken() === 1 };
  } finally {
    waiting.delete(run);
    await proxy.stop();
  }
}

async function partsOf(run: number): Promise<string> {
  const { rows } = await sql.query("select part from part where run = $1 order by part", [run]);
  return rows.map(({ part }) => part).join();
}

test("no cut, join or delay of a Postgres connection ends a process, and no call has a wrong result", async () => {
  const undisturbed = await exchange();
  const right = { read: "right", commit: "right", plain: "right", failing: "right", rollback: "right" };
  expect(undisturbed).toMatchObject({ calls: right, tries: 1 });

  // Each byte sees one of the faults, and another one in the next run of this test.
  const seed = Date.now() % FAULT_KINDS.length;
  const faults = Array.from({ length: undisturbed.bytes + 1 }, (_, after) => ({
    after,
    kind: FAULT_KINDS[(after + seed) % FAULT_KINDS.length]!,
    ms: 4,
  }));
  const lost = { calls: 0, commits: 0, happened: 0 };
  const work = async () => {
    for (let fault = faults.pop(); fault; fault = faults.pop()) {
      const { run, calls, tries, happened } = await exchange(fault);
      const what = JSON.stringify({ fault, calls, tries });
      for (const outcome of Object.values(calls)) expect(outcome, what).toMatch(/^(right|lost)$/);
      // A commit whose reply was lost happened or did not, but never by half.
      expect(calls.commit === "right" ? ["first,second"] : ["first,second", ""], what).toContain(await partsOf(run));
      expect(tries, what).toBeLessThanOrEqual(2);
      lost.calls += Object.values(calls).filter((outcome) => outcome === "lost").length;
      lost.commits += calls.commit === "lost" ? 1 : 0;
      lost.happened += happened ? 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // The faults happened, and were noticed.
  expect(lost.happened).toBeGreaterThan(undisturbed.bytes * 0.8);
  expect(lost.calls).toBeGreaterThan(undisturbed.bytes * 0.3);
  // How many hit a commit is for chance to say: about twenty of a run.
  expect(lost.commits).toBeGreaterThan(5);
  expect(child.exitCode, said).toBe(null);
}, 240_000);
