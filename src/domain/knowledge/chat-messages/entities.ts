import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { Reader } from "../../access/identity/readers.sql.ts";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";

/** Somebody whom a message mentions. */
export type Mention = Pick<Reader, "id" | "kind">;

export const STREAM_STATUSES = ["open", "done", "timed_out"] as const;
export type StreamStatus = (typeof STREAM_STATUSES)[number];

/** A message. Its counts of replies are written by SQL, and so is a message that is streamed. */
export const ChatMessageEntity = defineEntity({
  name: "ChatMessage",
  tableName: "chat_message",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    channel_id: p.uuid(),
    number: p.integer().columnType("bigint"),
    author_id: p.uuid(),
    body_md: p.text(),
    mentions: p.json<Mention[]>(),
    parent_id: p.uuid().strictNullable(),
    root_id: p.uuid().strictNullable(),
    reply_count: p.integer(),
    client_id: p.string().strictNullable(),
    stream_status: p.string().$type<StreamStatus>().strictNullable(),
    edited_at: instantColumn().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
  },
});
export type ChatMessageEntity = InferEntity<typeof ChatMessageEntity>;
