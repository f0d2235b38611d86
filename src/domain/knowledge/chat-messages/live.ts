import type { Ctx } from "../../kernel/context.ts";

/** What readers of a channel hear while a message is written. Only the events are stored. */

/** A part of a streamed message. */
export type Delta = { message_id: string; channel_id: string; seq: number; delta: string; done: boolean };

/** The name under which the parts of a channel are published. */
export const topicOf = (channelId: string): string => `chat:${channelId}`;

/** Tells the readers of a channel. A part that is lost on the way is in the rows, too. */
export function publishDelta(ports: Pick<Ctx["ports"], "publish">, delta: Delta): void {
  ports.publish(topicOf(delta.channel_id), JSON.stringify(delta));
}
