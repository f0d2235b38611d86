import { type ChildProcess, fork } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { newId } from "../src/domain/kernel/ids.ts";
import { newSecret } from "../src/domain/kernel/secrets.ts";
import { flagsOf } from "../test/support/procfile.ts";
import { cpuOf } from "./cpu.ts";
import { type Bench, setUp } from "./setup.ts";
import type { ClientOrder, ClientReport } from "./stream-clients.ts";

/**
 * Streams of open pages in one web process, all of one board: the memory of each, the processor time while nothing happens
 * and of one change, how long until the last page has heard of it, and until all are closed whose sessions have ended.
 * PAGE_STREAMS sets how many. Linux only.
 */

const STREAMS = Number(process.env.PAGE_STREAMS ?? 2_000);
/** A person may have twenty. */
const EACH = 10;
const IDLE_SECONDS = Number(process.env.IDLE_SECONDS ?? 65);
const CHANGES = 1;
const GOAL = { kb: 60, idlePercent: 5, seconds: 70 };

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  const clients = [0, 1].map(() => fork("bench/stream-clients.ts"));
  const redis = new Redis(bench.env.REDIS_URL!);
  try {
    const { port, child } = await bench.start("src/web.ts", { RATE_LIMIT_PER_MINUTE: "100000" }, flagsOf("web"));
    const cookies = await addSessions(bench);
    const path = `/w/bench/live?project=${bench.ids.projectId}`;
    const streams = (from: number, to: number) => cookies.slice(from, to).map((cookie) => ({ path, cookie }));
    console.log(`page-streams: ${STREAMS} open pages of one board, ${EACH} of a person`);
    // Code is compiled and pools are filled.
    await openAll(clients, port, streams(0, STREAMS / 20));
    await order(clients, () => ({ kind: "close" }));
    await sleep(1_000);
    await idle(clients, child, () => openAll(clients, port, streams(0, STREAMS)));
    for (let n = 0; n < CHANGES; n++) await change(bench, redis, clients, child);
    await endSessions(bench, clients, child);
  } finally {
    redis.disconnect();
    for (const client of clients) client.disconnect();
    await bench.stop();
  }
}

/** One session for each stream. Returns the cookies. */
async function addSessions({ sql, ids }: Bench): Promise<string[]> {
  const people = Array.from({ length: Math.ceil(STREAMS / EACH) }, () => newId());
  await sql(
    `with someone as (
       insert into app_user (id, kind, email, name, created_at, updated_at)
       select id, 'person', id || '@bench.test', 'Person', now(), now() from unnest($1::uuid[]) id returning id)
     insert into member (workspace_id, user_id, role, joined_at) select $2, id, 'member', now() from someone`,
    [people, ids.workspaceId],
  );
  const cookies = Array.from({ length: STREAMS }, () => newSecret("wk_").plaintext);
  await sql(
    `insert into session (id, hash, user_id, created_at, last_seen_at, expires_at)
     select id, hash, user_id, now(), now(), now() + interval '1 day'
     from unnest($1::uuid[], $2::bytea[], $3::uuid[]) s(id, hash, user_id)`,
    [
      cookies.map(() => newId()),
      cookies.map((cookie) => hash("sha256", cookie, "buffer")),
      cookies.map((_, n) => people[Math.floor(n / EACH)]),
    ],
  );
  await sql("analyze");
  return cookies.map((cookie) => `muster_session=${cookie}`);
}

/** Gives each client process its order, and sums their reports. */
async function order(clients: ChildProcess[], orderOf: (index: number) => ClientOrder): Promise<ClientReport> {
  const reports = await Promise.all(
    clients.map(async (client, index) => {
      const report = once(client, "message") as Promise<[ClientReport]>;
      client.send(orderOf(index));
      return (await report)[0];
    }),
  );
  return reports.reduce((sum, one) => ({ events: sum.events + one.events, open: sum.open + one.open }));
}

const openAll = (clients: ChildProcess[], port: number, streams: { path: string; cookie: string }[]) =>
  order(clients, (index) => ({
    kind: "open",
    port,
    streams: streams.filter((_, n) => n % clients.length === index),
  }));

const count = (clients: ChildProcess[]) => order(clients, () => ({ kind: "count" }));

const residentKb = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

const missed = (is: boolean): string => (is ? ", MISSED" : "");

/** Opens all. While nothing happens, each person's rights are read about once a minute. */
async function idle(clients: ChildProcess[], web: ChildProcess, open: () => Promise<unknown>): Promise<void> {
  const [kbBefore, cpuBefore] = [residentKb(web), cpuOf(web.pid!)];
  await open();
  const opening = ((cpuOf(web.pid!) - cpuBefore) / STREAMS) * 1_000;
  await sleep(3_000);
  const kb = (residentKb(web) - kbBefore) / STREAMS;
  const before = cpuOf(web.pid!);
  await sleep(IDLE_SECONDS * 1_000);
  const percent = ((cpuOf(web.pid!) - before) / IDLE_SECONDS) * 100;
  const { open: left } = await count(clients);
  console.log(
    `  ${kb.toFixed(1)} kB a stream (goal ${GOAL.kb}${missed(kb > GOAL.kb)}), opened in ${opening.toFixed(2)} ms each`,
  );
  console.log(
    `  idle: ${percent.toFixed(1)} % of a processor (goal ${GOAL.idlePercent}${missed(percent > GOAL.idlePercent)}), ${left} still open${missed(left < STREAMS)}`,
  );
}

/** An event of the board, as a worker tells of it. */
async function change({ sql, ids }: Bench, redis: Redis, clients: ChildProcess[], web: ChildProcess): Promise<void> {
  const id = newId();
  await sql(
    `insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, cause, data, context, created_at)
     select $1, $2, 'issue.updated', $3, id, null, 'system', '{}', '{}', '{}', now() from issue limit 1`,
    [id, ids.workspaceId, ids.projectId],
  );
  await count(clients);
  const cpu = cpuOf(web.pid!);
  const started = performance.now();
  await redis.publish(`muster:changes:${ids.workspaceId}`, id);
  let heard = 0;
  let half = 0;
  while (heard < STREAMS && performance.now() - started < 120_000) {
    await sleep(250);
    heard += (await count(clients)).events;
    if (half === 0 && heard >= STREAMS / 2) half = performance.now() - started;
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const ms = (cpuOf(web.pid!) - cpu) * 1_000;
  console.log(
    `  a change: ${heard} pages heard of it, half after ${(half / 1_000).toFixed(1)} s, the last after ${seconds} s; ${ms.toFixed(0)} ms of a processor`,
  );
}

async function endSessions({ sql }: Bench, clients: ChildProcess[], web: ChildProcess): Promise<void> {
  const cpu = cpuOf(web.pid!);
  await sql("delete from session");
  const started = performance.now();
  let open = STREAMS;
  while (open > 0 && performance.now() - started < 120_000) {
    await sleep(500);
    ({ open } = await count(clients));
  }
  const seconds = (performance.now() - started) / 1_000;
  console.log(
    `  sessions ended: the last stream after ${seconds.toFixed(0)} s (goal ${GOAL.seconds}${missed(seconds > GOAL.seconds || open > 0)}), ${open} open; ${((cpuOf(web.pid!) - cpu) * 1_000).toFixed(0)} ms of a processor`,
  );
}

if (import.meta.main) await run();
