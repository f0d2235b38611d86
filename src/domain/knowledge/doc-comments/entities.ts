import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
import type { Mention } from "../../work/comments/entities.ts";

export const DocCommentEntity = defineEntity({
  name: "DocComment",
  tableName: "doc_comment",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    doc_id: p.uuid(),
    author_id: p.uuid(),
    parent_id: p.uuid().strictNullable(),
    body_md: p.text(),
    body_html: p.text(),
    mentions: p.json<Mention[]>(),
    quote: p.text().strictNullable(),
    reply_count: p.integer(),
    resolved_at: instantColumn().strictNullable(),
    edited_at: instantColumn().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
  },
});
export type DocCommentEntity = InferEntity<typeof DocCommentEntity>;
