import { Redis, type RedisOptions } from "ioredis";
import type { Log } from "../domain/ports.ts";

export type RedisSettings = { url: string; noVerify: boolean };

/** What BullMQ's blocking connections need: they wait for ever, across restarts of Redis. */
export function queueConnection({ url, noVerify }: RedisSettings): RedisOptions {
  const parsed = new URL(url);
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ""),
    port: Number(parsed.port || 6379),
    username: decodeURIComponent(parsed.username) || undefined,
    password: decodeURIComponent(parsed.password) || undefined,
    db: Number(parsed.pathname.slice(1) || 0),
    maxRetriesPerRequest: null,
    retryStrategy: reconnectDelay,
    ...(parsed.protocol === "rediss:" ? { tls: { rejectUnauthorized: !noVerify } } : {}),
  };
}

/** A connection for requests that must not wait: commands fail at once while Redis is away. */
export function openRedis(settings: RedisSettings, log: Log): Redis {
  const redis = new Redis({
    ...queueConnection(settings),
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    commandTimeout: 250,
    maxRetriesPerRequest: 0,
  });
  // It tries again every two seconds at least, and says so each time.
  let away = false;
  redis.on("error", (error) => {
    if (!away) log.warn({ err: error }, "Redis is away");
    away = true;
  });
  redis.on("ready", () => {
    if (away) log.info({}, "Redis is back");
    away = false;
  });
  return redis;
}

const reconnectDelay = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000);
