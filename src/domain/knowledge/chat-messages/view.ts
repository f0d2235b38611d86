import { z } from "zod";
import { USER_KINDS } from "../../access/identity/kind.sql.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutMention, aboutMessage, aboutReaction, aboutReactions, aboutStreamReply } from "./descriptions.ts";
import { STREAM_STATUSES } from "./entities.ts";

const count = z.number().int();
const kind = z.enum(USER_KINDS);

const ReactionView = part(aboutReaction, { emoji: z.string(), count, user_ids: z.array(id) });

export const ChatMessageView = view("ChatMessage", aboutMessage, {
  id,
  channel_id: id,
  author_id: id,
  body_md: z.string(),
  parent_id: id.nullable(),
  root_id: id.nullable(),
  reply_count: count,
  last_reply_at: timestamp.nullable(),
  edited_at: timestamp.nullable(),
  deleted_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  reactions: z.array(ReactionView),
  author_kind: kind,
  mentions: z.array(part(aboutMention, { id, kind })),
  streaming: z.boolean(),
  seq: count.nullable(),
  stream_status: z.enum(STREAM_STATUSES).nullable(),
});
export type ChatMessageView = z.output<typeof ChatMessageView>;

/** A message as reads return it. `number` counts up in the channel. */
export type MessageRow = ChatMessageView & { number: number };

export const messageView = ({ number: _, ...row }: MessageRow): ChatMessageView => row;

export const ChatReactionsView = view("ChatReactions", aboutReactions, {
  message_id: id,
  reactions: z.array(ReactionView),
});
export type ChatReactionsView = z.output<typeof ChatReactionsView>;

export const ChatStreamReply = view("ChatStreamReply", aboutStreamReply, {
  message_id: id,
  done: z.boolean(),
  seq: count,
  length: count,
});
export type ChatStreamReply = z.output<typeof ChatStreamReply>;
