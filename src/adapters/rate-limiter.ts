import type { Redis } from "ioredis";
import type { Log, RateLimiter } from "../domain/kernel/ports/ports.ts";

/**
 * Fixed windows (60 s, unless said otherwise) in Redis, shared by all web processes. A process takes units in small leases
 * and spends them without asking again: all that is ever spent was counted in Redis before, so a limit is never exceeded,
 * and small limits (below 40 a minute) are counted one by one. A limit that becomes lower holds for the next call: each
 * process then gives back what it has leased under the old one. Without Redis every call passes: limits protect, they do
 * not gate.
 */

const WINDOW_SECONDS = 60;
/** A lease is this part of the limit, at most MOST_LEASED units. */
const LEASES_PER_WINDOW = 20;
const MOST_LEASED = 500;
/** By how much the end of a window may be seen later here than in Redis. */
const CLOCK_MS = 1_000;
/** Keys whose leases are kept; what is left of the oldest is given up. */
const MOST_WINDOWS = 50_000;

// Gives back what is left of an older lease, then takes what is there, up to the lease, but at least what the call costs
// or nothing.
const TAKE = `
  local used = tonumber(redis.call("GET", KEYS[1]) or "0")
  local returned = math.min(tonumber(ARGV[5]), used)
  if returned > 0 then used = redis.call("DECRBY", KEYS[1], returned) end
  local given = math.min(tonumber(ARGV[1]), tonumber(ARGV[3]) - used)
  if given < tonumber(ARGV[2]) then given = 0 end
  if given > 0 then
    redis.call("INCRBY", KEYS[1], given)
    if redis.call("PTTL", KEYS[1]) < 0 then redis.call("PEXPIRE", KEYS[1], ARGV[4]) end
  end
  local left = redis.call("PTTL", KEYS[1])
  return {given, used + given, left < 0 and tonumber(ARGV[4]) or left}`;

type Scripted = Redis & {
  leaseRate(
    key: string,
    lease: number,
    cost: number,
    limit: number,
    windowMs: number,
    returned: number,
  ): Promise<[given: number, used: number, leftMs: number]>;
};

type Window = {
  /** The limit that it was asked for last. */
  limit: number;
  /** Units leased and not yet spent. */
  left: number;
  /** Units leased under a higher limit, to be given back. */
  surplus: number;
  /** Units that Redis had counted when it was asked last, those left here included. */
  used: number;
  endsAt: number;
  /** A lease on its way, which all calls wait for. */
  asking: Promise<boolean> | null;
};

export function openRateLimiter(redis: Redis, prefix: string, log: Log): RateLimiter {
  redis.defineCommand("leaseRate", { numberOfKeys: 1, lua: TAKE });
  const scripted = redis as Scripted;
  const windows = new Map<string, Window>();
  const name = (key: string) => `${prefix}:rate:${key}`;

  function windowOf(key: string, windowMs: number): Window {
    const known = windows.get(key);
    if (known && (known.endsAt > Date.now() || known.asking)) return known;
    const window: Window = { limit: 0, left: 0, surplus: 0, used: 0, endsAt: Date.now() + windowMs, asking: null };
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > MOST_WINDOWS) windows.delete(windows.keys().next().value!);
    return window;
  }

  /** Answers whether the call's cost was there; it is taken then, and the rest of the lease is left. */
  async function lease(key: string, window: Window, cost: number, limit: number, windowMs: number) {
    const size = Math.max(cost, Math.min(MOST_LEASED, Math.floor(limit / LEASES_PER_WINDOW)));
    // Redis may count a new window a moment before we do; nothing is taken off that one.
    const surplus = window.endsAt - Date.now() > CLOCK_MS ? window.surplus : 0;
    window.surplus = 0;
    const [given, used, leftMs] = await scripted.leaseRate(name(key), size, cost, limit, windowMs, surplus);
    const rest = given > 0 ? given - cost : 0;
    // The limit may have become lower meanwhile.
    if (window.limit < limit) window.surplus += rest;
    else window.left += rest;
    window.used = used;
    window.endsAt = Date.now() + leftMs;
    return given > 0;
  }

  return {
    async take(key, cost, limit, windowSeconds = WINDOW_SECONDS) {
      const windowMs = windowSeconds * 1000;
      try {
        for (;;) {
          const window = windowOf(key, windowMs);
          if (limit < window.limit) {
            window.surplus += window.left;
            window.left = 0;
          }
          window.limit = limit;
          if (window.left >= cost) {
            window.left -= cost;
            return answer(window, limit, true);
          }
          if (window.asking) {
            await window.asking;
            continue;
          }
          window.asking = lease(key, window, cost, limit, windowMs).finally(() => {
            window.asking = null;
          });
          return answer(window, limit, await window.asking);
        }
      } catch (error) {
        log.debug({ err: error }, "rate limits are off while Redis is away");
        return null;
      }
    },
    giveBack(key, cost) {
      const window = windows.get(key);
      if (window) window.left += cost;
    },
  };
}

const answer = (window: Window, limit: number, allowed: boolean) => ({
  allowed,
  remaining: Math.max(0, limit - window.used + window.left),
  resetSeconds: Math.max(1, Math.ceil((window.endsAt - Date.now()) / 1000)),
});
