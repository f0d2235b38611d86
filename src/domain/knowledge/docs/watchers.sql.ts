import { kindOf } from "../../access/identity/kind.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { WatcherView } from "../../work/watchers/view.ts";

/** Watchers of docs. The author watches a doc without a row, until they stop. */

/** Returns a doc's watchers, most recent first, or one of them. */
export const listWatchers = (
  { db, workspace }: InWorkspace,
  docId: string,
  userId: string | null = null,
): Promise<WatcherView[]> =>
  db.query<WatcherView>(
    {
      name: "list_doc_watchers",
      text: `
        select w.user_id, w.created_at, u.name, ${kindOf("u")} as kind
        from (
          select user_id, created_at from doc_watcher where workspace_id = $1 and doc_id = $2 and stopped_at is null
          union all
          select d.owner_id, d.created_at from doc d
          where d.workspace_id = $1 and d.id = $2
            and not exists (select from doc_watcher own where own.doc_id = d.id and own.user_id = d.owner_id)) w
        join app_user u on u.id = w.user_id
        where $3::uuid is null or w.user_id = $3
        order by w.created_at desc, w.user_id desc`,
    },
    [workspace.id, docId, userId],
  );

/**
 * Adds watchers to a doc. Users who already watch it stay as they are.
 * @param restart whether those who had stopped watch it again
 */
export async function addWatchers(
  { db, workspace, now }: InWorkspace,
  docId: string,
  userIds: readonly string[],
  { restart }: { restart: boolean },
): Promise<void> {
  if (userIds.length === 0) return;
  await db.query(
    {
      name: `watch_doc_${restart}`,
      text: `
        insert into doc_watcher (doc_id, user_id, workspace_id, created_at)
        select distinct $2::uuid, w, $1::uuid, $4::timestamptz from unnest($3::uuid[]) w
        on conflict (doc_id, user_id) ${
          restart
            ? "do update set stopped_at = null, created_at = excluded.created_at where doc_watcher.stopped_at is not null"
            : "do nothing"
        }`,
    },
    [workspace.id, docId, userIds, now],
  );
}

/** Ends a user's watching of a doc, until they are mentioned or watch it again. */
export async function stopWatching({ db, workspace, now }: InWorkspace, docId: string, userId: string): Promise<void> {
  await db.query(
    {
      name: "unwatch_doc",
      text: `
        insert into doc_watcher (doc_id, user_id, workspace_id, created_at, stopped_at) values ($2, $3, $1, $4, $4)
        on conflict (doc_id, user_id) do update set stopped_at = coalesce(doc_watcher.stopped_at, excluded.stopped_at)`,
    },
    [workspace.id, docId, userId, now],
  );
}
