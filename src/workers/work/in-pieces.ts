import { z } from "zod";
import type { Background } from "../../domain/events/background.ts";
import type { PiecesHost } from "../../domain/kernel/in-pieces.ts";
import type { LeasedRows } from "../../domain/kernel/leases.sql.ts";
import { ALWAYS, id, type QueueDefinition, seconds } from "../../queues/queue.ts";
import { NotNow, type QueueWorker, serve } from "../worker.ts";

/** Queues whose jobs work on the rows of a workspace in pieces (domain/kernel/in-pieces.ts). */

const payload = z.object({ workspace_id: id, event_ids: z.array(id) });

/** The same for all of these queues. A job without events is for rows whose job was lost. */
export const inPieces = <Row>(rows: LeasedRows<Row>) => ({
  // `only` finds the events after which there is something to do.
  listeners: ALWAYS,
  eventsPerJob: 10,
  payload,
  retry: seconds(0.5, 2, 5, 30),
  retryForever: true,
  concurrency: 4,
  rows,
  lost: async (db: Parameters<typeof rows.workspacesDue>[0]) =>
    (await rows.workspacesDue(db)).map((workspace_id) => ({
      id: workspace_id,
      payload: { workspace_id, event_ids: [] },
    })),
});

type Work = (ctx: Background, workspaceId: string, host: PiecesHost) => Promise<{ changed: number; left: boolean }>;

/** Metrics show the number of issues, and the queue console how far the work has come. */
export const serveInPieces = (queue: QueueDefinition<z.infer<typeof payload>>, work: Work): QueueWorker =>
  serve(queue, async (ctx, { workspace_id }, { processId, stopping, progress, report }) => {
    const clock = () => performance.now();
    const { changed: issues, left } = await work(ctx, workspace_id, { processId, stopping, clock, progress });
    report({ issues });
    if (left) throw new NotNow("the turn is over", 0);
    return {};
  });
