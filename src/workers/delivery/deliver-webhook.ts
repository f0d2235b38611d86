import { deliverTest } from "../../domain/delivery/webhooks/deliver-test.ts";
import { serve, type Turn } from "../../domain/delivery/webhooks/turn.ts";
import type { Background } from "../../domain/events/background.ts";
import { newId } from "../../domain/kernel/ids.ts";
import type { Log } from "../../domain/kernel/ports/ports.ts";
import { deliverWebhook } from "../../queues/index.ts";
import { quietly } from "../quietly.ts";
import { type JobInfo, worker } from "../worker.ts";

/** How long to wait for a place of the workspace, or for the end of a lock, before the next try. */
const NEXT_TRY_MS = 500;
/** Turns of a webhook that are scheduled for a moment within so long are one. */
const SLOT_MS = 500;

/** One turn of a webhook, or one test. */
export const deliverWebhookWorker = worker(deliverWebhook, async (ctx, turn, job) => {
  if (turn.test_id) {
    const sent = await deliverTest(ctx, { id: turn.test_id, workspace_id: turn.workspace_id });
    return { deliveries: Number(sent) };
  }
  const leave = job.share.enter(turn.workspace_id);
  if (!leave) return putOff(turn, job);
  try {
    return await take(ctx, turn, job);
  } finally {
    leave();
  }
});

async function take(ctx: Background, turn: Turn, job: JobInfo) {
  const { workspace_id, webhook_id } = turn;
  const adding = new Set<Promise<void>>();
  const end = await serve(ctx, turn, {
    processId: job.processId,
    enter: () => job.share.enter(workspace_id),
    crowded: () => job.share.crowded(workspace_id),
    stopping: job.stopping,
    clock: () => performance.now(),
    onEnded: (failed) => job.report({ deliveries: 1, failures: Number(failed) }),
    // Redis may refuse a job at any moment of the turn, which goes on. The row says when the retry is due.
    again(waitMs) {
      const added = job
        .add(deliverWebhook, [jobIn(waitMs, { workspace_id, webhook_id })])
        .catch((error) => sayLeft(ctx.log, error))
        .finally(() => adding.delete(added));
      adding.add(added);
    },
  });
  await Promise.all(adding);
  if (end === "left") await job.add(deliverWebhook, [{ id: newId(), payload: { workspace_id, webhook_id } }]);
  if (end === "locked") await putOff(turn, job);
  return {};
}

const sayLeft = quietly((log: Log, error: unknown) =>
  log.warn({ err: error }, "the jobs of some retries could not be added; the sweep adds them when they are due"),
);

/**
 * A turn at the end of the slot in which that moment lies. It goes on until nothing is due, so that one job serves all
 * that is scheduled within the slot: a receiver that fails a thousand messages must not fill the queue for the others.
 */
function jobIn(waitMs: number, payload: Turn) {
  const now = Date.now();
  const at = Math.ceil((now + waitMs) / SLOT_MS) * SLOT_MS;
  return { id: `${payload.webhook_id}-at-${at}`, payload, delayMs: at - now };
}

async function putOff(turn: Turn, { add }: JobInfo): Promise<object> {
  const job = jobIn(NEXT_TRY_MS, turn);
  const slot = Math.ceil(Date.now() / SLOT_MS);
  if (putOffIn !== slot) alreadyPutOff.clear();
  putOffIn = slot;
  if (!alreadyPutOff.has(job.id)) await add(deliverWebhook, [job]);
  alreadyPutOff.add(job.id);
  return {};
}

// Thousands may be put off together, and one trip to Redis for each webhook is enough.
let putOffIn = 0;
const alreadyPutOff = new Set<string>();
