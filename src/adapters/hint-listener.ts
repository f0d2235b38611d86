import type { Redis } from "ioredis";
import { hintChannel } from "./hint.ts";

/**
 * Hears that something was committed. The connection is for this alone and subscribes again by itself after a loss;
 * what is missed meanwhile is found by polling.
 */
export function openHintListener(connection: Redis, prefix: string): (wake: () => void) => () => void {
  // Fails only while Redis is away, and is repeated when it is back.
  connection.subscribe(hintChannel(prefix)).catch(() => {});
  return (wake) => {
    connection.on("message", wake);
    return () => connection.off("message", wake);
  };
}
