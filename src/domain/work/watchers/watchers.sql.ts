import type { InIssue } from "../../access/identity/issue-row.ts";
import { kindOf } from "../../access/identity/kind.sql.ts";
import type { WatcherView } from "./view.ts";

/** Returns an issue's watchers, most recent first, or one of them. */
export function listWatchers({ db, workspace, issue }: InIssue, userId: string | null = null): Promise<WatcherView[]> {
  return db.query<WatcherView>(
    {
      name: `list_watchers_${userId !== null}`,
      text: `
        select w.user_id, w.created_at, u.name, ${kindOf("u")} as kind
        from watcher w join app_user u on u.id = w.user_id
        where w.workspace_id = $1 and w.issue_id = $2 ${userId === null ? "" : "and w.user_id = $3"}
        order by w.created_at desc, w.user_id desc`,
    },
    userId === null ? [workspace.id, issue.id] : [workspace.id, issue.id, userId],
  );
}

/** Whether a user is in the workspace, or still watches the issue after leaving it. */
export async function isKnown({ db, workspace, issue }: InIssue, userId: string): Promise<boolean> {
  const text = `
    select 1 from member where workspace_id = $1 and user_id = $3
    union all
    select 1 from watcher where workspace_id = $1 and issue_id = $2 and user_id = $3`;
  return (await db.query({ text }, [workspace.id, issue.id, userId])).length > 0;
}

/** Removes a watcher. What the user reports, is assigned to or comments on later does not notify them either. */
export async function deleteWatcher({ db, workspace, issue, now }: InIssue, userId: string): Promise<void> {
  await db.query(
    {
      name: "unwatch_issue",
      text: `
        with gone as (delete from watcher where workspace_id = $1 and issue_id = $2 and user_id = $3 returning 1),
        stopped as (
          insert into issue_unwatched (issue_id, user_id, workspace_id, created_at) values ($2, $3, $1, $4)
          on conflict do nothing)
        update issue set watcher_count = watcher_count - 1
        where workspace_id = $1 and id = $2 and exists (select from gone)`,
    },
    [workspace.id, issue.id, userId, now],
  );
}

/** Those of these users who watch the issue. */
export async function watchersAmong(
  { db, workspace, issue }: InIssue,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const text = "select user_id from watcher where workspace_id = $1 and issue_id = $2 and user_id = any($3::uuid[])";
  const values = [workspace.id, issue.id, userIds];
  const rows = await db.query<{ user_id: string }>({ name: "watchers_among", text }, values);
  return new Set(rows.map(({ user_id }) => user_id));
}
