import { newlyMentioned, type WithMentions } from "../../events/mentions.ts";
import { messageCreated, messageUpdated } from "../../knowledge/chat-messages/events.ts";
import { agentsOf, type Happened, mentioned, rule, type Telling } from "./telling.ts";

/**
 * What agents are told of messages. Nothing of it is stored: whoever missed some reads the channel. A streamed message is
 * told once it is complete, with its whole text; its parts are in the stream of the channel.
 */

type Message = WithMentions & {
  author_id: string;
  channel_id: string;
  body_md: string;
  streaming: boolean;
};

export const chatRules = [
  rule(messageCreated, (event: Happened<Message>) => (event.data.streaming ? [] : arrived(event))),
  rule(messageUpdated, (event: Happened<Message>) =>
    event.changed.includes("stream_status") ? arrived(event) : mentionedInMessage(event),
  ),
];

function arrived(event: Happened<Message>): Telling[] {
  const { channel, data } = event;
  if (!channel) return mentionedInMessage(event);
  const { agents: all, ...shown } = channel;
  // A stream whose author fell silent was ended by nobody.
  const agents = all.filter((id) => id !== data.author_id);
  const message = { agents, context: { channel: shown }, channel_id: channel.id, live: true };
  return [{ name: "chat.message.created", ...message }, ...mentionedInMessage(event)];
}

function mentionedInMessage(event: Happened<Message>): Telling[] {
  const { author_id, channel_id, body_md } = event.data;
  const where = { source: "chat", issue_key: null, channel_id, live: true } as const;
  const agents = agentsOf(newlyMentioned(event)).filter((id) => id !== author_id);
  return agents.map((agent) => mentioned(agent, body_md, where));
}
