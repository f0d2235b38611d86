import { projectColumns } from "../../access/identity/project-access.sql.ts";
import { visibility, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { excerptOf, READ } from "./notice.ts";
import { seesSubject, subjectJoins } from "./subject.sql.ts";
import type { NotificationRow } from "./view.ts";

/**
 * The caller's notifications about what they still see. Parameters: $1 the workspace, $2 to $5 the caller's `visibility`.
 * "offset 0" keeps `seen` a lookup for each notification. Postgres would expect a join to find few rows, and so read and
 * sort all notifications for one page.
 */
const OWN = `
  notification n cross join lateral (
    select i.key as issue_key, p.slug as project_slug, ${projectColumns},
           case when coalesce(cm.edited_at, dc.edited_at, msg.edited_at) is not null
                then left(coalesce(cm.body_md, dc.body_md, msg.body_md), ${READ}) end as edited_text
    from (values (1)) one ${subjectJoins}
    left join project_member pm on pm.project_id = p.id and pm.user_id = $5::uuid
    where ${seesSubject({ project: visibleObject(2), user: "$5::uuid", isAdmin: "$3::boolean" })} offset 0) seen
  where n.workspace_id = $1 and n.user_id = $5::uuid`;

const columns = `
  n.id, n.kind, n.read_at, n.created_at, n.title, n.body, n.actor_id, n.actor_name, n.doc_id, n.comment_id, n.goal_id,
  n.channel_id, n.message_id, n.session_id, seen.*`;

/** A comment or message that was edited shows its present text, because the former one may have been taken back. */
type StoredRow = NotificationRow & { edited_text: string | null };
const asShown = ({ edited_text, ...row }: StoredRow): NotificationRow =>
  edited_text === null ? row : { ...row, body: excerptOf(edited_text) };

const own = ({ workspace, principal }: InWorkspace): unknown[] => [workspace.id, ...visibility(principal)];

/** The caller's notifications about what they still see, newest first. */
export async function listNotifications(
  ctx: InWorkspace,
  { unread }: { unread: boolean },
  after: Cursor | null,
  limit: number,
): Promise<NotificationRow[]> {
  const rows = await ctx.db.query<StoredRow>(
    {
      name: `list_notifications_${unread}${after ? "_after" : ""}`,
      text: `
        select ${columns} from ${OWN}
        ${unread ? "and n.read_at is null" : ""} ${after ? "and n.id < $7::uuid" : ""}
        order by n.id desc limit $6`,
    },
    [...own(ctx), limit, ...(after ?? [])],
  );
  return rows.map(asShown);
}

/** Unread ones with ids in a range, without its end, newest first. */
export async function unreadBetween(
  ctx: InWorkspace,
  [first, end]: readonly [string, string],
  limit: number,
): Promise<NotificationRow[]> {
  const rows = await ctx.db.query<StoredRow>(
    {
      name: "unread_between",
      text: `
        select ${columns} from ${OWN} and n.read_at is null and n.id >= $7::uuid and n.id < $8::uuid
        order by n.id desc limit $6`,
    },
    [...own(ctx), limit, first, end],
  );
  return rows.map(asShown);
}

/** One of them. */
export async function findNotification(ctx: InWorkspace, id: string): Promise<NotificationRow | null> {
  const [row] = await ctx.db.query<StoredRow>(
    { name: "find_notification", text: `select ${columns} from ${OWN} and n.id = $6` },
    [...own(ctx), id],
  );
  return row ? asShown(row) : null;
}

/** Locks a notification. */
export async function lockNotification({ db, workspace, principal }: InWorkspace, id: string): Promise<void> {
  const text = `select 1 from notification where workspace_id = $1 and user_id = $2 and id = $3 for no key update`;
  await db.query({ name: "lock_notification", text }, [workspace.id, principal.user_id, id]);
}

/** Ids of the caller's unread notifications, in the order in which they are locked. */
export async function unreadIds(ctx: InWorkspace): Promise<string[]> {
  const rows = await ctx.db.query<{ id: string }>(
    {
      name: "unread_notifications",
      text: `select n.id from ${OWN} and n.read_at is null order by n.id`,
    },
    own(ctx),
  );
  return rows.map(({ id }) => id);
}

/** Marks unread notifications among these as read. Returns how many were unread. */
export async function markRead(
  { db, workspace, principal, now }: InWorkspace,
  ids: readonly string[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    {
      name: "mark_notifications_read",
      text: `
        with unread as (
          select id from notification
          where workspace_id = $1 and user_id = $2 and id = any($3::uuid[]) and read_at is null
          order by id for no key update),
        marked as (
          update notification n set read_at = $4 from unread where n.id = unread.id returning 1)
        select count(*)::int as count from marked`,
    },
    [workspace.id, principal.user_id, ids, now],
  );
  return row!.count;
}
