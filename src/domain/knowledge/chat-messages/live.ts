import type { Ctx } from "../../kernel/context.ts";
import type { Subscription } from "../../kernel/ports/ports.ts";
import type { ChatMessageView, ChatReactionsView } from "./view.ts";

/**
 * What readers of a channel hear at once, over Redis. Nothing of it is stored. A message of Redis that is lost is found
 * in rows: parts in the message, everything else by reading the channel again.
 */
export type Heard =
  /** A part of a streamed message. */
  | { kind: "delta"; message_id: string; channel_id: string; seq: number; delta: string; done: boolean }
  /** A message was written, changed or deleted. */
  | { kind: "event"; type: string; data: ChatMessageView }
  /** Somebody added or removed a reaction. */
  | { kind: "event"; type: "chat.message.reactions"; data: ChatReactionsView };

export type Delta = Extract<Heard, { kind: "delta" }>;

const topicOf = (channelId: string): string => `chat:${channelId}`;

export function tellReaders(ports: Pick<Ctx["ports"], "publish">, channelId: string, heard: Heard): void {
  ports.publish(topicOf(channelId), JSON.stringify(heard));
}

/** Listens to a channel. Returns what ends it. */
export const listenTo = (
  ports: Pick<Ctx["ports"], "subscribe">,
  channelId: string,
  { hear, ...about }: Subscription & { hear(heard: Heard): void },
): (() => void) => ports.subscribe(topicOf(channelId), (text) => hear(parsed(text)), about);

let latest: { text: string; heard: Heard } | undefined;

/** A message is handed to all readers in a process one after the other, and parsed for the first of them only. */
function parsed(text: string): Heard {
  if (latest?.text !== text) latest = { text, heard: JSON.parse(text) as Heard };
  return latest.heard;
}
