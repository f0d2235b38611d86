import type { Redis } from "ioredis";
import type { Ports } from "../domain/kernel/ports/ports.ts";

export const channelName = (prefix: string, channel: string): string => `${prefix}:${channel}`;

/**
 * Publishes over Redis without waiting. A message may be lost, so receivers must also look at rows. The same message
 * is sent once per tick, because many commits at a time need to wake the relay only once.
 */
export function openPublisher(redis: Redis, prefix: string): Ports["publish"] {
  const pending = new Map<string, readonly [channel: string, message: string]>();
  const send = () => {
    for (const [channel, message] of pending.values())
      redis.publish(channelName(prefix, channel), message).catch(() => {});
    pending.clear();
  };
  return (channel, message = "") => {
    if (pending.size === 0) setImmediate(send);
    pending.set(`${channel} ${message}`, [channel, message]);
  };
}
