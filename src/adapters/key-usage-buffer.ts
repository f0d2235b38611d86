import type { Redis } from "ioredis";
import type { KeyUsage, KeyUsageBuffer } from "../domain/kernel/ports/key-usage.ts";

/**
 * Collects counts in Redis: a hash for each slice, whose fields name key, day and what is counted. Slices are numbered
 * by the time at which they were opened, in milliseconds, and each has a higher number than the one before.
 */

/** For how long a flush is recognised, in seconds. */
const REMEMBERED_SECONDS = 2 * 86_400;

// Scripts run as one step, so a flush is added as a whole, and never to a slice that is closed.
const ADD = `
  if tonumber(redis.call("GET", KEYS[2]) or "0") >= tonumber(ARGV[2]) then return 0 end
  local slice = redis.call("HGET", KEYS[1], "open")
  if not slice then
    local time = redis.call("TIME")
    local last = tonumber(redis.call("HGET", KEYS[1], "last") or "0")
    slice = string.format("%.0f", math.max(last + 1, time[1] * 1000 + math.floor(time[2] / 1000)))
    redis.call("HSET", KEYS[1], "open", slice)
  end
  for at = 3, #ARGV, 2 do redis.call("HINCRBY", ARGV[1] .. slice, ARGV[at], ARGV[at + 1]) end
  redis.call("SET", KEYS[2], ARGV[2], "EX", ${REMEMBERED_SECONDS})
  return 1`;

const CLOSE = `
  local open = redis.call("HGET", KEYS[1], "open")
  if open then
    redis.call("HSET", KEYS[1], "last", open)
    redis.call("HDEL", KEYS[1], "open")
    redis.call("RPUSH", KEYS[2], open)
  end
  return redis.call("LRANGE", KEYS[2], 0, -1)`;

type Scripted = Redis & {
  addKeyUsage(
    state: string,
    seen: string,
    slice: string,
    number: number,
    ...counts: (string | number)[]
  ): Promise<0 | 1>;
  closeKeyUsage(state: string, closed: string): Promise<string[]>;
};

export function openKeyUsageBuffer(redis: Redis, redisPrefix: string): KeyUsageBuffer {
  redis.defineCommand("addKeyUsage", { numberOfKeys: 2, lua: ADD });
  redis.defineCommand("closeKeyUsage", { numberOfKeys: 2, lua: CLOSE });
  const scripted = redis as Scripted;
  const prefix = `${redisPrefix}:key-usage:`;
  const [state, closed, slices] = [`${prefix}state`, `${prefix}closed`, `${prefix}slice:`];

  return {
    async add({ process, number, usage }) {
      await scripted.addKeyUsage(state, `${prefix}seen:${process}`, slices, number, ...usage.flatMap(fieldsOf));
    },
    async close() {
      return (await scripted.closeKeyUsage(state, closed)).map(Number);
    },
    async read(slice) {
      const days = new Map<string, KeyUsage>();
      let cursor = "0";
      do {
        const [next, page] = await redis.hscan(slices + slice, cursor, "COUNT", 1_000);
        // Page by page: a slice may have a million fields. A scan may return a field twice.
        for (let at = 0; at < page.length; at += 2) setCount(days, page[at]!, Number(page[at + 1]));
        cursor = next;
      } while (cursor !== "0");
      return [...days.values()];
    },
    async remove(slice) {
      await redis
        .multi()
        .lrem(closed, 1, slice)
        .unlink(slices + slice)
        .exec();
    },
  };
}

const COUNTS = ["client_errors", "server_errors", "rate_limited"] as const;

/** Names of fields, each followed by its count. */
function fieldsOf(usage: KeyUsage): (string | number)[] {
  const fields: (string | number)[] = [];
  const add = (what: string | number, count: number) => {
    if (count > 0) fields.push(`${usage.key_id} ${usage.day} ${what}`, count);
  };
  for (const name of COUNTS) add(name, usage[name]);
  for (const [bucket, count] of usage.latencies.entries()) add(bucket, count);
  return fields;
}

function setCount(days: Map<string, KeyUsage>, field: string, count: number): void {
  const [key_id = "", day = "", what = ""] = field.split(" ");
  const id = `${key_id} ${day}`;
  const usage = days.get(id) ?? { key_id, day, client_errors: 0, server_errors: 0, rate_limited: 0, latencies: [] };
  days.set(id, usage);
  const name = COUNTS.find((one) => one === what);
  if (name) {
    usage[name] = count;
    return;
  }
  while (usage.latencies.length <= Number(what)) usage.latencies.push(0);
  usage.latencies[Number(what)] = count;
}
