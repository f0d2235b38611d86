import { z } from "zod";
import { record } from "../../events/record.ts";
import { limitedTo, sees } from "../../kernel/belongs.ts";
import { extended } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { checkTarget, MAX_URL } from "../../kernel/webhook-target.ts";
import { idInput } from "../../kernel/wire.ts";
import { labelsOf, viewOf } from "../../work/issues/view.ts";
import type { Acting, Running } from "./action.ts";
import { type Checking, done, onRun, type Problem, reportRequired } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { automationFired } from "./events.ts";
import { readVisible } from "./issue.sql.ts";
import { type Receiver, receiverAt, webhookNamed } from "./receivers.sql.ts";
import { missing } from "./references.ts";

/** The action that sends `automation.fired` to one receiver. */

const SendWebhook = inputPart(aboutAction, {
  type: z.literal("send_webhook"),
  webhook_id: idInput.optional(),
  url: z.string().trim().min(1).max(MAX_URL).optional(),
}).superRefine(({ webhook_id, url }, ctx) => {
  if (webhook_id === undefined && url === undefined)
    reportRequired(ctx, "webhook_id", "is required, unless url is sent");
  if (webhook_id !== undefined && url !== undefined) {
    const message = "must be left out with webhook_id";
    ctx.addIssue({ code: "custom", path: ["url"], message, params: { code: "not_allowed" } });
  }
});
type SendWebhook = z.output<typeof SendWebhook>;

export const sendWebhook = onRun(SendWebhook, {
  scopes: ["webhooks:write", "issues:read"],
  check: async (ctx, { webhook_id, url }) =>
    url === undefined ? webhookProblems(ctx, webhook_id!) : urlProblems(ctx, url),
  run: async (ctx, action, running) => {
    const at = running.issueId === null ? null : await readVisible(ctx, running.issueId);
    const receiver = await receiverOf(ctx, action, running);
    const project = at?.project ?? null;
    if (receiver.disabled)
      refuse("invalid_state_change", { message: `The webhook ${receiver.id} is disabled. Enable it.` });
    if (receiver.project_ids && !receiver.project_ids.includes(project?.id ?? "")) {
      refuseReference("/webhook_id", receiver.id, { message: "The webhook is limited to other projects." });
    }
    const { id, kind, name, runId, trigger } = running.source;
    const data = {
      automation_id: kind === "automation" ? id : null,
      workflow_id: kind === "workflow" ? id : null,
      name,
      run_id: runId,
      trigger: trigger ?? null,
      issue: at && viewOf(extended(ctx, at), at.issue, labelsOf(at.issue)),
    };
    const place = extended(ctx, { project: { id: project?.id ?? null } });
    record(place, automationFired, data, {
      ...(at ? { issue_id: at.issue.id } : {}),
      context: { webhook_id: receiver.id },
    });
    return done(`Sent to the webhook ${receiver.id}.`);
  },
  says: ({ webhook_id, url }) => `Send automation.fired to ${url ?? `the webhook ${webhook_id}`}`,
});

async function receiverOf(ctx: Acting, { webhook_id, url }: SendWebhook, { source }: Running): Promise<Receiver> {
  if (url === undefined) {
    const webhook = await webhookNamed(ctx, readId(webhook_id!));
    if (webhook && sees(ctx.principal, limitedTo(webhook)!)) return webhook;
    return refuseReference("/webhook_id", webhook_id, { message: "The webhook does not exist any more." });
  }
  const message = `The ${source.kind} was deleted, so nothing is sent to its addresses.`;
  return (await receiverAt(ctx, source, url)) ?? refuseReference("/url", url, { message });
}

async function webhookProblems(ctx: Checking, id: string): Promise<Problem[]> {
  const webhook = await webhookNamed(ctx, readId(id));
  if (!webhook || !sees(ctx.principal, limitedTo(webhook)!)) return [missing("/webhook_id", "webhook")];
  const { project_ids } = webhook;
  if (project_ids === null || (ctx.projectId !== null && project_ids.includes(ctx.projectId))) return [];
  const message = "is limited to other projects than these actions. Use another webhook.";
  return [{ path: "/webhook_id", code: "invalid_reference", message }];
}

function urlProblems({ settings }: Checking, url: string): Problem[] {
  const target = checkTarget(url, { allowLoopback: settings.webhookAllowLoopback });
  return "problem" in target ? [{ path: "/url", code: "invalid_url", message: `${target.problem}.` }] : [];
}
