import { Redis } from "ioredis";
import { QUEUE_NAMES } from "../queues/index.ts";
import { openProducer } from "../queues/producer.ts";
import type { Resources } from "../resources.ts";
import { Failure } from "./command.ts";

export const STATES = ["waiting", "active", "delayed", "failed"] as const;
export type Counts = Record<(typeof STATES)[number], number>;

const CONNECT_MS = 3_000;

/** Counts the jobs of each queue by state. @throws Failure if Redis is unavailable */
export async function countJobs({ config, queueRedis }: Resources): Promise<Record<string, Counts>> {
  const connection = await connect(queueRedis);
  const producer = openProducer(QUEUE_NAMES, { connection, prefix: config.REDIS_PREFIX, onError: () => {} });
  try {
    const counted = QUEUE_NAMES.map(async (name) => {
      const counts = await producer.open({ name }).getJobCounts(...STATES, "prioritized");
      const of = (state: string) => counts[state] ?? 0;
      const waiting = of("waiting") + of("prioritized");
      return [name, { waiting, active: of("active"), delayed: of("delayed"), failed: of("failed") }] as const;
    });
    return Object.fromEntries(await Promise.all(counted));
  } finally {
    await producer.close();
    connection.disconnect();
  }
}

/** A worker waits for Redis without limit; a person does not. */
async function connect(options: Resources["queueRedis"]): Promise<Redis> {
  const connection = new Redis({
    ...options,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: () => null,
  });
  connection.on("error", () => {});
  try {
    await connection.connect();
    return connection;
  } catch {
    throw new Failure("Redis does not answer. Check that it is running and that REDIS_URL is correct.");
  }
}
