import { asNew, audit } from "../../events/audit/audit.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { WebhookEntity } from "./entities.ts";
import { webhookReplayed } from "./events.ts";
import type { WebhookReplayInput } from "./inputs.ts";
import { countMessages, countOpenReplays, insertReplay } from "./replay.sql.ts";
import { refuseDisabled } from "./retry.ts";
import type { WebhookReplayView } from "./view.ts";
import { targetOf } from "./webhooks.ts";

/** Replays of a webhook that may be at work at a time. */
const MOST_OPEN = 10;
const DAY_MS = 86_400_000;

/**
 * Sends messages of a webhook again, oldest first. A worker queues them in pieces, however many there are. What is older
 * than the history of deliveries is left out.
 * @param hook locked
 * @param eventTypes full names; null for all
 * @throws Refusal validation_failed, invalid_state_change
 */
export async function replay(
  ctx: InWorkspace & Writing,
  hook: WebhookEntity,
  { since: asked, until: end, states }: WebhookReplayInput,
  eventTypes: readonly string[] | null,
): Promise<WebhookReplayView> {
  const until = end && end < ctx.now ? end : ctx.now;
  if (asked >= until) refuseField("/since", "invalid", "must be before until, and in the past");
  refuseDisabled(hook);
  const workspaceId = ctx.workspace.id;
  if ((await countOpenReplays(ctx.tx, workspaceId, hook.id)) >= MOST_OPEN) {
    refuse("invalid_state_change", {
      message: `${MOST_OPEN} replays of this webhook are at work. Wait until their messages are sent.`,
    });
  }

  const oldest = oldestKept(ctx);
  const clamped = asked < oldest;
  const since = clamped ? oldest : asked;
  const wanted = { workspaceId, webhookId: hook.id, since, until, states: [...new Set(states)], eventTypes };
  const queued = since < until ? await countMessages(ctx.tx, wanted) : 0;
  if (queued !== 0) {
    await insertReplay(ctx.tx, newId(), ctx.principal.user_id, wanted);
    const asked = { since, until, states: wanted.states, event_types: eventTypes };
    audit(ctx, webhookReplayed, targetOf(hook), asNew(asked, ["since", "until", "states", "event_types"]));
  }
  return { queued, since, until, clamped };
}

/** When the oldest messages were sent that the plan keeps. Messages are made from events, which may be kept for less. */
function oldestKept({ now, settings, workspace }: InWorkspace): string {
  const history = settings.plans(workspace.plan, "delivery_history_days") ?? Number.POSITIVE_INFINITY;
  const days = Math.min(history, settings.eventRetentionDays);
  return new Date(Date.parse(now) - days * DAY_MS).toISOString();
}
