import { setTimeout as sleep } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { readConfig } from "../src/config.ts";
import { backgroundOf } from "../src/domain/events/background.ts";
import { newId } from "../src/domain/kernel/ids.ts";
import { COMMITTED } from "../src/domain/kernel/ports/ports.ts";
import { openProducer } from "../src/queues/producer.ts";
import { isUnavailable, openResources } from "../src/resources.ts";
import { sendEmail } from "../src/workers/delivery/send-email.ts";
import { startRelay } from "../src/workers/events/relay.ts";
import { startWorkers } from "../src/workers/run.ts";
import { serve } from "../src/workers/worker.ts";
import { setUp } from "./setup.ts";

/**
 * Latency from the commit of an event to the start of its job, one at a time on an idle machine: hint, relay, queue,
 * worker. Compared with BullMQ alone: from add to handler.
 */

const ROUNDS = 5;
const EVENTS = 100;
const PAUSE_MS = 10;
const GOAL_MS = 20;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  const config = readConfig(bench.env);
  const resources = openResources(config, "bench");
  const { database, log, ports } = resources;
  const onError = (error: Error) => log.error({ err: error }, "a queue is not reachable");
  const connection = new Redis(resources.queueRedis);
  const started = openSignals();

  const floorQueue = new Queue("floor", { connection, prefix: "floor" });
  const floorWorker = new Worker("floor", async (job) => started.give(job.id ?? ""), { connection, prefix: "floor" });

  const producer = openProducer([sendEmail.name], { connection, prefix: config.REDIS_PREFIX, onError });
  const handler = serve(sendEmail, async (_, { event_id }) => started.give(event_id));
  const context = () => backgroundOf(resources, "");
  const common = { producer, queues: [sendEmail], isUnavailable, log };
  const options = {
    ...common,
    connection,
    prefix: config.REDIS_PREFIX,
    processId: newId(),
    livedSince: () => true,
    context,
    concurrency: {},
    onError,
  };
  const workers = startWorkers([handler], options);
  const relay = startRelay({
    ...common,
    database,
    isServed: () => false,
    onCommitted: (wake) => ports.subscribe(COMMITTED, wake),
  });

  const throughFloor = async (id: string) => {
    const start = performance.now();
    await floorQueue.add("floor", {}, { jobId: id, removeOnComplete: true });
    return start;
  };
  const throughOutbox = async (id: string) => {
    await bench.sql(RECORD, [id, bench.ids.workspaceId]);
    const start = performance.now();
    ports.publish(COMMITTED);
    return start;
  };

  try {
    await Promise.all([workers.ready(), floorWorker.waitUntilReady(), sleep(500)]);
    const rounds: { floor: number[]; commit: number[] } = { floor: [], commit: [] };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.floor.push(...(await measure(throughFloor, started)));
      rounds.commit.push(...(await measure(throughOutbox, started)));
    }
    const [floor, commit] = [at(rounds.floor, 0.5), at(rounds.commit, 0.5)];
    const ms = (value: number) => `${value.toFixed(2)} ms`;
    console.log(`commit to job: ${ROUNDS} interleaved rounds of ${EVENTS}, one at a time`);
    console.log(`  BullMQ add to handler    median ${ms(floor)}, p99 ${ms(at(rounds.floor, 0.99))}`);
    console.log(`  commit to handler        median ${ms(commit)}, p99 ${ms(at(rounds.commit, 0.99))}`);
    console.log(
      `  ratio ${(commit / floor).toFixed(1)}; goal: median below ${GOAL_MS} ms: ${commit < GOAL_MS ? "met" : "MISSED"}`,
    );
  } finally {
    await relay.stop();
    await workers.stop(1_000);
    await Promise.all([producer.close(), floorWorker.close(), floorQueue.close()]);
    connection.disconnect();
    await resources.close();
    await bench.stop();
  }
}

const RECORD = `
  with written as (
    insert into event (id, workspace_id, type, actor_kind, cause, data, created_at)
    values ($1, $2, 'mail.written', 'user', '{}', '{}', now()) returning id, workspace_id, type)
  insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written`;

type Signals = ReturnType<typeof openSignals>;

/** Resolves when the job with this id has begun. */
function openSignals() {
  const waiting = new Map<string, (at: number) => void>();
  return {
    expect: (id: string) => new Promise<number>((resolve) => waiting.set(id, resolve)),
    give(id: string): undefined {
      waiting.get(id)?.(performance.now());
      waiting.delete(id);
    },
  };
}

async function measure(send: (id: string) => Promise<number>, started: Signals): Promise<number[]> {
  const waits: number[] = [];
  for (let event = 0; event < EVENTS; event++) {
    const id = newId();
    const begun = started.expect(id);
    const sent = await send(id);
    waits.push((await begun) - sent);
    await sleep(PAUSE_MS);
  }
  return waits;
}

const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

if (import.meta.main) await run();
