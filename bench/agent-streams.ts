import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { newId } from "../src/domain/kernel/ids.ts";
import { COMMITTED } from "../src/domain/kernel/ports/ports.ts";
import { newSecret } from "../src/domain/kernel/secrets.ts";
import { flagsOf } from "../test/support/procfile.ts";
import { median } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";
import type { ClientOrder, ClientReport } from "./stream-clients.ts";

/**
 * Event streams of agents in one web process: the memory and the processor time of idle streams, the time from the commit
 * of an event, and from a message over Redis, to the client, and how many events a second many streams take. The reference is a bare program that only
 * passes messages on (bench/stream-floor.ts). AGENT_STREAMS sets the number of idle streams; one process needs twice as
 * many open files (`ulimit -n`). Linux only.
 */

const STREAMS = Number(process.env.AGENT_STREAMS ?? 10_000);
const BUSY_STREAMS = Math.min(1_000, STREAMS);
const EVENTS_A_SECOND = 10_000;
const SECONDS = 10;
const IDLE_SECONDS = Number(process.env.IDLE_SECONDS ?? 30);
const TIMES = 1_000;
const COMMITS = 300;
const PAUSE_MS = 30;
const GOAL_MS = 10;
const GOAL_KB = 30;

type Agent = { id: string; key: string };
type Server = {
  name: string;
  child: ChildProcess;
  port: number;
  pathOf(agent: Agent): string;
  channelOf(id: string): string;
};

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  const clients = [0, 1].map(() => fork("bench/stream-clients.ts"));
  const redis = new Redis(bench.env.REDIS_URL!);
  try {
    // Frames of the first one are stored. Those of the others are only published, so their numbers would not go on from there.
    const [told, ...agents] = (await addAgents(bench, STREAMS + 1)) as [Agent, ...Agent[]];
    const floor = await bench.start("bench/stream-floor.ts");
    const web = await bench.start("src/web.ts", { RATE_LIMIT_PER_MINUTE: "100000" }, flagsOf("web"));
    const servers: Server[] = [
      { name: "bare", ...floor, pathOf: ({ id }) => `/${id}`, channelOf: (id) => id },
      {
        name: "muster",
        ...web,
        pathOf: () => "/v1/workspaces/bench/agent-events",
        channelOf: (id) => `muster:agent:${id}`,
      },
    ];
    console.log(`agent-streams: ${STREAMS} idle streams, each of another agent`);
    for (const server of servers) await measureIdle(server, clients, agents);
    console.log(`agent-streams: from Redis to the client, one event at a time, ${TIMES} times`);
    for (const server of servers) await measureLatency(server, redis, agents[0]!);
    await bench.start("src/worker.ts", {}, flagsOf("worker"));
    console.log(`agent-streams: from the commit of an assignment to the client, one at a time, ${COMMITS} times`);
    for (const server of servers) await measureCommits(server, bench, redis, told);
    console.log(`agent-streams: ${BUSY_STREAMS} streams, ${EVENTS_A_SECOND} events a second in all`);
    for (const server of servers) await measureThroughput(server, redis, clients, agents.slice(0, BUSY_STREAMS));
  } finally {
    redis.disconnect();
    for (const client of clients) client.disconnect();
    await bench.stop();
  }
}

