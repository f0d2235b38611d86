import { overdueTurns } from "../domain/delivery/webhooks/sweep.sql.ts";
import type { Background } from "../domain/events/background.ts";
import { deliverWebhook, sweep } from "../queues/index.ts";
import { takeBackMatches } from "./events/reactions.sql.ts";
import { type JobInfo, worker } from "./worker.ts";

const BATCH = 1_000;

/** Adds turns again that Redis lost. Other jobs are the relay's to add again. */
export const sweepWorker = worker(sweep, async (ctx, _, job) => {
  await takeBackMatches(ctx.database, BATCH);
  return { turns: await sweepTurns(ctx, job) };
});

async function sweepTurns({ database }: Background, { add }: JobInfo): Promise<number> {
  const overdue = await overdueTurns(database);
  const jobs = overdue.map(({ workspace_id, webhook_id, test_id }) =>
    test_id
      ? { id: test_id, payload: { workspace_id, webhook_id, test_id } }
      : { id: webhook_id, payload: { workspace_id, webhook_id } },
  );
  await add(deliverWebhook, jobs);
  return jobs.length;
}
