import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";

export const CHANNEL_KINDS = ["public", "private", "dm"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** A channel. The number and time of its last message, and the number of its members, are written by SQL. */
export const ChatChannelEntity = defineEntity({
  name: "ChatChannel",
  tableName: "chat_channel",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid().strictNullable(),
    kind: p.string().$type<ChannelKind>(),
    name: p.string().strictNullable(),
    slug: p.string().strictNullable(),
    topic: p.string().strictNullable(),
    dm_key: p.string().strictNullable(),
    archived_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
  },
});
export type ChatChannelEntity = InferEntity<typeof ChatChannelEntity>;