async function addAgents({ sql, ids }: Bench, count: number): Promise<Agent[]> {
  const made = Array.from({ length: count }, () => ({ id: newId(), keyId: newId(), ...newSecret("ak_") }));
  const { workspaceId, userId } = ids;
  await sql(
    `insert into app_user (id, kind, name, agent_workspace_id, agent_owner_id, created_at, updated_at)
     select id, 'agent', 'Bot', $2, $3, now(), now() from unnest($1::uuid[]) as id`,
    [made.map(({ id }) => id), workspaceId, userId],
  );
  await sql(
    `insert into member (workspace_id, user_id, role, joined_at) select $2, id, 'member', now() from unnest($1::uuid[]) as id`,
    [made.map(({ id }) => id), workspaceId],
  );
  await sql(
    `insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, rate_limit_per_minute,
                          created_by, created_at, updated_at)
     select k.id, $1, agent, 'agent', 'bench', hash, prefix, last_four, '{write}', 100000, $2, now(), now()
     from unnest($3::uuid[], $4::uuid[], $5::bytea[], $6::text[], $7::text[]) as k(id, agent, hash, prefix, last_four)`,
    [
      workspaceId,
      userId,
      ...(["keyId", "id", "hash", "prefix", "last_four"] as const).map((name) => made.map((one) => one[name])),
    ],
  );
  await sql("analyze");
  return made.map(({ id, plaintext }) => ({ id, key: plaintext }));
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

const openAll = ({ port, pathOf }: Server, clients: ChildProcess[], agents: Agent[]) =>
  order(clients, (index) => ({
    kind: "open",
    port,
    streams: agents
      .filter((_, n) => n % clients.length === index)
      .map((agent) => ({ path: pathOf(agent), key: agent.key })),
  }));

async function closeAll(clients: ChildProcess[]): Promise<void> {
  await order(clients, () => ({ kind: "close" }));
  await sleep(1_000);
}

async function measureIdle(server: Server, clients: ChildProcess[], agents: Agent[]): Promise<void> {
  // Code is compiled and pools are filled.
  await openAll(server, clients, agents.slice(0, STREAMS / 20));
  await closeAll(clients);
  const before = residentKb(server.child);
  const cpuBefore = processorSeconds(server.child);
  const started = performance.now();
  const { open } = await openAll(server, clients, agents);
  const opening = (performance.now() - started) / 1_000;
  const anOpening = ((processorSeconds(server.child) - cpuBefore) / open) * 1_000;
  await sleep(5_000);
  const kb = (residentKb(server.child) - before) / open;
  const cpu = processorSeconds(server.child);
  await sleep(IDLE_SECONDS * 1_000);
  const percent = ((processorSeconds(server.child) - cpu) / IDLE_SECONDS) * 100;
  const goal =
    server.name === "muster"
      ? ` (goal ${GOAL_KB} kB${kb <= GOAL_KB ? "" : ", MISSED"}; 2 %${percent <= 2 ? "" : ", MISSED"})`
      : "";
  console.log(
    `  ${server.name.padEnd(7)} ${kb.toFixed(1)} kB a stream, ${percent.toFixed(1)} % of a processor, ${Math.round(open / opening)} opened a second (${anOpening.toFixed(2)} ms of a processor each)${goal}`,
  );
  await closeAll(clients);
}

const residentKb = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

/** User and system time, counted in hundredths of a second. */
function processorSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** What the worker publishes. */
function messageOf(seq: number): string {
  const id = newId();
  const data = { id, type: "issue.assigned", data: { title: "An issue ".repeat(60) }, context: {}, replayed: false };
  return JSON.stringify([
    { seq, project_id: null, text: `id: ${id}\nevent: issue.assigned\ndata: ${JSON.stringify(data)}\n\n` },
  ]);
}

async function measureLatency(server: Server, redis: Redis, agent: Agent): Promise<void> {
  const { reply, end } = await listen(server, agent);
  const times: number[] = [];
  for (let seq = 1; seq <= TIMES; seq++) {
    const came = once(reply, "data");
    const started = performance.now();
    redis.publish(server.channelOf(agent.id), messageOf(seq)).catch(() => {});
    await came;
    if (seq > TIMES / 10) times.push(performance.now() - started);
  }
  end();
  print(server, times);
}

/** The bare program has no workers: its message is published right after the commit. */
async function measureCommits(server: Server, bench: Bench, redis: Redis, agent: Agent): Promise<void> {
  const isBare = server.name === "bare";
  const { reply, end } = await listen(server, agent);
  const issue = await bench.sql("select id from issue limit 1");
  const times: number[] = [];
  for (let seq = 1; seq <= COMMITS; seq++) {
    const came = once(reply, "data");
    await recordAssignment(bench, issue[0]!.id as string, agent, !isBare);
    const started = performance.now();
    const [channel, message] = isBare ? [server.channelOf(agent.id), messageOf(seq)] : [`muster:${COMMITTED}`, ""];
    redis.publish(channel, message).catch(() => {});
    await came;
    if (seq > COMMITS / 10) times.push(performance.now() - started);
    await sleep(PAUSE_MS);
  }
  end();
  print(server, times, isBare ? undefined : GOAL_MS);
}

/** @param out whether the relay takes the event */
async function recordAssignment({ sql, ids }: Bench, issueId: string, agent: Agent, out: boolean): Promise<void> {
  const id = newId();
  const data = { id: issueId, key: "WEB-1", title: "An issue ".repeat(60), assignees: [agent.id] };
  await sql(
    `with written as (
       insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, cause, data, context, created_at)
       values ($1, $2, 'issue.assigned', $3, $4, $5, 'user', '{}', $6, $7, now())
       returning id, workspace_id, type)
     insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written where $8`,
    [
      ...[id, ids.workspaceId, ids.projectId, issueId, ids.userId],
      ...[JSON.stringify(data), JSON.stringify({ added: [agent.id] }), out],
    ],
  );
}

/** Opens a stream, and waits until it is ready. */
async function listen(server: Server, agent: Agent): Promise<{ reply: IncomingMessage; end: () => void }> {
  const headers = { authorization: `Bearer ${agent.key}` };
  const call = get({ port: server.port, path: server.pathOf(agent), headers });
  const [reply] = (await once(call, "response")) as [IncomingMessage];
  while (!String((await once(reply, "data"))[0]).includes("stream.ready"));
  return { reply, end: () => call.destroy() };
}

function print(server: Server, times: number[], goal?: number): void {
  const at99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
  const verdict = goal ? ` (goal: median ${goal} ms${median(times) < goal ? "" : ", MISSED"})` : "";
  console.log(
    `  ${server.name.padEnd(7)} median ${median(times).toFixed(2)} ms, 99th percentile ${at99.toFixed(2)} ms${verdict}`,
  );
}

async function measureThroughput(
  server: Server,
  redis: Redis,
  clients: ChildProcess[],
  agents: Agent[],
): Promise<void> {
  await openAll(server, clients, agents);
  let seq = 0;
  const cpu = processorSeconds(server.child);
  const started = performance.now();
  let sent = 0;
  while (performance.now() - started < SECONDS * 1_000) {
    const message = messageOf(++seq);
    const published = agents.map(({ id }) => redis.publish(server.channelOf(id), message));
    await Promise.all(published);
    sent += agents.length;
    const ahead = (sent / EVENTS_A_SECOND) * 1_000 - (performance.now() - started);
    if (ahead > 0) await sleep(ahead);
  }
  const seconds = (performance.now() - started) / 1_000;
  await sleep(1_000);
  const { events, open } = await order(clients, () => ({ kind: "count" }));
  const percent = ((processorSeconds(server.child) - cpu) / seconds) * 100;
  console.log(
    `  ${server.name.padEnd(7)} ${Math.round(sent / seconds)} events sent a second, ${((events / sent) * 100).toFixed(1)} % came, ${open} streams open, ${percent.toFixed(0)} % of a processor`,
  );
  await closeAll(clients);
}

if (import.meta.main) await run();
