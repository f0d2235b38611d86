import { messageCreated, messageUpdated } from "../../knowledge/chat-messages/events.ts";
import { type Happened, mentioned, newlyMentioned, rule, type Telling, type WithMentions } from "./telling.ts";

/** What agents are told of messages. Nothing of it is stored: whoever missed some reads the channel. */

type Message = WithMentions & { channel_id: string; body_md: string };

export const chatRules = [
  rule(messageCreated, (event: Happened<Message>) => [...arrived(event), ...mentionedInMessage(event)]),
  // The mentions of a streamed message are known once it is complete.
  rule(messageUpdated, mentionedInMessage),
];

function arrived({ channel }: Happened<Message>): Telling[] {
  if (!channel) return [];
  const { agents, ...shown } = channel;
  return [{ name: "chat.message.created", agents, context: { channel: shown }, channel_id: channel.id, live: true }];
}

function mentionedInMessage(event: Happened<Message>): Telling[] {
  const { channel_id, body_md } = event.data;
  const where = { source: "chat", issue_key: null, channel_id, live: true } as const;
  return newlyMentioned(event).map((agent) => mentioned(agent, body_md, where));
}
