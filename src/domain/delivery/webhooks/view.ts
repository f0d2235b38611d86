import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { described, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutDelivery, aboutReplayReply, aboutWebhook } from "./descriptions.ts";
import { maskHeaders, openHeaders, type StoredHeaders } from "./headers.ts";

/** An event or group of events that a webhook subscribes to. The API description lists the known values. */
export const subscription = z.string().max(100).meta({
  id: "EventSubscription",
  description: "The name of an event, a group such as `issue.*`, or `*` for all events. Names are added over time.",
});

export const WebhookView = view("Webhook", aboutWebhook, {
  id,
  url: z.string(),
  event_types: z.array(subscription),
  secret_prefix: z.string(),
  disabled_at: timestamp.nullable(),
  last_delivery_at: timestamp.nullable(),
  last_delivery_status: z.number().int().nullable(),
  created_by: id,
  created_at: timestamp,
  enabled: z.boolean(),
  status: z.enum(["active", "failing", "disabled"]),
  disabled_reason: z.enum(["user", "gone", "failing", "credential_ended"]).nullable(),
  description: z.string().nullable(),
  project_ids: z.array(id).nullable(),
  headers: z.record(z.string(), z.string()),
  consecutive_failures: z.number().int(),
  last_success_at: timestamp.nullable(),
  secret_rotated_at: timestamp.nullable(),
  previous_secret_expires_at: timestamp.nullable(),
  updated_at: timestamp,
});
export type WebhookView = z.output<typeof WebhookView>;

/** The reply to creating a webhook or rotating its secret. Only these replies contain the secret. */
export const WebhookWithSecretView = WebhookView.extend(described(aboutWebhook, { secret: z.string() })).meta({
  id: "WebhookWithSecret",
});

/** A webhook as read from the database, without its secrets. */
export type WebhookRow = Omit<WebhookView, "enabled" | "status" | "headers"> & {
  headers: StoredHeaders;
  failing_since: string | null;
  failing_notified_at: string | null;
};

export const webhookView = (
  ctx: Ctx,
  { failing_since: _, failing_notified_at, headers, ...row }: WebhookRow,
): WebhookView => {
  const { disabled_at, previous_secret_expires_at: until } = row;
  return {
    ...row,
    headers: maskHeaders(openHeaders(ctx, headers)),
    previous_secret_expires_at: until && until > ctx.now ? until : null,
    enabled: disabled_at === null,
    status: disabled_at ? "disabled" : failing_notified_at ? "failing" : "active",
  };
};

export const DELIVERY_STATES = ["pending", "delivering", "retrying", "succeeded", "failed", "skipped"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One attempt. */
export const WebhookDeliveryView = view("WebhookDelivery", aboutDelivery, {
  delivery_id: id,
  event_type: z.string(),
  attempt: z.number().int(),
  status: z.number().int(),
  latency_ms: z.number().int(),
  error: z.string(),
  final: z.number().int().min(0).max(1),
  ts: timestamp,
  id,
  state: z.enum(DELIVERY_STATES),
  next_attempt_at: timestamp.nullable(),
  request_headers: z.record(z.string(), z.string()).nullable(),
  request_body: z.string().nullable(),
  response_body: z.string().nullable(),
  body_hidden: z.enum(["scope", "project", "private"]).nullable(),
});
export type WebhookDeliveryView = z.output<typeof WebhookDeliveryView>;

export const WebhookReplayView = view("WebhookReplay", aboutReplayReply, {
  queued: z.number().int().nullable(),
  since: timestamp,
  until: timestamp,
  clamped: z.boolean(),
});
export type WebhookReplayView = z.output<typeof WebhookReplayView>;
