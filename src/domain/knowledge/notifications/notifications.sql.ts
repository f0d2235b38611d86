import { namesIn } from "../../access/identity/mention-names.sql.ts";
import { projectColumns } from "../../access/identity/project-access.sql.ts";
import { visibility, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
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
    select actor.name as present_name, i.key as issue_key, p.slug as project_slug, ${projectColumns},
           case when coalesce(cm.edited_at, dc.edited_at, msg.edited_at) is not null
                  or left(coalesce(cm.body_md, dc.body_md, msg.body_md), ${READ}) like '%@[%'
                then left(coalesce(cm.body_md, dc.body_md, msg.body_md), ${READ}) end as present_text
    from (values (1)) one ${subjectJoins}
    left join app_user actor on actor.id = n.actor_id
    left join project_member pm on pm.project_id = p.id and pm.user_id = $5::uuid
    where ${seesSubject({ project: visibleObject(2), user: "$5::uuid", isAdmin: "$3::boolean" })} offset 0) seen
  where n.workspace_id = $1 and n.user_id = $5::uuid`;

/** Titles begin with the name that the actor had. */
const columns = `
  n.id, n.kind, n.read_at, n.created_at, n.body, n.actor_id, coalesce(present_name, n.actor_name) as actor_name,
  case when present_name is not null and starts_with(n.title, n.actor_name || ' ')
       then present_name || substr(n.title, length(n.actor_name) + 1) else n.title end as title, n.doc_id, n.comment_id, n.goal_id,
  n.channel_id, n.message_id, n.session_id, seen.*`;

type StoredRow = NotificationRow & { present_text: string | null; present_name: string | null };

/**
 * A comment or message that was edited shows its present text, because the former one may have been taken back. One that
 * mentions people shows their present names.
 */
async function asShown(ctx: InWorkspace, rows: readonly StoredRow[]): Promise<NotificationRow[]> {
  const names = await namesIn(
    ctx,
    rows.flatMap(({ present_text }) => present_text ?? []),
  );
  const shown: NotificationRow[] = [];
  for (const { present_text, present_name: _, ...row } of rows) {
    if (present_text === null) shown.push(row);
    else {
      // The present text is shorter than the one that the stored excerpt was made of, and may be a comment only.
      shown.push({ ...row, body: excerptOf(present_text, names) || row.body });
      await letOthersRun();
    }
  }
  return shown;
}

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
  return asShown(ctx, rows);
}

/**
 * Unread ones with ids in a range, without its end, newest first. Left out is what is about an issue on which the person has
 * acted since: they have answered it.
 */
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
          and not exists (
            select from activity a
            where a.issue_id = n.issue_id and a.actor_id = $5::uuid and a.created_at > n.created_at)
        order by n.id desc limit $6`,
    },
    [...own(ctx), limit, first, end],
  );
  return asShown(ctx, rows);
}

/** One of them. */
export async function findNotification(ctx: InWorkspace, id: string): Promise<NotificationRow | null> {
  const rows = await ctx.db.query<StoredRow>(
    { name: "find_notification", text: `select ${columns} from ${OWN} and n.id = $6` },
    [...own(ctx), id],
  );
  const [row] = await asShown(ctx, rows);
  return row ?? null;
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

/** Things that somebody has seen, and so what notified of them is read. */
export type Seen = {
  issue_id?: string | null;
  doc_id?: string | null;
  goal_id?: string | null;
  session_id?: string | null;
  channel_id?: string | null;
  /** The number of the last message of the channel that was seen. Default: all were. */
  upTo?: number | null;
  message_ids?: readonly string[];
  comment_ids?: readonly string[];
  /** Kinds of notifications that are about no single object, such as credits that run low. */
  kinds?: readonly string[];
};

/**
 * Marks the caller's unread notifications about these things as read that were written before the call began: later ones
 * may be about what was not seen. Returns how many were unread.
 */
export async function markSeen({ db, workspace, principal, now }: InWorkspace, seen: Seen): Promise<number> {
  const {
    issue_id,
    doc_id,
    goal_id,
    session_id,
    channel_id,
    upTo,
    message_ids = [],
    comment_ids = [],
    kinds = [],
  } = seen;
  const [row] = await db.query<{ count: number }>(
    {
      name: "mark_seen",
      text: `
        with unread as (
          select id from notification n
          where workspace_id = $1 and user_id = $2 and read_at is null and created_at <= $3::timestamptz and (
            issue_id = $4::uuid or doc_id = $5::uuid or goal_id = $6::uuid or session_id = $7::uuid
            or message_id = any($8::uuid[]) or comment_id = any($12::uuid[])
            or channel_id = $9::uuid and ($10::bigint is null or $10 >= (
              select m.number from chat_message m where m.id = n.message_id))
            or kind = any($11::text[]) and num_nonnulls(issue_id, doc_id, goal_id, session_id, channel_id) = 0)
          order by id for no key update),
        marked as (
          update notification n set read_at = $3 from unread where n.id = unread.id returning 1)
        select count(*)::int as count from marked`,
    },
    [
      ...[workspace.id, principal.user_id, now, issue_id ?? null, doc_id ?? null, goal_id ?? null, session_id ?? null],
      ...[message_ids, channel_id ?? null, upTo ?? null, kinds, comment_ids],
    ],
  );
  return row!.count;
}
