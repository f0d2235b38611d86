import { deletedView } from "../../../domain/kernel/wire.ts";
import * as channels from "../../../domain/knowledge/chat/channels.ts";
import { ChatChannelView } from "../../../domain/knowledge/chat/view.ts";
import {
  ChatMessageCreateInput,
  ChatMessagePatchInput,
  ChatMessageQuery,
  ChatReactionInput,
  ChatReadInput,
  ChatStreamInput,
} from "../../../domain/knowledge/chat-messages/inputs.ts";
import * as messages from "../../../domain/knowledge/chat-messages/messages.ts";
import * as reactions from "../../../domain/knowledge/chat-messages/reactions.ts";
import { readUpTo } from "../../../domain/knowledge/chat-messages/read-marks.ts";
import { write } from "../../../domain/knowledge/chat-messages/stream.ts";
import { ChatMessageView, ChatReactionsView, ChatStreamReply } from "../../../domain/knowledge/chat-messages/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";
import { channelStream } from "../../streams/channel-stream.ts";
import { ChannelStreamFrame } from "../../streams/frame-views.ts";

/** Everybody who sees a channel may write to it. */
const open = { limitedKeys: "filter", private: true, writers: "viewers" } as const;

export const messageOperations = [
  ...resource("W/chat/channels/{channelId}/messages", {
    id: "chat-messages",
    view: ChatMessageView,
    read: "chat:read",
    write: "chat:write",
    ...open,
    param: "messageId",
    within: channels.byId,
    entity: messages.lockMessage,
    current: messages.read,
    list: {
      summary: "List a channel's messages, newest first; the newest page marks them as read",
      about:
        "Replies are in the list; `top_level=true` leaves them out, and `root_id` lists one thread. `around` begins with the page that has a certain message in its middle, and marks nothing as read. To follow a channel, listen to `GET …/channels/{channelId}/stream` instead of polling.",
      query: ChatMessageQuery,
      handle: ({ ctx, parent, query, paging }) => messages.listPage(ctx, parent, query, paging),
    },
    create: {
      summary: "Write a message or a reply; in a public channel, this makes you a member",
      about:
        "`@[Name](user id)` mentions and notifies somebody; an agent hears it on its event stream. `parent_id` makes it a reply in a thread. The same `client_id` by the same author returns the existing message, so a repeated call writes once.",
      body: ChatMessageCreateInput,
      example: { body_md: "The release is **ready**." },
      handle: ({ ctx, parent, body }) => messages.create(ctx, parent, body),
    },
    patch: {
      summary: "Change the text of your own message",
      about: "Sets `edited_at`. Only people whom the earlier text did not mention are notified.",
      body: ChatMessagePatchInput,
      example: { body_md: "The release is **out**." },
      handle: ({ ctx, on, body }) => messages.change(ctx, on, body),
    },
    remove: {
      summary: "Delete your own message; admins may delete any",
      about: "Replies stay. A message that has replies stays as an empty row with `deleted_at`.",
      returns: deletedView("message"),
      handle: ({ ctx, on }) => messages.remove(ctx, on),
    },
  }),
  operation({
    id: "chat-messages.stream",
    route: "POST W/chat/channels/{channelId}/messages/stream",
    summary: "Write a message part by part: open it, add to it, and end it with `done`",
    about:
      "Without `message_id` the call opens a message, which everybody in the channel sees at once with `streaming: true`. Each further call adds `delta`; number them with `seq`, and a repeated call changes nothing, while a missing one is 409 `stream_gap` with `expected_seq`. `done: true` completes it; `body_md` may then replace the whole text. After two minutes without a call the message is completed with the text so far (409 `stream_closed`). A message has at most 64,000 characters.",
    needs: "chat:write",
    ...open,
    work: "short",
    on: channels.byId,
    body: ChatStreamInput,
    example: { delta: "Hel" },
    returns: ChatStreamReply,
    status: 201,
    handle: ({ ctx, on, body }) => write(ctx, on, body),
  }),
  operation({
    id: "chat-messages.listen",
    route: "GET W/chat/channels/{channelId}/stream",
    summary: "Listen to a channel: new and changed messages, and messages while they are written",
    about:
      "Server-sent events: `chat.message.created`, `.delta`, `.updated`, `.reactions` and `.deleted`. The stream begins with `stream.ready` and sends nothing of earlier; read `GET …/messages` after that. It closes after an hour with `stream.closing`: connect again. A key has at most 20 streams open and opens at most 60 a minute.",
    needs: "chat:read",
    ...open,
    on: channels.byId,
    returns: ChatMessageView,
    streams: {
      mediaType: "text/event-stream",
      frame: ChannelStreamFrame,
      description:
        "Server-sent events until you disconnect; the schema describes each of them, with the JSON of its `data`. They are `stream.ready`, `chat.message.created`, `.delta`, `.updated`, `.reactions` and `.deleted`, `stream.closing` (connect again) and `stream.closed`. A message with `streaming: true` contains all parts up to its `seq`; skip a `chat.message.delta` whose `seq` is not higher.",
    },
    perMinute: 60,
    handle: async ({ ctx, on, streaming }) => channelStream(ctx, on.id, streaming.checkAccess),
  }),
  operation({
    id: "chat-messages.read",
    route: "POST W/chat/channels/{channelId}/read",
    summary: "Mark the messages of a channel as read",
    about: "Without `message_id`, all messages up to now. The mark never moves back.",
    needs: "chat:write",
    ...open,
    on: channels.lockById,
    body: ChatReadInput,
    example: { message_id: "0198a3c2-7c1e-7d30-8f5a-2b9d4e6f7a81" },
    returns: ChatChannelView,
    handle: ({ ctx, on, body }) => readUpTo(ctx, on, body.message_id),
  }),
  operation({
    id: "chat-messages.react",
    route: "POST W/chat/channels/{channelId}/messages/{messageId}/reactions",
    summary: "Add your reaction to a message",
    about: "The same reaction again changes nothing.",
    needs: "chat:write",
    ...open,
    within: channels.byId,
    on: messages.lockMessage,
    body: ChatReactionInput,
    example: { emoji: "🎉" },
    returns: ChatReactionsView,
    handle: ({ ctx, on, body }) => reactions.add(ctx, on, body.emoji),
  }),
  operation({
    id: "chat-messages.unreact",
    route: "DELETE W/chat/channels/{channelId}/messages/{messageId}/reactions/{emoji}",
    summary: "Remove your reaction from a message",
    about: "Removing a reaction that you have not given changes nothing.",
    needs: "chat:write",
    ...open,
    within: channels.byId,
    on: messages.lockMessage,
    current: reactions.read,
    returns: ChatReactionsView,
    handle: ({ ctx, on, params }) => reactions.remove(ctx, on, params.emoji ?? ""),
  }),
];
