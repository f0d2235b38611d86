import { z } from "zod";
import { eventById } from "../../domain/events/events.sql.ts";
import { saveCard as save } from "../../domain/tenancy/credits/saved-card.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Stores a card that a person saved on the processor's page. */
export const saveCard = defineQueue("save-card", {
  on: ["card.noticed"],
  listeners: ALWAYS,
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 5, 30, 300, 1800),
  concurrency: 5,
});

export const worker = serve(saveCard, async (ctx, { workspace_id, event_id }) => {
  const event = await eventById(ctx.db, workspace_id, event_id);
  const setup = (event?.data as { setup?: string } | undefined)?.setup;
  return { saved: setup ? await save(ctx, workspace_id, setup) : false };
});
