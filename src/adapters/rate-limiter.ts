import type { Redis } from "ioredis";
import type { Log, RateLimiter } from "../domain/ports.ts";

const WINDOW_SECONDS = 60;

// One trip: count, and let the window's first call set its end.
const TAKE = `
  local used = redis.call("INCRBY", KEYS[1], ARGV[1])
  if used == tonumber(ARGV[1]) then redis.call("EXPIRE", KEYS[1], ${WINDOW_SECONDS}) return {used, ${WINDOW_SECONDS}} end
  local left = redis.call("TTL", KEYS[1])
  if left < 0 then redis.call("EXPIRE", KEYS[1], ${WINDOW_SECONDS}) left = ${WINDOW_SECONDS} end
  return {used, left}`;

type Scripted = Redis & { takeRate(key: string, cost: number): Promise<[number, number]> };

/** Fixed windows of 60 s in Redis, shared by all web processes. Without Redis every call passes. */
export function openRateLimiter(redis: Redis, prefix: string, log: Log): RateLimiter {
  redis.defineCommand("takeRate", { numberOfKeys: 1, lua: TAKE });
  const scripted = redis as Scripted;
  const name = (key: string) => `${prefix}:rate:${key}`;
  return {
    async take(key, cost) {
      try {
        const [used, resetSeconds] = await scripted.takeRate(name(key), cost);
        return { used, resetSeconds: Math.max(1, resetSeconds) };
      } catch (error) {
        log.debug({ err: error }, "rate limits are off while Redis is away");
        return null;
      }
    },
    giveBack(key, cost) {
      redis.decrby(name(key), cost).catch(() => {});
    },
  };
}
