import type { WebhookDeliveryView, WebhookView } from "../../../domain/delivery/webhooks/view.ts";
import type { Html } from "../../../domain/kernel/html.ts";
import { badge, type Tone } from "../kit/pieces.ts";

/** States of webhooks and of their messages, in words. */

const REASONS: Record<NonNullable<WebhookView["disabled_reason"]>, string> = {
  user: "Disabled",
  gone: "Disabled: the receiver answered 410",
  failing: "Disabled after days of errors",
  credential_ended: "Disabled: the key that set it up has ended",
};

export function webhookState({ status, disabled_reason }: WebhookView): Html {
  if (status === "active") return badge("Active", "good");
  if (status === "failing") return badge("Failing", "bad");
  return badge(REASONS[disabled_reason ?? "user"], disabled_reason === "user" ? "quiet" : "bad");
}

const STATES: Record<WebhookDeliveryView["state"], [words: string, tone: Tone]> = {
  pending: ["Waiting", "quiet"],
  delivering: ["Being sent", "quiet"],
  retrying: ["Failed, will be tried again", "warn"],
  succeeded: ["Delivered", "good"],
  failed: ["Failed", "bad"],
  skipped: ["Skipped while disabled", "quiet"],
};

export const deliveryState = ({ state }: Pick<WebhookDeliveryView, "state">): Html => badge(...STATES[state]);

/** What the receiver answered: `204 in 84 ms`, or why there was no answer. */
export function answerOf({ status, latency_ms, error, state }: WebhookDeliveryView): string {
  if (state === "pending" || state === "delivering" || state === "skipped") return "";
  if (status === 0) return error || "No answer";
  return `${status} in ${latency_ms} ms`;
}

/** Choices of the list of deliveries. */
export const STATE_FILTERS = [
  { value: "failed,retrying", label: "Failed" },
  { value: "pending,delivering,retrying", label: "Waiting" },
  { value: "succeeded", label: "Delivered" },
  { value: "skipped", label: "Skipped" },
] as const;

/** As `answerOf`, for a webhook's last attempt. */
export const answerOfLast = ({ last_delivery_status: status }: WebhookView): string =>
  status === null ? "" : status === 0 ? "no answer" : `answered ${status}`;
