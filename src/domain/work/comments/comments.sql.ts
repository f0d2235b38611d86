import type { InIssue } from "../../access/identity/issue-row.ts";
import { kindOf } from "../../access/identity/kind.sql.ts";
import { mentionNames } from "../../access/identity/mention-names.sql.ts";
import type { Weighed } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Mention } from "./entities.ts";
import { commentPage } from "./page.sql.ts";
import type { CommentRow } from "./view.ts";

const columns = `
  c.id, c.issue_id, c.author_id, c.parent_id, c.session_id, c.external_id, c.body_md, c.body_html, c.mentions, ${mentionNames("c.mentions")} as mention_names,
  c.reply_count, c.edited_at, c.deleted_at, c.created_at, c.updated_at, u.name as author_name, ${kindOf("u")} as author_kind`;

/** Comments of an issue, oldest first. @param from id of the first one, or null */
export const listComments = (
  { db, workspace, issue }: InIssue,
  { after, limit, from }: { after: Cursor | null; limit: number; from: string | null },
): Promise<Weighed<CommentRow>[]> =>
  db.query<Weighed<CommentRow>>(commentPage({ table: "comment", object: "issue_id", columns }, after, from), [
    workspace.id,
    issue.id,
    limit,
    ...(after ?? []),
    ...(from === null ? [] : [from]),
  ]);

export type NewComment = {
  id: string;
  parent_id: string | null;
  session_id: string | null;
  external_id: string | null;
  body_md: string;
  body_html: string;
  mentions: Mention[];
};

/**
 * Stores comments, makes their authors and those whom they mention watch the issue, and adds them to the counts of their parents and of the issue. Comments with an external id that
 * exists already are left out. Returns the ids of the stored comments.
 */
export async function insertComments(ctx: InIssue, comments: NewComment[]): Promise<Set<string>> {
  const rows = await ctx.db.query<{ id: string }>(
    {
      name: "insert_comments",
      text: `
        with item as materialized (
          select * from jsonb_to_recordset($5::jsonb) as t(
            id uuid, parent_id uuid, session_id uuid, external_id text, body_md text, body_html text, mentions jsonb)
        ),
        written as (
          insert into comment (id, workspace_id, project_id, issue_id, author_id, parent_id, session_id, external_id,
                               body_md, body_html, mentions, created_at, updated_at)
          select id, $1, $2, $3, $4, parent_id, session_id, external_id, body_md, body_html, mentions, $6::timestamptz, $6::timestamptz
          from item order by id
          on conflict (issue_id, author_id, external_id) where external_id is not null do nothing
          returning id, parent_id
        ),
        parents as (
          update comment p set reply_count = p.reply_count + n.replies
          from (select parent_id, count(*) as replies from written where parent_id is not null group by parent_id) n
          where p.id = n.parent_id
        ),
        mentioned as materialized (
          select (m ->> 'id')::uuid as id from item, jsonb_array_elements(mentions) m
        ),
        again as (
          delete from issue_unwatched where issue_id = $3 and user_id in (select id from mentioned)
        ),
        watching as (
          insert into watcher (issue_id, user_id, workspace_id, created_at)
          select $3, w.user_id, $1, $6::timestamptz
          from (
            select $4::uuid as user_id
            where not exists (select from issue_unwatched u where u.issue_id = $3 and u.user_id = $4)
            union select id from mentioned) w
          on conflict do nothing
          returning user_id
        ),
        counted as (
          update issue set comment_count = comment_count + (select count(*) from written),
                           watcher_count = watcher_count + (select count(*) from watching)
          where workspace_id = $1 and id = $3
        )
        select id from written`,
    },
    [ctx.workspace.id, ctx.project.id, ctx.issue.id, ctx.principal.user_id, JSON.stringify(comments), ctx.now],
  );
  return new Set(rows.map((row) => row.id));
}

/** Returns comments by id, or by external ids of the caller. */
export function findComments(
  { db, workspace, issue, principal }: InIssue,
  ids: string[],
  externalIds: string[],
): Promise<CommentRow[]> {
  return db.query<CommentRow>(
    {
      name: "find_comments",
      text: `
        select ${columns} from comment c join app_user u on u.id = c.author_id
        where c.workspace_id = $1 and c.issue_id = $2
          and (c.id = any($3::uuid[]) or (c.author_id = $4 and c.external_id = any($5::text[])))`,
    },
    [workspace.id, issue.id, ids, principal.user_id, externalIds],
  );
}

/** Subtracts a deleted comment from the counts of the issue and of its parent. */
export async function uncount({ db, workspace, issue }: InIssue, parentId: string | null): Promise<void> {
  await db.query({ text: `update issue set comment_count = comment_count - 1 where workspace_id = $1 and id = $2` }, [
    workspace.id,
    issue.id,
  ]);
  if (parentId === null) return;
  await db.query({ text: `update comment set reply_count = reply_count - 1 where workspace_id = $1 and id = $2` }, [
    workspace.id,
    parentId,
  ]);
}
