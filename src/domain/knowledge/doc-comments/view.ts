import { z } from "zod";
import { asNames, type MentionNames } from "../../access/identity/mention-names.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { input, inputPart, part, view } from "../../kernel/described.ts";
import { renderedWith } from "../../kernel/markdown-names.ts";
import { id, idInput, text, timestamp } from "../../kernel/wire.ts";
import type { Mention } from "../../work/comments/entities.ts";
import { MentionView } from "../../work/comments/view.ts";
import { commentBody } from "../../work/comments/write-body.ts";
import { AuthorView, authorOf, type WithAuthor } from "../docs/author.ts";
import { aboutAnchor, aboutDocComment, aboutDocCommentInput } from "./descriptions.ts";

export const DocCommentCreateInput = input("DocCommentCreateInput", aboutDocCommentInput, {
  body_md: commentBody,
  parent_id: idInput.nullable().optional(),
  anchor: inputPart(aboutAnchor, { quote: text(1, 500) })
    .nullable()
    .optional(),
});
export type DocCommentCreateInput = z.output<typeof DocCommentCreateInput>;

export const DocCommentPatchInput = input("DocCommentPatchInput", aboutDocCommentInput, {
  body_md: commentBody.optional(),
  resolved: z.boolean().optional(),
});
export type DocCommentPatchInput = z.output<typeof DocCommentPatchInput>;

export const DocCommentView = view("DocComment", aboutDocComment, {
  id,
  doc_id: id,
  parent_id: id.nullable(),
  author: AuthorView,
  body_md: z.string(),
  body_html: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  anchor: part(aboutAnchor, { quote: z.string() }).nullable(),
  resolved_at: timestamp.nullable(),
  edited_at: timestamp.nullable(),
  deleted_at: timestamp.nullable(),
  mentions: z.array(MentionView),
  reply_count: z.number().int(),
});
export type DocCommentView = z.output<typeof DocCommentView>;

/** A comment with its author, as reads return it. */
export type DocCommentRow = WithAuthor & {
  id: string;
  doc_id: string;
  parent_id: string | null;
  body_md: string;
  body_html: string;
  mentions: Mention[];
  mention_names: MentionNames;
  quote: string | null;
  reply_count: number;
  resolved_at: string | null;
  edited_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
};

/** The comment with the present names of those whom it mentions, as the caller sees it; as everybody but guests does for events (`ctx` null). */
export const docCommentView = (row: DocCommentRow, ctx: InWorkspace | null): DocCommentView =>
  DocCommentView.parse({
    ...row,
    body_html: renderedWith(row.body_html, asNames(row.mention_names)),
    author: authorOf(row, ctx),
    anchor: row.quote === null ? null : { quote: row.quote },
  });
