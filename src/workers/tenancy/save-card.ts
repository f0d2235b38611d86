import { eventById } from "../../domain/events/events.sql.ts";
import { saveCard as save } from "../../domain/tenancy/credits/saved-card.ts";
import { saveCard } from "../../queues/index.ts";
import { worker } from "../worker.ts";

/** Keeps the card that a person saved on the processor's page. */
export const saveCardWorker = worker(saveCard, async (ctx, { workspace_id, event_id }) => {
  const event = await eventById(ctx.db, workspace_id, event_id);
  const setup = (event?.data as { setup?: string } | undefined)?.setup;
  return { saved: setup ? await save(ctx, workspace_id, setup) : false };
});
