import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { projectLimitInput } from "../../kernel/project-limit.ts";
import { MAX_URL } from "../../kernel/webhook-target.ts";
import { choice, instant, line } from "../../kernel/wire.ts";
import { aboutDeliveryQuery, aboutReplay, aboutRotation, aboutWebhookInput } from "./descriptions.ts";
import { subscription } from "./view.ts";

const MAX_HEADERS = 10;

// RFC 9110 §5.6.2 and §5.5, without non-ASCII bytes, which receivers interpret differently.
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]{0,1024}$/;

// Headers that the message or its connection sets. __proto__ would be lost in plain objects.
const RESERVED = new Set([
  ...["content-type", "content-length", "content-encoding", "host", "user-agent", "connection", "transfer-encoding"],
  ...["keep-alive", "proxy-connection", "upgrade", "te", "trailer", "expect", "__proto__"],
]);
const RESERVED_PREFIX = /^(x-)?webhook-/;

const headers = z
  .record(z.string().max(100), z.string().max(1_024))
  .superRefine((value, ctx) => {
    const names = Object.keys(value);
    const spellings = new Map<string, number>();
    for (const lower of names.map((name) => name.toLowerCase())) spellings.set(lower, (spellings.get(lower) ?? 0) + 1);
    const add = (path: string[], code: string, message: string) =>
      ctx.addIssue({ code: "custom", path, message, params: { code } });
    for (const name of names) {
      const lower = name.toLowerCase();
      if (!TOKEN.test(name)) add([name], "pattern", "is not the name of a header");
      else if (RESERVED.has(lower) || RESERVED_PREFIX.test(lower))
        add([name], "not_allowed", "is set by the message itself");
      else if (!VALUE.test(value[name]!)) add([name], "pattern", "must be at most 1024 printable ASCII characters");
      else if (spellings.get(lower)! > 1) add([name], "duplicate", "is given twice");
    }
  })
  .meta({ maxProperties: MAX_HEADERS });

const fields = {
  // Longer than a valid URL, so that checkTarget() gives the specific error.
  url: z
    .string()
    .max(2 * MAX_URL)
    .meta({ format: "uri" }),
  event_types: z.array(subscription).min(1).max(100),
  description: line(0, 200).nullable(),
  enabled: z.boolean(),
  project_ids: projectLimitInput,
  headers,
};

export const WebhookCreateInput = input("WebhookCreateInput", aboutWebhookInput, {
  ...fields,
  description: fields.description.optional(),
  enabled: fields.enabled.default(true),
  project_ids: fields.project_ids.optional(),
  headers: fields.headers.optional(),
});
export type WebhookCreateInput = z.output<typeof WebhookCreateInput>;

export const WebhookPatchInput = inputPart(aboutWebhookInput, { ...fields, headers: fields.headers.nullable() })
  .partial()
  .meta({ id: "WebhookPatchInput" });
export type WebhookPatchInput = z.output<typeof WebhookPatchInput>;

const DAY_SECONDS = 86_400;

export const WebhookRotateSecretInput = input("WebhookRotateSecretInput", aboutRotation, {
  grace_seconds: z
    .number()
    .int()
    .min(0)
    .max(7 * DAY_SECONDS)
    .default(DAY_SECONDS),
});

export const WebhookDeliveryQuery = inputPart(aboutDeliveryQuery, { status: z.string().max(200).optional() });
export type WebhookDeliveryQuery = z.output<typeof WebhookDeliveryQuery>;

/** A message that waits or is being sent needs no replay. */
const REPLAYED_STATES = ["failed", "skipped", "succeeded"] as const;

export const WebhookReplayInput = input("WebhookReplayInput", aboutReplay, {
  since: instant,
  until: instant.nullable().default(null),
  event_types: z.array(subscription).min(1).max(100).optional(),
  states: z.array(choice(REPLAYED_STATES)).min(1).max(10).default(["failed", "skipped"]),
});
export type WebhookReplayInput = z.output<typeof WebhookReplayInput>;
