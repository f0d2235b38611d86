import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { agentIn } from "../support/agent-stream.ts";
import { app, configure } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { byCurl, byEventSource, byFetch, type Reader, type Seen } from "../support/event-readers.ts";
import { type Process, startProcess } from "../support/process.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/** Agents miss nothing, and hear all in order, while connections, workers and Redis break. */

const ALL = process.env.SAMPLE === "all";
const EVENTS = ALL ? 2_000 : 160;
const RECONNECTS = ALL ? 200 : 24;
const ISSUES = 8;
/** The names of the events in turn, for each issue. */
const NAMES = ["issue.assigned", "issue.unassigned"];

const folder = mkdtempSync(join(tmpdir(), "muster-agent-events-"));
const servers = openProcesses(
  () => {},
  () => {},
);
const running: Process[] = [];
let redisUrl = "";
beforeAll(async () => {
  redisUrl = await startRedis(servers, { folder, port: await freePort(), durable: false, say: () => {} });
  configure({ REDIS_URL: redisUrl });
});
afterAll(async () => {
  await Promise.all(running.map((process) => process.kill()));
  await servers.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

async function started(name: "web" | "worker"): Promise<Process> {
  const process = await startProcess(name, (await app()).config);
  running.push(process);
  return process;
}

/** What a client of an agent has seen, over all its connections. */
function follow(reader: Reader, key: string, address: () => string, progress: { made: number }, seed: number) {
  const random = seeded(seed);
  const seen: Seen[] = [];
  let lastEventId: string | null = null;
  let cuts = 0;
  let stopped = false;
  async function run() {
    while (!stopped) {
      const cut = new AbortController();
      const goesOn = cuts < RECONNECTS || progress.made < EVENTS;
      const timer = goesOn ? setTimeout(() => cut.abort(), 50 + random.below(350)) : undefined;
      const watch = setInterval(() => stopped && cut.abort(), 50);
      const hear = (one: Seen) => {
        seen.push(one);
        lastEventId = one.id;
      };
      await reader({ url: address(), key, lastEventId, names: NAMES, signal: cut.signal, hear });
      cuts++;
      clearTimeout(timer);
      clearInterval(watch);
      if (!cut.signal.aborted) await sleep(100);
    }
  }
  const ended = run();
  return {
    seen,
    cuts: () => cuts,
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

/** Assigns and unassigns an agent, again and again, through both web processes. */
async function produce(here: World, webs: readonly Process[], agent: { id: string }, progress: { made: number }) {
  const issues = await Promise.all(
    Array.from({ length: ISSUES }, () => here.owner.post("P/issues", { title: "One" }).expect(201)),
  );
  await Promise.all(
    issues.map(async ({ data: { key } }, issue) => {
      for (let n = 0; n < EVENTS / ISSUES; n++) {
        const url = webs[(issue + n) % 2]!.url + here.owner.url(`P/issues/${key}`).slice(here.app.baseUrl.length);
        await patch(here.owner, url, { assignee: n % 2 === 0 ? agent.id : null });
        progress.made++;
        // About as long as the readers reconnect.
        await sleep((RECONNECTS * 225 * ISSUES) / EVENTS - 20);
      }
    }),
  );
}

async function patch(owner: Client, url: string, body: object) {
  for (let tries = 0; ; tries++) {
    const headers = { authorization: `Bearer ${owner.key}`, "content-type": "application/json" };
    const reply = await fetch(url, { method: "PATCH", headers, body: JSON.stringify(body) });
    if (reply.ok) return void (await reply.body?.cancel());
    if (reply.status < 500 || tries > 50) expect.fail(`${reply.status} ${await reply.text()}`);
    await sleep(200);
  }
}

/** A worker is killed, Redis forgets everything, and Redis restarts without its data. */
async function breakThings(workers: Process[], progress: { made: number }) {
  const reached = async (share: number) => {
    while (progress.made < EVENTS * share) await sleep(20);
  };
  await reached(0.2);
  await workers[0]!.kill();
  await reached(0.4);
  workers[0] = await started("worker");
  const redis = new Redis(redisUrl);
  redis.on("error", () => {});
  await redis.flushall();
  await reached(0.6);
  const pid = Number(/process_id:(\d+)/.exec(await redis.info("server"))![1]);
  process.kill(pid, "SIGKILL");
  await reached(0.8);
  await workers[1]!.kill();
  redis.disconnect();
}

test("three kinds of clients see every event, in order for each issue, while everything else breaks", {
  timeout: 300_000,
}, async () => {
  const here = await world();
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  const bot = await agentIn(here);
  const webs = [await started("web"), await started("web")];
  const workers = [await started("worker"), await started("worker")];
  const since = encodeURIComponent(new Date().toISOString());
  const path = `${here.owner.url("W/agent-events").slice(here.app.baseUrl.length)}?since=${since}`;
  const random = seeded(seed);
  const progress = { made: 0 };
  const readers = { fetch: byFetch, curl: byCurl, eventsource: byEventSource };
  const clients = Object.fromEntries(
    await Promise.all(
      Object.entries(readers).map(async ([name, reader], n) => {
        const { key } = await here.keyFor(bot.client, { scopes: ["agents:read"] });
        return [name, follow(reader, key!, () => random.pick(webs).url + path, progress, seed + n)] as const;
      }),
    ),
  );
  await Promise.all([produce(here, webs, bot, progress), breakThings(workers, progress)]);

  const expected = await here.sql<{ id: string; type: string; issue_id: string }>(
    `select id, type, issue_id from event where workspace_id = $1 and type = any($2) order by created_at, id`,
    [here.workspace.id, NAMES],
  );
  expect(expected).toHaveLength(EVENTS);
  for (const [name, client] of Object.entries(clients)) {
    const missing = () => {
      const ids = new Set(client.seen.map(({ id }) => id));
      return expected.filter(({ id }) => !ids.has(id));
    };
    // On a fast machine a client has seen all events before it was cut that often.
    const isDone = () => missing().length === 0 && client.cuts() >= RECONNECTS;
    for (const end = Date.now() + 60_000; !isDone() && Date.now() < end; ) await sleep(100);
    expect(missing(), `${name} missed events, FUZZ_SEED=${seed}`).toEqual([]);
    expect(client.cuts(), `connections of ${name} that were cut`).toBeGreaterThanOrEqual(RECONNECTS);
    await client.stop();
    const ids = new Set<string>();
    const firsts = client.seen.filter(({ id }) => !ids.has(id) && ids.add(id));
    expect(firsts).toHaveLength(EVENTS);
    for (const issue of new Set(expected.map(({ issue_id }) => issue_id))) {
      const inOrder = expected.filter(({ issue_id }) => issue_id === issue).map(({ id }) => id);
      const heard = firsts.filter(({ data }) => data.data.id === issue);
      expect(
        heard.map(({ id }) => id),
        `the order of ${name}, FUZZ_SEED=${seed}`,
      ).toEqual(inOrder);
    }
  }
});
