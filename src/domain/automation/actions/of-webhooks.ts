import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { idInput } from "../../kernel/wire.ts";
import { onRun, reportRequired } from "./define.ts";
import { aboutAction } from "./descriptions.ts";

/** Actions that send events to receivers. */

const SendWebhook = inputPart(aboutAction, {
  type: z.literal("send_webhook"),
  webhook_id: idInput.optional(),
  url: z.string().trim().min(1).max(2_000).optional(),
}).superRefine(({ webhook_id, url }, ctx) => {
  if (webhook_id === undefined && url === undefined)
    reportRequired(ctx, "webhook_id", "is required, unless url is sent");
  if (webhook_id !== undefined && url !== undefined) {
    const message = "must be left out with webhook_id";
    ctx.addIssue({ code: "custom", path: ["url"], message, params: { code: "not_allowed" } });
  }
});

export const sendWebhook = onRun(SendWebhook, {
  check: async () => [],
  run: async () => refuse("unavailable", { message: "This action is not available yet." }),
  says: ({ webhook_id, url }) => `Send automation.fired to ${url ?? `the webhook ${webhook_id}`}`,
});
