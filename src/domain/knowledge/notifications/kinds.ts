/** Kinds of notifications. Those that nothing writes yet are named for clients. */
export const NOTIFICATION_KINDS = [
  "assigned",
  "mentioned",
  "commented",
  "status_changed",
  "due_soon",
  "overdue",
  "session_needs_input",
  "session_review",
  "session_failed",
  "stage_assigned",
  "chat_mention",
  "chat_dm",
  "form_submitted",
  "webhook_disabled",
  "automation_disabled",
  "automation",
  "spend_cap",
  "credits_low",
  "invite_accepted",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
