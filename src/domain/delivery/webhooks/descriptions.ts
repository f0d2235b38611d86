import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of webhooks and deliveries for the API description. */

const common = {
  url: ["Address that events are sent to. HTTPS, and reachable from the internet.", "https://example.com/hooks/muster"],
  event_types: [
    "Events to send: names such as `issue.created`, groups such as `issue.*`, or `*` for all.",
    ["issue.*"],
  ],
  description: ["What the webhook is for. `null` if not described.", "Posts new issues to the team chat"],
  enabled: ["Whether events are sent.", true],
} as const;

export const aboutWebhook = {
  ...common,
  id: idOf("webhook", "webhook"),
  secret_prefix: ["First characters of the signing secret, to recognise it by.", "whsec_MfKQ"],
  disabled_at: ["When the webhook was disabled. `null` if it is enabled.", null],
  last_delivery_at: ["When the last attempt was made. `null` if none was made.", "2026-01-16T14:05:12.480Z"],
  last_delivery_status: ["HTTP status of the last attempt. 0 if there was no answer; `null` if none was made.", 200],
  created_by: userId("User id of the person or agent who created the webhook."),
  status: ["State of the webhook. `failing`: attempts fail, and the webhook will be disabled if that goes on."],
  disabled_reason: [
    "Why it was disabled: by a user, since the receiver answered 410, or since it failed too long. Else `null`.",
    null,
  ],
  project_ids: ["Ids of the projects whose events are sent. `null` for all.", null],
  headers: ["Headers sent with every message. Values are shown as `***`.", { "X-Token": "***" }],
  consecutive_failures: countOf("Number of messages in a row that failed.", 0),
  last_success_at: ["When a message was last delivered. `null` if never.", "2026-01-16T14:05:12.480Z"],
  secret_rotated_at: ["When the signing secret was last replaced. `null` if never.", null],
  previous_secret_expires_at: [
    "Until when the previous secret signs messages, too. Earlier secrets sign until the time that their own rotation answered; at most three sign at a time. `null` if none does.",
    null,
  ],
  secret: [
    "Secret that messages are signed with. It is shown only in this reply; keep it safe.",
    "whsec_MfKQEXAMPLEEXAMPLEEXAMPLE",
  ],
  ...timesOf("webhook"),
} as const;

export const aboutWebhookInput = {
  ...common,
  project_ids: ["Projects whose events are sent, by id, key or slug. `null` for all.", ["WEB"]],
  headers: [
    "Headers to send with every message, at most 10. The value `***` keeps the header's present value.",
    { "X-Token": "s3cret" },
  ],
} as const;

export const aboutRotation = {
  grace_seconds: ["Seconds for which the old secret signs messages, too. 0 ends it at once.", 86_400],
} as const;

export const aboutDelivery = {
  id: idOf("attempt"),
  delivery_id: ["Id of the message: the same for all its attempts, and sent as the `webhook-id` header.", SAMPLE.other],
  event_type: ["What happened, as named in the event catalogue.", "issue.created"],
  attempt: countOf("How often the message has been tried, this attempt included.", 1),
  status: countOf("HTTP status of the answer. 0 if there was none, or the attempt was not made yet.", 200),
  latency_ms: countOf("Time until the answer, in milliseconds.", 84),
  error: ["Why the attempt failed. Empty if it did not.", ""],
  final: countOf("1 if no further attempt follows, else 0.", 1),
  ts: ["When the attempt was recorded.", "2026-01-16T14:05:12.480Z"],
  state: [
    "How far the message is: waiting for its next attempt, delivered, given up, or skipped because the webhook was disabled.",
    "succeeded",
  ],
  next_attempt_at: [
    "When the message is due to be sent next. `null` if it will not be sent again, or is being sent.",
    null,
  ],
  request_headers: [
    "Headers that were sent. Values of the webhook's own headers are masked. `null` before.",
    { "webhook-id": SAMPLE.other },
  ],
  request_body: ["First 16 KiB of the body that was sent. `null` before.", '{"type":"issue.created"}'],
  response_body: ["First 4 KiB of the answer's body. `null` if there was no answer.", "ok"],
  body_hidden: [
    "Why both bodies are `null` for the caller: the key lacks the `scope` of the event, is limited to other projects (`project`), or the object is `private` to others. `null` if nothing is hidden.",
    null,
  ],
} as const;

export const aboutDeliveryQuery = {
  status: [
    "Only attempts in one of these states, comma-separated: `pending`, `delivering`, `retrying`, `succeeded`, `failed`, `skipped`.",
    "failed,skipped",
  ],
} as const;

export const aboutReplay = {
  since: ["Only messages of events from this time on.", "2026-01-15T09:30:00.000Z"],
  until: ["Only messages of events before this time. `null` for now.", null],
  event_types: ["Only messages of these events: names, groups such as `issue.*`, or `*`. All if absent.", ["issue.*"]],
  states: ["Only messages whose newest attempt has one of these states.", ["failed", "skipped"]],
} as const;

export const aboutReplayReply = {
  queued: countOf(
    "Number of messages that will be sent again. `null` if there are too many to count at once; they are sent all the same.",
    42,
  ),
  since: ["From which time on messages are sent again.", "2026-01-15T09:30:00.000Z"],
  until: ["End of the replayed time, exclusive: when the call arrived.", "2026-01-16T14:05:12.480Z"],
  clamped: [
    "Whether `since` was moved to the time from which messages are kept: the plan's `delivery_history_days`.",
    false,
  ],
} as const;

export const aboutTestEvent = {
  webhook_id: ["The webhook that gets the messages.", SAMPLE.webhook],
  message: ["Text for people.", "This is a test."],
} as const;
