import type { Redis } from "ioredis";
import type { Log, RateLimiter } from "../domain/kernel/ports/ports.ts";

/**
 * Fixed windows (60 s by default) in Redis, shared by all web processes. A process takes units in small leases and
 * spends them without asking Redis again. All spent units were counted in Redis first, so a limit is never exceeded.
 * Small limits (below 40 per minute) are counted one by one. A lowered limit applies to the next call: each process
 * then gives back the units that it leased under the old one. Without Redis every call passes: limits protect the
 * service, they do not authorize.
 */

const WINDOW_SECONDS = 60;
/** The size of a lease as a fraction of the limit, at most MAX_LEASED units. */
const LEASES_PER_WINDOW = 20;
const MAX_LEASED = 500;
/** The end of a window may be seen this much later here than in Redis. */
const CLOCK_MS = 1_000;
/** Maximum number of keys with leases. The oldest lease's remaining units are dropped. */
const MAX_WINDOWS = 50_000;

// Gives back the rest of an older lease. Then takes the available units: at most the lease, and at least the cost of
// the call, or none.
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
  /** The limit of the last request to Redis. */
  limit: number;
  /** Leased units that are not spent. */
  left: number;
  /** Units leased under a higher limit, to be given back. */
  surplus: number;
  /** Units counted by Redis at the last request, including the unspent ones here. */
  used: number;
  endsAt: number;
  /** A pending request for a lease, which all calls wait for. */
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
    if (windows.size > MAX_WINDOWS) windows.delete(windows.keys().next().value!);
    return window;
  }

  /** Returns whether the cost was available. If so it is taken, and the rest of the lease remains. */
  async function lease(key: string, window: Window, cost: number, limit: number, windowMs: number) {
    const size = Math.max(cost, Math.min(MAX_LEASED, Math.floor(limit / LEASES_PER_WINDOW)));
    // Redis may begin a new window slightly earlier than this process. Nothing is given back for that window.
    const surplus = window.endsAt - Date.now() > CLOCK_MS ? window.surplus : 0;
    window.surplus = 0;
    const [given, used, leftMs] = await scripted.leaseRate(name(key), size, cost, limit, windowMs, surplus);
    const rest = given > 0 ? given - cost : 0;
    // The limit may have been lowered in the meantime.
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
