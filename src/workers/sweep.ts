import type { Background } from "../domain/background.ts";
import { overdueWebhooks } from "../domain/webhooks/sweep.sql.ts";
import { deliverWebhook, sweep } from "../queues/index.ts";
import { slots } from "./deliver-webhook.ts";
import { takeOverdue } from "./reactions.sql.ts";
import { addOwed } from "./relay.ts";
import { type JobInfo, worker } from "./worker.ts";

const BATCH = 1_000;

/** How long a job that was asked after may go on waiting for its turn, until it is asked after again. */
const PATIENCE_MS = 15_000;

export const sweepWorker = worker(sweep, async (ctx, _, job) => ({
  reactions: await sweepReactions(ctx, job),
  turns: await sweepDeliveries(ctx, job),
}));

async function sweepReactions({ database }: Background, { add, stopping }: JobInfo): Promise<number> {
  let total = 0;
  let found = BATCH;
  while (found === BATCH && !stopping.aborted) {
    const owed = await takeOverdue(database, { most: BATCH, patienceMs: PATIENCE_MS });
    await addOwed({ add }, owed);
    found = owed.length;
    total += found;
  }
  return total;
}

/** A few turns for each endpoint are enough: they go on until nothing is due. */
async function sweepDeliveries({ database, settings }: Background, { add }: JobInfo): Promise<number> {
  const overdue = await overdueWebhooks(database, settings.webhooks.concurrencyPerEndpoint);
  const jobs = overdue.flatMap(({ workspace_id, webhook_id, due }) =>
    slots(webhook_id, due).map((id) => ({ id, payload: { workspace_id, webhook_id } })),
  );
  await add(deliverWebhook, jobs);
  return jobs.length;
}
