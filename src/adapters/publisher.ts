import type { Redis } from "ioredis";
import type { Ports } from "../domain/kernel/ports/ports.ts";

export const channelName = (prefix: string, channel: string): string => `${prefix}:${channel}`;

/** Sent to the subscribers of a channel after messages to it were lost. */
export const LOST = "!lost";
/** How soon to tell them. */
const TELL_MS = 1_000;
/** Channels of lost messages that are remembered. Subscribers of others are not told. */
const MAX_LOST = 1_000;

/**
 * Publishes over Redis without waiting. A message may be lost, so receivers must also look at rows. Subscribers are told
 * that messages were lost as soon as Redis is back. The same message is sent once per tick, because many commits at a time
 * need to wake the relay only once.
 */
export function openPublisher(redis: Redis, prefix: string): Ports["publish"] {
  const pending = new Map<string, readonly [channel: string, message: string]>();
  const lost = new Set<string>();
  let isDue = false;

  const publish = (channel: string, message: string) => {
    redis.publish(channelName(prefix, channel), message).catch(() => {
      if (lost.size < MAX_LOST) lost.add(channel);
      tellLater();
    });
  };
  const tellLater = () => {
    if (!isDue) setTimeout(tell, TELL_MS).unref();
    isDue = true;
  };
  const tell = () => {
    isDue = false;
    if (redis.status === "end") return;
    if (redis.status !== "ready") return tellLater();
    const channels = [...lost];
    lost.clear();
    for (const channel of channels) publish(channel, LOST);
  };
  const send = () => {
    for (const [channel, message] of pending.values()) publish(channel, message);
    pending.clear();
  };
  return (channel, message = "") => {
    if (pending.size === 0) setImmediate(send);
    pending.set(`${channel} ${message}`, [channel, message]);
  };
}
