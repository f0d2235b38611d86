import type { Ports, Subscription } from "../../kernel/ports/ports.ts";
import type { Frame } from "./frame.ts";

/**
 * What the streams of an agent hear at once, over Redis. Messages may be lost, doubled or arrive in another order: readers
 * go by `seq`, and read what is missing from the rows.
 */

const topicOf = (agentId: string): string => `agent:${agentId}`;

/** Sends frames of one agent to the processes that serve its streams. */
export function publishFrames(ports: Pick<Ports, "publish">, agentId: string, frames: readonly Frame[]): void {
  if (frames.length > 0) ports.publish(topicOf(agentId), JSON.stringify(frames));
}

/** Listens to the frames of an agent. Returns what ends it. */
export const listenToAgent = (
  ports: Pick<Ports, "subscribe">,
  agentId: string,
  { heard, ...about }: Subscription & { heard(frames: readonly Frame[]): void },
): (() => void) => ports.subscribe(topicOf(agentId), (text) => heard(JSON.parse(text) as Frame[]), about);
