import { z } from "zod";
import { type DeliveryJob, deliverDue } from "../../domain/delivery/webhooks/deliver-due.ts";
import { deliverTest } from "../../domain/delivery/webhooks/deliver-test.ts";
import { deliveries } from "../../domain/delivery/webhooks/due.sql.ts";
import { unservedWebhooks } from "../../domain/delivery/webhooks/sweep.sql.ts";
import type { Background } from "../../domain/events/background.ts";
import { newId } from "../../domain/kernel/ids.ts";
import type { Log } from "../../domain/kernel/ports/ports.ts";
import { defineQueue, id, seconds } from "../../queues/queue.ts";
import { throttled } from "../throttle.ts";
import { type JobInfo, serve } from "../worker.ts";

/** Sends all due deliveries of a webhook, in order. With `test_id`, it sends only this test delivery. */
export const deliverWebhook = defineQueue("deliver-webhook", {
  payload: z.object({ workspace_id: id, webhook_id: id, test_id: id.optional() }),
  retry: seconds(1, 5, 30),
  retryForever: true,
  concurrency: 200,
  takesSlots: true,
  rows: deliveries,
  lost: async (db) => (await unservedWebhooks(db)).map((job) => ({ id: job.test_id ?? job.webhook_id, payload: job })),
});

/** How long to wait for a slot of the workspace or the end of a lock before the next attempt. */
const NEXT_TRY_MS = 500;
/** Jobs of a webhook that are scheduled for the same period of this length are one. */
const MERGED_MS = 500;

export const worker = serve(deliverWebhook, async (ctx, delivery, job) => {
  const { workspace_id, test_id } = delivery;
  if (test_id) return { deliveries: Number(await deliverTest(ctx, { id: test_id, workspace_id })) };
  const leave = job.share.enter(workspace_id);
  if (!leave) return putOff(delivery, job);
  try {
    return await deliverAll(ctx, delivery, job);
  } finally {
    leave();
  }
});

async function deliverAll(ctx: Background, delivery: DeliveryJob, job: JobInfo) {
  const { workspace_id, webhook_id } = delivery;
  const adding = new Set<Promise<void>>();
  const end = await deliverDue(ctx, delivery, {
    processId: job.processId,
    livedSince: job.livedSince,
    enter: () => job.share.enter(workspace_id),
    crowded: () => job.share.crowded(workspace_id),
    stopping: job.stopping,
    clock: () => performance.now(),
    onEnded: (failed) => job.report({ deliveries: 1, failures: Number(failed) }),
    // Redis may refuse a job at any time. Deliveries continue, and the row says when the retry is due.
    again(waitMs) {
      const added = job
        .add(deliverWebhook, [jobIn(waitMs, { workspace_id, webhook_id })])
        .catch((error) => logLeft(ctx.log, error))
        .finally(() => adding.delete(added));
      adding.add(added);
    },
  });
  await Promise.all(adding);
  if (end === "left") await job.add(deliverWebhook, [{ id: newId(), payload: { workspace_id, webhook_id } }]);
  if (end === "locked") await putOff(delivery, job);
  return {};
}

const logLeft = throttled((log: Log, error: unknown) =>
  log.warn({ err: error }, "the jobs of some retries could not be added; the sweep adds them when they are due"),
);

/**
 * Returns a job at the end of the half second that the retry falls in. A job delivers until nothing is due, so one job
 * is enough for all retries in that time. A receiver that fails a thousand messages must not fill the queue for others.
 */
function jobIn(waitMs: number, payload: DeliveryJob) {
  const now = Date.now();
  const at = Math.ceil((now + waitMs) / MERGED_MS) * MERGED_MS;
  return { id: `${payload.webhook_id}-at-${at}`, payload, delayMs: at - now };
}

async function putOff(delivery: DeliveryJob, { addOnce }: JobInfo): Promise<object> {
  await addOnce(deliverWebhook, jobIn(NEXT_TRY_MS, delivery));
  return {};
}
