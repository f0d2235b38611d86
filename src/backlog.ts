import { QueueKeys } from "bullmq";
import { outboxLagSeconds } from "./domain/events/outbox.sql.ts";
import { QUEUE_NAMES } from "./queues/index.ts";
import type { Resources } from "./resources.ts";

/** The backlogs, for metrics. Uses the Redis connection whose commands do not wait. */
export function backlogOf({ database, redis, config }: Resources) {
  const keys = new QueueKeys(config.REDIS_PREFIX);
  return {
    /** Jobs waiting or delayed, by queue. Jobs with a priority wait in a set of their own. */
    async queueDepths(): Promise<Record<string, number>> {
      const depths = QUEUE_NAMES.map(async (name) => {
        const [waiting, prioritized, delayed] = await Promise.all([
          redis.llen(keys.toKey(name, "wait")),
          redis.zcard(keys.toKey(name, "prioritized")),
          redis.zcard(keys.toKey(name, "delayed")),
        ]);
        return [name, waiting + prioritized + delayed] as const;
      });
      return Object.fromEntries(await Promise.all(depths));
    },
    outboxLagSeconds: () => outboxLagSeconds(database, new Date()),
  };
}
