import type { Redis } from "ioredis";

/** The channel on which web processes tell workers that something was committed. */
export const hintChannel = (prefix: string): string => `${prefix}:hint`;

/**
 * Tells the relay to look, at most once a tick: many commits at a time need one hint. Fire and forget, since the relay
 * polls as well.
 */
export function openHint(redis: Redis, prefix: string): () => void {
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    setImmediate(() => {
      pending = false;
      redis.publish(hintChannel(prefix), "").catch(() => {});
    });
  };
}
