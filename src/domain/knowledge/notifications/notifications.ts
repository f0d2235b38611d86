import { tellPagesOf } from "../../events/live.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import type { Ports } from "../../kernel/ports/ports.ts";
import { NotificationEntity } from "./entities.ts";
import {
  findNotification,
  listNotifications,
  lockNotification,
  markRead,
  markSeen,
  type Seen,
  unreadIds,
} from "./notifications.sql.ts";
import {
  foundNotification,
  type MarkAllReadQuery,
  type MarkedReadView,
  type NotificationPatchInput,
  type NotificationQuery,
  type NotificationView,
  notificationView,
  seenOf,
} from "./view.ts";

/** Notifications of the caller. One about something that they no longer see does not exist for them. */

/** Newest first. */
export async function listPage(ctx: InWorkspace, { unread }: NotificationQuery, paging: Paging) {
  const rows = await listNotifications(ctx, { unread: unread === "true" }, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, ({ id }) => [id]);
  return { rows: page.rows.map((row) => notificationView(ctx, row)), next_cursor: page.next_cursor };
}

export async function read(ctx: InWorkspace, text: string): Promise<Found<NotificationView> | null> {
  const id = readId(text);
  const row = id && (await findNotification(ctx, id));
  return row ? foundNotification(ctx, row, notificationView(ctx, row)) : null;
}

/** Locks a notification and returns it. */
export async function lockById(ctx: InWorkspace & Writing, text: string): Promise<Found<NotificationView> | null> {
  const id = readId(text);
  if (!id) return null;
  await lockNotification(ctx, id);
  ctx.waited();
  return read(ctx, id);
}

/** Marks a notification as read or unread. One that is read keeps the time of the first mark. */
export async function change(
  ctx: InWorkspace & Writing,
  notification: NotificationView,
  { read: isRead }: NotificationPatchInput,
): Promise<NotificationView> {
  if (isRead === undefined || isRead === (notification.read_at !== null)) return notification;
  const read_at = isRead ? ctx.now : null;
  const stored = await ctx.em.findOneOrFail(NotificationEntity, { id: notification.id });
  stored.read_at = read_at;
  await ctx.em.flush();
  tellOwnPages(ctx);
  return { ...notification, read_at };
}

/**
 * Marks what notified the caller of things that they have seen as read. Costs no write if none of it is unread. Other open
 * pages of the person count anew.
 */
export async function markAbout(ctx: InWorkspace & Partial<Writing>, seen: Seen): Promise<MarkedReadView> {
  const count = await markSeen(ctx, seen);
  if (count > 0) tellOwnPages(ctx);
  return { count };
}

function tellOwnPages(ctx: InWorkspace & Partial<Writing>): void {
  const tell = (ports: Pick<Ports, "publish">) => tellPagesOf(ports, ctx.workspace.id, [ctx.principal.user_id]);
  if (ctx.afterCommit) ctx.afterCommit(tell);
  else tell(ctx.ports);
}

/** Notifications that one statement marks. */
const BATCH = 1_000;

/**
 * Marks all notifications as read that exist at this moment, and none that arrive later; or those about what the query names.
 */
export async function markAllRead(ctx: InWorkspace & Writing, query: MarkAllReadQuery): Promise<MarkedReadView> {
  if (Object.keys(query).length > 0) return markAbout(ctx, seenOf(query));
  const ids = await unreadIds(ctx);
  let count = 0;
  for (let start = 0; start < ids.length; start += BATCH) {
    count += await markRead(ctx, ids.slice(start, start + BATCH));
  }
  if (count > 0) tellOwnPages(ctx);
  return { count };
}
