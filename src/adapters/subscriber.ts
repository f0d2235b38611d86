import type { Redis } from "ioredis";
import type { Ports } from "../domain/kernel/ports/ports.ts";
import { channelName } from "./publisher.ts";

type Listener = { hear(message: string): void; interrupted(): void };

export type Subscriber = { subscribe: Ports["subscribe"]; close(): void };

/**
 * Subscribes over Redis, on its own connection, which is opened on first use. It resubscribes after a connection
 * loss. Messages lost in between must be found in rows.
 */
export function openSubscriber(connect: () => Redis, prefix: string): Subscriber {
  const listeners = new Map<string, Set<Listener>>();
  let connection: Redis | undefined;

  const connected = (): Redis => {
    if (connection) return connection;
    connection = connect();
    connection.on("message", (name: string, message: string) => {
      for (const { hear } of listeners.get(name) ?? []) hear(message);
    });
    let isBack = false;
    connection.on("ready", () => {
      if (isBack) for (const each of listeners.values()) for (const { interrupted } of each) interrupted();
      isBack = true;
    });
    return connection;
  };

  return {
    subscribe(channel, hear, interrupted = () => {}) {
      const name = channelName(prefix, channel);
      const others = listeners.get(name) ?? new Set();
      const listener = { hear, interrupted };
      listeners.set(name, others.add(listener));
      // Fails only while Redis is unavailable, and is repeated after reconnecting.
      if (others.size === 1)
        connected()
          .subscribe(name)
          .catch(() => {});
      return () => {
        if (!others.delete(listener) || others.size > 0) return;
        listeners.delete(name);
        connected()
          .unsubscribe(name)
          .catch(() => {});
      };
    },
    close: () => connection?.disconnect(),
  };
}
