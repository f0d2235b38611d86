import { newlyMentioned, type WithMentions } from "../../events/mentions.ts";
import { messageCreated, messageUpdated } from "../chat-messages/events.ts";
import { type Happened, type Notice, nameOf, notice, rule } from "./notice.ts";

/** What messages notify of. A streamed message notifies once it is complete. */

type Message = WithMentions & { id: string; channel_id: string; body_md: string };

const IS_DIRECT = `
  exists (select from chat_channel c where c.workspace_id = e.workspace_id and c.id = e.channel_id and c.kind = 'dm')`;
const MENTIONS = "e.data -> 'mentions' <> '[]'";

export const chatRules = [
  rule(messageCreated, `e.data -> 'streaming' = 'false' and (${MENTIONS} or ${IS_DIRECT})`, arrived),
  rule(
    messageUpdated,
    `'mentions' = any(e.changed) or ('stream_status' = any(e.changed) and (${MENTIONS} or ${IS_DIRECT}))`,
    (event) => (event.changed.includes("stream_status") ? arrived(event) : mentioned(event)),
  ),
];

function arrived(event: Happened<Message>): Notice[] {
  const title = `${nameOf(event)} sent you a message`;
  return [
    ...mentioned(event),
    notice("chat_dm", aboutMessage(event), { circle: "correspondents", title, ...bodyOf(event) }),
  ];
}

function mentioned(event: Happened<Message>): Notice[] {
  const people = newlyMentioned(event).map(({ id }) => id);
  if (people.length === 0) return [];
  const title = `${nameOf(event)} mentioned you in chat`;
  return [notice("chat_mention", aboutMessage(event), { people, title, ...bodyOf(event) })];
}

const bodyOf = ({ data }: Happened<Message>) => ({ markdown: data.body_md ?? "" });
const aboutMessage = ({ data }: Happened<Message>) => ({ channel_id: data.channel_id, message_id: data.id });
