import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { Reader } from "../../access/identity/readers.sql.ts";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";

export type Mention = Pick<Reader, "id" | "kind">;

export const CommentEntity = defineEntity({
  name: "Comment",
  tableName: "comment",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid(),
    issue_id: p.uuid(),
    author_id: p.uuid(),
    parent_id: p.uuid().strictNullable(),
    session_id: p.uuid().strictNullable(),
    body_md: p.text(),
    body_html: p.text(),
    mentions: p.json<Mention[]>(),
    external_id: p.string().strictNullable(),
    reply_count: p.integer(),
    edited_at: instantColumn().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
  },
});
export type CommentEntity = InferEntity<typeof CommentEntity>;
