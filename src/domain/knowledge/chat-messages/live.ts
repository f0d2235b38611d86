import type { Ctx } from "../../kernel/context.ts";
import type { ChatMessageView } from "./view.ts";

/**
 * What readers of a channel hear at once, over Redis. Nothing of it is stored. A message of Redis that is lost is found
 * in rows: parts in the message, everything else by reading the channel again.
 */
export type Heard =
  /** A part of a streamed message. */
  | { kind: "delta"; message_id: string; channel_id: string; seq: number; delta: string; done: boolean }
  /** A message was written, changed or deleted. */
  | { kind: "event"; type: string; message: ChatMessageView }
  /** Somebody can no longer read the channel, or has left the workspace. */
  | { kind: "left"; user_id: string };

export type Delta = Extract<Heard, { kind: "delta" }>;

const topicOf = (channelId: string): string => `chat:${channelId}`;
const workspaceTopic = (workspaceId: string): string => `chat:all:${workspaceId}`;

type Publishing = Pick<Ctx["ports"], "publish">;

export function tellReaders(ports: Publishing, channelId: string, heard: Heard): void {
  ports.publish(topicOf(channelId), JSON.stringify(heard));
}

/** Tells the readers of all channels of a workspace. */
export function tellEveryone(ports: Publishing, workspaceId: string, heard: Heard): void {
  ports.publish(workspaceTopic(workspaceId), JSON.stringify(heard));
}

/** Listens to a channel, and to what concerns all channels of its workspace. Returns what ends it. */
export function listenTo(
  ports: Pick<Ctx["ports"], "subscribe">,
  { workspaceId, channelId }: { workspaceId: string; channelId: string },
  hear: (heard: Heard) => void,
): () => void {
  const ends = [topicOf(channelId), workspaceTopic(workspaceId)].map((topic) =>
    ports.subscribe(topic, (text) => hear(JSON.parse(text) as Heard)),
  );
  return () => {
    for (const end of ends) end();
  };
}
