import type { MailContent } from "../../events/mail/mail.ts";
import { type MailText, mailText } from "../../events/mail/mail-text.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { DISABLE_AFTER } from "./health.ts";
import type { WebhookRow } from "./view.ts";

/** Mail when a webhook is halfway to being disabled. */
export function failingMail(hook: WebhookRow, { name }: Workspace): MailContent {
  const { messages, hours } = DISABLE_AFTER;
  return {
    subject: mailText`A webhook of ${name} is failing`,
    lines: [
      ...about(hook),
      mailText`It has accepted no message since ${momentOf(hook)}: ${hook.consecutive_failures} messages in a row have failed, the last one with ${lastAnswer(hook)}.`,
      mailText`It will be disabled when ${messages} messages in a row have failed and none was accepted for ${hours} hours. Until then messages that failed are sent again.`,
    ],
    footnotes: [REASON],
  };
}

/** Mail when a webhook was disabled. */
export function disabledMail(hook: WebhookRow, { slug, name }: Workspace, baseUrl: string): MailContent {
  const address = { asItIs: `${baseUrl}/v1/workspaces/${slug}/webhooks/${hook.id}` };
  return {
    subject: mailText`A webhook of ${name} was disabled`,
    lines: [
      ...about(hook),
      hook.disabled_reason === "gone"
        ? mailText`Its receiver answered 410 Gone, which means that it wants no more messages.`
        : mailText`It has accepted no message since ${momentOf(hook)}: ${hook.consecutive_failures} messages in a row have failed, the last one with ${lastAnswer(hook)}.`,
      mailText`Nothing is sent to it any more. Messages that it would get are recorded as skipped.`,
      mailText`To enable it again, send PATCH ${address} with {"enabled": true}.`,
    ],
    action: { label: mailText`Open the webhook`, url: `${baseUrl}/w/${slug}/webhooks/${hook.id}` },
    footnotes: [REASON],
  };
}

const REASON = mailText`You get this because you own the workspace or made the webhook.`;

/** Shows only a part of the URL, because its path and query may contain a secret. */
const about = ({ id, url, description }: WebhookRow): MailText[] => [
  mailText`Webhook ${id} to ${new URL(url).origin}`,
  ...(description ? [mailText`Description: ${description}`] : []),
];

const lastAnswer = ({ last_delivery_status: status }: WebhookRow) => (status ? `status ${status}` : "no answer");

const momentOf = ({ failing_since, created_at }: WebhookRow) => ({
  asItIs: `${(failing_since ?? created_at).slice(0, 16).replace("T", " ")} UTC`,
});
