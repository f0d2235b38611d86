import { mentionNames } from "../../access/identity/mention-names.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Weighed } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { commentPage } from "../../work/comments/page.sql.ts";
import { authorColumns } from "../docs/author.ts";
import type { DocRow } from "../docs/view.ts";
import type { DocCommentRow } from "./view.ts";

const columns = `
  c.id, c.doc_id, c.parent_id, c.body_md, c.body_html, c.mentions, ${mentionNames("c.mentions")} as mention_names, c.quote, c.reply_count, c.resolved_at, c.edited_at,
  c.deleted_at, c.created_at, c.updated_at, ${authorColumns}`;

/** Comments of a doc, oldest first. */
export const listDocComments = (
  { db, workspace }: InWorkspace,
  doc: DocRow,
  after: Cursor | null,
  limit: number,
): Promise<Weighed<DocCommentRow>[]> =>
  db.query<Weighed<DocCommentRow>>(commentPage({ table: "doc_comment", object: "doc_id", columns }, after), [
    workspace.id,
    doc.id,
    limit,
    ...(after ?? []),
  ]);

export async function findDocComment(
  { db, workspace }: InWorkspace,
  doc: DocRow,
  id: string,
): Promise<DocCommentRow | null> {
  const [row] = await db.query<DocCommentRow>(
    {
      name: "find_doc_comment",
      text: `
        select ${columns} from doc_comment c join app_user u on u.id = c.author_id
        where c.workspace_id = $1 and c.doc_id = $2 and c.id = $3 and c.deleted_at is null`,
    },
    [workspace.id, doc.id, id],
  );
  return row ?? null;
}

export async function countReply({ tx, workspace }: InWorkspace & Writing, parentId: string): Promise<void> {
  await tx.query({ text: "update doc_comment set reply_count = reply_count + 1 where workspace_id = $1 and id = $2" }, [
    workspace.id,
    parentId,
  ]);
}

/**
 * Subtracts a deleted comment without replies from the count of its parent. A deleted parent that has no more replies is
 * not listed any more either, and is subtracted from its own parent, and so on.
 */
export async function uncountReply({ tx, workspace }: InWorkspace & Writing, id: string): Promise<void> {
  await tx.query(
    {
      text: `
        with recursive gone as (
          select id, parent_id from doc_comment where workspace_id = $1 and id = $2
          union all
          select p.id, p.parent_id from gone g join doc_comment p on p.id = g.parent_id
          where p.deleted_at is not null and p.reply_count = 1
        )
        update doc_comment set reply_count = reply_count - 1
        where workspace_id = $1 and id in (select parent_id from gone)`,
    },
    [workspace.id, id],
  );
}
