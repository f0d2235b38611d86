import { match } from "../domain/webhooks/match.ts";
import { deliverWebhook, matchWebhooks } from "../queues/index.ts";
import { worker } from "./worker.ts";

export const matchWebhooksWorker = worker(matchWebhooks, async (ctx, event, job) => {
  const turns = await match(ctx, event);
  const jobs = turns.map((turn) => ({ id: `${event.event_id}-${turn.webhook_id}`, payload: turn }));
  if (jobs.length > 0) await job.add(deliverWebhook, jobs);
  return { webhooks: jobs.length };
});
