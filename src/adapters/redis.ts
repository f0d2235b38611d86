import { Redis, type RedisOptions } from "ioredis";
import type { Log } from "../domain/kernel/ports/ports.ts";

export type RedisSettings = { url: string; noVerify: boolean };

/**
 * Longer than BullMQ's blocking commands (10 s). A connection that waits this long for a reply is replaced, because
 * its other end may be gone silently.
 */
const SILENT_MS = 15_000;

/** Required for BullMQ's blocking connections: they wait without limit, across restarts of Redis. */
export function queueConnection({ url, noVerify }: RedisSettings): RedisOptions {
  const parsed = new URL(url);
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ""),
    port: Number(parsed.port || 6379),
    username: decodeURIComponent(parsed.username) || undefined,
    password: decodeURIComponent(parsed.password) || undefined,
    db: Number(parsed.pathname.slice(1) || 0),
    maxRetriesPerRequest: null,
    socketTimeout: SILENT_MS,
    retryStrategy: reconnectDelay,
    ...(parsed.protocol === "rediss:" ? { tls: { rejectUnauthorized: !noVerify } } : {}),
  };
}

const COMMAND_MS = 250;

/** A connection for requests: commands fail at once while Redis is unavailable. */
export function openRedis(settings: RedisSettings, log: Log): Redis {
  const redis = new Redis({
    ...queueConnection(settings),
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    commandTimeout: COMMAND_MS,
    socketTimeout: 4 * COMMAND_MS,
    maxRetriesPerRequest: 0,
  });
  // It reconnects at least every two seconds and logs each attempt.
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
