import { z } from "zod";
import { USER_KINDS, type UserKind } from "../../access/identity/kind.sql.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutComment, aboutMention } from "./descriptions.ts";
import type { Mention } from "./entities.ts";

export const MentionView = part(aboutMention, { id, kind: z.enum(USER_KINDS) });

export const CommentView = view("Comment", aboutComment, {
  id,
  issue_id: id,
  author_id: id,
  body_md: z.string(),
  body_html: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  issue_key: z.string(),
  author_name: z.string().nullable(),
  author_kind: z.enum(USER_KINDS),
  parent_id: id.nullable(),
  session_id: id.nullable(),
  external_id: z.string().nullable(),
  mentions: z.array(MentionView),
  edited_at: timestamp.nullable(),
  deleted_at: timestamp.nullable(),
  reply_count: z.number().int(),
});
export type CommentView = z.input<typeof CommentView>;

/** A comment with its author, as reads return it. */
export type CommentRow = {
  id: string;
  issue_id: string;
  author_id: string;
  parent_id: string | null;
  session_id: string | null;
  external_id: string | null;
  body_md: string;
  body_html: string;
  mentions: Mention[];
  reply_count: number;
  edited_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  author_name: string | null;
  author_kind: UserKind;
};

export const commentView = (row: CommentRow, issueKey: string): CommentView => ({ ...row, issue_key: issueKey });
