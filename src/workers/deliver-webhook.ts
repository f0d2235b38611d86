import type { Background } from "../domain/background.ts";
import { attempt, begin, conclude, type Step } from "../domain/webhooks/deliver.ts";
import type { Turn } from "../domain/webhooks/match.ts";
import { deliverWebhook } from "../queues/index.ts";
import { type JobInfo, worker } from "./worker.ts";

/** How long a turn waits for a place of its workspace. */
const NEXT_TRY_MS = 500;

/** A turn ends after so long a time of waiting for answers, for other endpoints to get theirs. */
const TURN_MS = 2_000;

/**
 * One turn: deliveries of one webhook, one after the other, until none is due. Going on in the same job costs the queue
 * nothing, and each claim is made under the lock that the conclusion before it took, so that no due row is overlooked.
 */
export const deliverWebhookWorker = worker(deliverWebhook, async (ctx, turn, job) => {
  const leave = job.shares.enter(turn.workspace_id);
  if (!leave) return putOff(turn, job);
  try {
    return await take(ctx, turn, job);
  } finally {
    leave();
  }
});

async function take(ctx: Background, turn: Turn, job: JobInfo) {
  let deliveries = 0;
  let failures = 0;
  let waitedMs = 0;
  let step = await begin(ctx, turn);
  await follow(turn, step, job);

  while (step.delivery) {
    const sent = await attempt(ctx, step.delivery);
    deliveries++;
    waitedMs += sent.latency_ms;
    const goOn = waitedMs < TURN_MS && !job.stopping.aborted;
    step = await conclude(ctx, step.delivery, sent, { goOn });
    if (step.failed) failures++;
    await follow(turn, step, job);
  }
  return { deliveries, failures };
}

/**
 * The workspace has its share of places. One turn for each half second and webhook takes the place of all that were put
 * off, however many there are: it asks for further ones when there is room.
 */
async function putOff(turn: Turn, job: JobInfo) {
  const now = Date.now();
  const at = Math.ceil((now + NEXT_TRY_MS) / NEXT_TRY_MS) * NEXT_TRY_MS;
  const id = `${turn.test_id ?? turn.webhook_id}-at-${at}`;
  if (putOffTo !== at) alreadyPutOff.clear();
  putOffTo = at;
  if (!alreadyPutOff.has(id)) await job.add(deliverWebhook, [{ id, payload: turn, delayMs: at - now }]);
  alreadyPutOff.add(id);
  return { deliveries: 0, failures: 0 };
}

// Of thousands put off together, only one a webhook is worth a trip to Redis.
let putOffTo = 0;
const alreadyPutOff = new Set<string>();

/** Adds the jobs that a step calls for; the sweep finds what is lost if the process dies before. */
async function follow(turn: Turn, step: Step, job: JobInfo): Promise<void> {
  const { workspace_id, webhook_id } = turn;
  const payload = { workspace_id, webhook_id };
  const jobs = slots(webhook_id, step.turns).map((id) => ({ id, payload }));
  if (step.handOver) jobs.push({ id: `${step.handOver}-after`, payload });
  await job.add(deliverWebhook, [...jobs, ...(step.retry ? [{ ...step.retry, payload }] : [])]);
}

/** Ids of further turns. They are the same for all who ask, so that many who see the same free place add one job. */
export const slots = (webhookId: string, turns: number): string[] =>
  Array.from({ length: turns }, (_, at) => `${webhookId}-${at + 1}`);
