import { countOf, idOf, SAMPLE, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of notifications, for the API description. */

export const aboutNotification = {
  id: idOf("notification"),
  kind: ["What happened."],
  read_at: ["When you marked it as read. `null` if it is unread.", null],
  created_at: ["When the notification was written.", "2026-01-15T09:30:00.000Z"],
  title: ["What happened, in one line of plain text.", "Ada Lovelace mentioned you in WEB-1"],
  body: [
    "The beginning of the comment or message as it is now, as plain text with the present names of those whom it mentions; or the title of the object as it was.",
    "Can you sign the tag?",
  ],
  actor_id: userId("User id of the person or agent who did it. `null` if nobody did, such as for a due date."),
  actor_name: ["Their present name. `null` if nobody did it, or if they have chosen no name.", "Ada Lovelace"],
  issue_key: ["Key of the issue. `null` if it is about something else.", "WEB-1"],
  doc_id: ["Id of the doc. `null` if it is about something else.", SAMPLE.doc],
  channel_id: ["Id of the channel. `null` if it is about something else.", SAMPLE.channel],
  message_id: ["Id of the message in the channel. `null` if it is about something else.", SAMPLE.message],
  session_id: ["Id of the agent session. `null` if it is about something else.", null],
  url: ["Address of the page about it.", "https://muster.example/w/acme/p/web/WEB-1"],
} as const;

export const aboutNotificationQuery = {
  unread: ["`true` for unread notifications only, `false` for all.", "true"],
} as const;

export const aboutMarkAllReadQuery = {
  issue_id: ["Only notifications about this issue, its comments and sessions.", "0198a3c2-7c1e-7d30-8f5a-2b9d4e6f7a81"],
  doc_id: ["Only notifications about this doc and its comments.", SAMPLE.doc],
  goal_id: ["Only notifications about this goal.", "0198a3c2-7c1e-7d30-8f5a-2b9d4e6f7a81"],
  session_id: ["Only notifications about this agent session.", "0198a3c2-7c1e-7d30-8f5a-2b9d4e6f7a81"],
  channel_id: ["Only notifications about messages of this channel.", SAMPLE.channel],
  message_ids: ["Only notifications about these messages, separated by commas.", SAMPLE.message],
  kinds: [
    "Only notifications of these kinds about no single object, separated by commas.",
    "credits_low,webhook_disabled",
  ],
} as const;

export const aboutMarkReadQuery = {
  mark_read: [
    "`true` also marks your notifications about the object as read. This needs the scope `notifications:write`.",
    "true",
  ],
} as const;

export const aboutMarkListedReadQuery = {
  mark_read: [
    "`true` also marks your notifications about the listed comments as read. This needs the scope `notifications:write`.",
    "true",
  ],
} as const;

export const aboutNotificationPatch = {
  read: ["`true` marks it as read and keeps the time of the first mark; `false` marks it as unread.", true],
} as const;

export const aboutMarkedRead = {
  count: countOf("How many notifications were unread and are now read.", 4),
} as const;
