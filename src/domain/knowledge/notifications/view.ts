import { z } from "zod";
import { foundIn, type WithProject } from "../../access/identity/project-access.sql.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { input, inputPart, view } from "../../kernel/described.ts";
import { readId } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import { placeOf } from "../../kernel/place-of.ts";
import { flag, id, idInput, timestamp } from "../../kernel/wire.ts";
import {
  aboutMarkAllReadQuery,
  aboutMarkedRead,
  aboutMarkListedReadQuery,
  aboutMarkReadQuery,
  aboutNotification,
  aboutNotificationPatch,
  aboutNotificationQuery,
} from "./descriptions.ts";
import { NOTIFICATION_KINDS } from "./kinds.ts";
import type { Seen } from "./notifications.sql.ts";

export const NotificationQuery = inputPart(aboutNotificationQuery, {
  unread: flag.default("false"),
});
export type NotificationQuery = z.output<typeof NotificationQuery>;

/** What the person has seen. A value that names nothing marks nothing. */
export const MarkAllReadQuery = inputPart(aboutMarkAllReadQuery, {
  issue_id: idInput.optional(),
  doc_id: idInput.optional(),
  goal_id: idInput.optional(),
  session_id: idInput.optional(),
  channel_id: idInput.optional(),
  message_ids: z.string().max(4_000).optional(),
  kinds: z.string().max(1_000).optional(),
});
export type MarkAllReadQuery = z.output<typeof MarkAllReadQuery>;

export function seenOf({ message_ids, kinds, ...ids }: MarkAllReadQuery): Seen {
  const named = Object.entries(ids).map(([name, text]) => [name, readId(text ?? "")]);
  const listed = (text = "") => text.split(",").map((one) => one.trim());
  return {
    ...Object.fromEntries(named),
    message_ids: listed(message_ids).flatMap((text) => readId(text) ?? []),
    kinds: listed(kinds),
  };
}

/** For reads of an object: whether it counts as seen. */
export const MarkReadQuery = inputPart(aboutMarkReadQuery, { mark_read: flag.default("false") });
export type MarkReadQuery = z.output<typeof MarkReadQuery>;
/** For lists of comments. */
export const MarkListedReadQuery = inputPart(aboutMarkListedReadQuery, { mark_read: flag.default("false") });

/** Without `read` nothing changes, so that a client may send back what it got. */
export const NotificationPatchInput = input("NotificationPatchInput", aboutNotificationPatch, {
  read: z.boolean().optional(),
});
export type NotificationPatchInput = z.output<typeof NotificationPatchInput>;

export const NotificationView = view("Notification", aboutNotification, {
  id,
  kind: z.enum(NOTIFICATION_KINDS),
  read_at: timestamp.nullable(),
  created_at: timestamp,
  title: z.string(),
  body: z.string(),
  actor_id: id.nullable(),
  actor_name: z.string().nullable(),
  issue_key: z.string().nullable(),
  doc_id: id.nullable(),
  channel_id: id.nullable(),
  message_id: id.nullable(),
  session_id: id.nullable(),
  url: z.string(),
});
export type NotificationView = z.output<typeof NotificationView>;

export const MarkedReadView = view("NotificationsMarkedRead", aboutMarkedRead, { count: z.number().int() });
export type MarkedReadView = z.output<typeof MarkedReadView>;

/** A notification with the project of what it is about, as reads return it. */
export type NotificationRow = WithProject &
  Omit<NotificationView, "url"> & { project_slug: string | null; comment_id: string | null; goal_id: string | null };

export const notificationView = (ctx: InWorkspace, row: NotificationRow): NotificationView => ({
  ...row,
  url: `${ctx.settings.baseUrl}/w/${ctx.workspace.slug}${pathOf(row)}`,
});

/** The notification, for the engine to check: only its reader sees it. */
export const foundNotification = <T>({ principal }: InWorkspace, row: NotificationRow, object: T): Found<T> =>
  foundIn(row, object, { people: [principal.user_id] });

/** Pages about things that are no objects with a page of their own. */
const PAGES: Partial<Record<NotificationRow["kind"], string>> = {
  credits_low: "/billing",
  webhook_disabled: "/webhooks",
  automation_disabled: "/automations",
  automation: "/automations",
  spend_cap: "/agents",
  invite_accepted: "/members",
};

function pathOf(row: NotificationRow): string {
  const { kind, project_slug, issue_key, doc_id, goal_id, channel_id, message_id, session_id, comment_id } = row;
  if (issue_key !== null) return `/p/${project_slug}/${issue_key}${placeOf("comment", comment_id)}`;
  if (doc_id !== null) return `/docs/${doc_id}${placeOf("comment", comment_id)}`;
  if (goal_id !== null) return `/goals/${goal_id}`;
  if (channel_id !== null) return `/chat/${channel_id}${placeOf("message", message_id)}`;
  if (session_id !== null) return `/agents/sessions/${session_id}`;
  return own(PAGES, kind) ?? "";
}
