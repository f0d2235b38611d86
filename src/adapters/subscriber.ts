import type { Redis } from "ioredis";
import type { Ports, Subscription } from "../domain/kernel/ports/ports.ts";
import { channelName, LOST } from "./publisher.ts";

type Listener = Subscription & { hear(message: string): void };
/** The listeners of a channel. `listening` resolves once Redis has confirmed the subscription. */
type Channel = { listeners: Set<Listener>; listening: Promise<unknown> };

export type Subscriber = { subscribe: Ports["subscribe"]; close(): void };

/**
 * Subscribes over Redis, on its own connection, which is opened on first use. It resubscribes after a connection
 * loss. Messages lost in between must be found in rows.
 */
export function openSubscriber(connect: () => Redis, prefix: string): Subscriber {
  const channels = new Map<string, Channel>();
  let connection: Redis | undefined;

  const connected = (): Redis => {
    if (connection) return connection;
    connection = connect();
    connection.on("message", (name: string, message: string) => {
      for (const { hear, interrupted } of channels.get(name)?.listeners ?? []) {
        if (message === LOST) interrupted?.();
        else hear(message);
      }
    });
    let isBack = false;
    connection.on("ready", () => {
      if (isBack)
        for (const { listeners } of channels.values()) for (const { interrupted } of listeners) interrupted?.();
      isBack = true;
    });
    return connection;
  };

  return {
    subscribe(name, hear, about = {}) {
      const channel = channelName(prefix, name);
      const listener = { ...about, hear };
      const entry = channels.get(channel) ?? { listeners: new Set(), listening: connected().subscribe(channel) };
      const { listeners } = entry;
      channels.set(channel, entry);
      listeners.add(listener);
      entry.listening.then(
        () => listeners.has(listener) && about.listening?.(),
        // The connection was closed for good.
        () => {},
      );
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        channels.delete(channel);
        connected()
          .unsubscribe(channel)
          .catch(() => {});
      };
    },
    close: () => connection?.disconnect(),
  };
}
