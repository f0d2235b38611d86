import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";

export type Mention = { id: string; kind: "person" | "agent" };

export const CommentEntity = defineEntity({
  name: "Comment",
  tableName: "comment",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid(),
    issue_id: p.uuid(),
    author_id: p.uuid(),
    parent_id: p.uuid().nullable(),
    session_id: p.uuid().nullable(),
    body_md: p.text(),
    body_html: p.text(),
    mentions: p.json<Mention[]>(),
    external_id: p.string().nullable(),
    reply_count: p.integer(),
    edited_at: instantColumn().nullable(),
    deleted_at: instantColumn().nullable(),
  },
});
export type CommentEntity = InferEntity<typeof CommentEntity>;
