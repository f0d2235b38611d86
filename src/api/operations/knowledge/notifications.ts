import * as notifications from "../../../domain/knowledge/notifications/notifications.ts";
import {
  MarkAllReadQuery,
  MarkedReadView,
  NotificationPatchInput,
  NotificationQuery,
  NotificationView,
} from "../../../domain/knowledge/notifications/view.ts";
import { operation } from "../../engine/operation.ts";

/** Everybody reads and marks their own notifications, also those about archived projects. */
const own = { limitedKeys: "filter", private: true, writers: "viewers", onArchived: true } as const;

export const notificationOperations = [
  operation({
    id: "notifications.list",
    route: "GET W/notifications",
    summary: "List your notifications, newest first",
    about:
      "Shows what concerns the person or agent of the key: assignments, mentions, comments, due dates, sessions that need input. Nobody is notified of what they did themselves.",
    needs: "notifications:read",
    limitedKeys: "filter",
    private: true,
    query: NotificationQuery,
    returns: NotificationView,
    shape: "list",
    handle: ({ ctx, query, paging }) => notifications.listPage(ctx, query, paging),
  }),
  operation({
    id: "notifications.patch",
    route: "PATCH W/notifications/{id}",
    summary: "Mark one of your notifications as read or unread",
    about: "Marking a read notification as read again keeps the first time.",
    needs: "notifications:write",
    ...own,
    on: notifications.lockById,
    current: notifications.read,
    body: NotificationPatchInput,
    example: { read: true },
    returns: NotificationView,
    handle: ({ ctx, on, body }) => notifications.change(ctx, on, body),
  }),
  operation({
    id: "notifications.mark-all-read",
    route: "POST W/notifications/mark-all-read",
    summary: "Mark your notifications as read: all, or those about what the query names",
    about:
      "`count` is the number of notifications that were unread. Reading an object with `mark_read=true`, answering it, moving or archiving an issue, and `POST …/read` of a channel mark what is about it as read, too.",
    needs: "notifications:write",
    limitedKeys: "filter",
    private: true,
    writers: "viewers",
    returns: MarkedReadView,
    query: MarkAllReadQuery,
    handle: ({ ctx, query }) => notifications.markAllRead(ctx, query),
  }),
];
