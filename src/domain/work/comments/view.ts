import { z } from "zod";
import { USER_KINDS, type UserKind } from "../../access/identity/kind.sql.ts";
import { asNames, type MentionNames } from "../../access/identity/mention-names.sql.ts";
import { part, view } from "../../kernel/described.ts";
import { renderedWith } from "../../kernel/markdown-names.ts";
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
  mention_names: MentionNames;
  reply_count: number;
  edited_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  author_name: string | null;
  author_kind: UserKind;
};

/** Mentions show the present names. */
export const commentView = ({ mention_names, ...row }: CommentRow, issueKey: string): CommentView => ({
  ...row,
  body_html: renderedWith(row.body_html, asNames(mention_names)),
  issue_key: issueKey,
});
