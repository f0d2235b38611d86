import { attempt, begin, conclude, type Step } from "../domain/webhooks/deliver.ts";
import { deliverWebhook } from "../queues/index.ts";
import { type JobInfo, worker } from "./worker.ts";

/** A turn ends after so long a time of waiting for answers, for other endpoints to get theirs. */
const TURN_MS = 2_000;

/**
 * One turn: deliveries of one webhook, one after the other, until none is due. Going on in the same job costs the queue
 * nothing, and each claim is made under the lock that the conclusion before it took, so that no due row is overlooked.
 */
export const deliverWebhookWorker = worker(deliverWebhook, async (ctx, turn, job) => {
  let deliveries = 0;
  let waitedMs = 0;
  let step = await begin(ctx, turn);
  await follow(turn, step, job);

  while (step.delivery) {
    const sent = await attempt(ctx, step.delivery);
    deliveries++;
    waitedMs += sent.latency_ms;
    const goOn = waitedMs < TURN_MS && !job.stopping.aborted;
    step = await conclude(ctx, step.delivery, sent, { goOn });
    await follow(turn, step, job);
  }
  return { deliveries };
});

/** Adds the jobs that a step calls for; the sweep finds what is lost if the process dies before. */
async function follow(turn: { workspace_id: string; webhook_id: string }, step: Step, job: JobInfo): Promise<void> {
  const { workspace_id, webhook_id } = turn;
  const payload = { workspace_id, webhook_id };
  const jobs = slots(webhook_id, step.turns).map((id) => ({ id, payload }));
  if (step.handOver) jobs.push({ id: `${step.handOver}-after`, payload });
  await job.add(deliverWebhook, [...jobs, ...(step.retry ? [{ ...step.retry, payload }] : [])]);
}

/** Ids of further turns. They are the same for all who ask, so that many who see the same free place add one job. */
export const slots = (webhookId: string, turns: number): string[] =>
  Array.from({ length: turns }, (_, at) => `${webhookId}-${at + 1}`);
