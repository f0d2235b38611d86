import { z } from "zod";
import { defineAudit } from "../../events/audit/define-audit.ts";
import { defineEvent } from "../../events/define-event.ts";
import { view } from "../../kernel/described.ts";
import { id } from "../../kernel/wire.ts";
import { aboutTestEvent } from "./descriptions.ts";
import { WebhookView } from "./view.ts";

/** Without the webhook's headers, which may contain credentials for its receiver. */
const DisabledWebhook = WebhookView.omit({ headers: true }).meta({ id: "DisabledWebhook" });

const WebhookTest = view("WebhookTest", aboutTestEvent, { webhook_id: id, message: z.string() });

export const webhookDisabled = defineEvent("webhook.disabled", {
  view: DisabledWebhook,
  audience: "workspace",
  audit: { target: "webhook", name: ["description", "url"], adds: ["disabled_reason", "url"] },
});
export const webhookTest = defineEvent("webhook.test", { view: WebhookTest, audience: "workspace" });

/** Internal: a message was queued again, so its webhook has to be served. */
export const webhookRetryAsked = defineEvent("webhook.retry_asked", {
  view: z.object({ webhook_id: id }),
  audience: "none",
});

/** No events are recorded: webhooks are known to admins only. */
export const webhookCreated = defineAudit("webhook.created", "webhook");
export const webhookUpdated = defineAudit("webhook.updated", "webhook");
export const webhookDeleted = defineAudit("webhook.deleted", "webhook");
export const webhookSecretRotated = defineAudit("webhook.secret_rotated", "webhook");
export const webhookRetried = defineAudit("webhook.delivery_retried", "webhook");
export const webhookReplayed = defineAudit("webhook.replayed", "webhook");
