import type { Redis } from "ioredis";
import type { Log, RateLimiter } from "../domain/ports.ts";

/**
 * Fixed windows of 60 s in Redis, shared by all web processes. While a key is far from its limit a process counts on
 * its own and tells Redis several times a second; near the limit every call asks Redis, so that the limit holds
 * exactly. Without Redis every call passes: limits protect, they do not gate.
 */

const WINDOW_SECONDS = 60;
const SYNC_MS = 50;
/** Fewer calls left than this, or than a tenth of the limit, and Redis is asked each time. */
const NEAR = 50;

const TAKE = `
  local used = redis.call("INCRBY", KEYS[1], ARGV[1])
  local left = redis.call("PTTL", KEYS[1])
  if left < 0 then redis.call("PEXPIRE", KEYS[1], ${WINDOW_SECONDS * 1000}) left = ${WINDOW_SECONDS * 1000} end
  return {used, left}`;

type Scripted = Redis & { takeRate(key: string, cost: number): Promise<[used: number, leftMs: number]> };

type Window = {
  /** What Redis counted when it was asked last, this process's calls up to then included. */
  used: number;
  /** Calls since, of this process. */
  pending: number;
  endsAt: number;
};

export function openRateLimiter(redis: Redis, prefix: string, log: Log): RateLimiter & { close(): void } {
  redis.defineCommand("takeRate", { numberOfKeys: 1, lua: TAKE });
  const scripted = redis as Scripted;
  const windows = new Map<string, Window>();
  const name = (key: string) => `${prefix}:rate:${key}`;

  const ask = async (key: string, cost: number): Promise<Window | null> => {
    try {
      const [used, leftMs] = await scripted.takeRate(name(key), cost);
      const window = { used, pending: windows.get(key)?.pending ?? 0, endsAt: Date.now() + leftMs };
      windows.set(key, window);
      return window;
    } catch (error) {
      log.debug({ err: error }, "rate limits are off while Redis is away");
      return null;
    }
  };

  const sync = () => {
    const now = Date.now();
    for (const [key, window] of windows) {
      if (window.endsAt <= now) windows.delete(key);
      else if (window.pending > 0) {
        const { pending } = window;
        window.pending = 0;
        window.used += pending;
        void ask(key, pending);
      }
    }
  };
  const timer = setInterval(sync, SYNC_MS);
  timer.unref();

  return {
    async take(key, cost, limit) {
      const window = windows.get(key);
      const now = Date.now();
      if (window && window.endsAt > now) {
        const used = window.used + window.pending + cost;
        if (limit - used > Math.max(NEAR, limit / 10)) {
          window.pending += cost;
          return { used, resetSeconds: secondsTo(window.endsAt, now) };
        }
      }
      const pending = window && window.endsAt > now ? window.pending : 0;
      if (window) window.pending = 0;
      const asked = await ask(key, cost + pending);
      return asked && { used: asked.used + asked.pending, resetSeconds: secondsTo(asked.endsAt, now) };
    },
    giveBack(key, cost) {
      redis.decrby(name(key), cost).catch(() => {});
    },
    close: () => clearInterval(timer),
  };
}

const secondsTo = (endsAt: number, now: number) => Math.max(1, Math.ceil((endsAt - now) / 1000));
