import type { Background } from "../background.ts";
import { batched } from "../batched.ts";
import { type EventRef, type Fitting, fittingWebhooks, insertDeliveries } from "./match.sql.ts";

/** A turn for a webhook, to be given by whoever runs jobs. `test_id`: this delivery first, whatever else is due. */
export type Turn = { workspace_id: string; webhook_id: string; test_id?: string };

/**
 * Writes a delivery for each webhook that wants to hear of an event, and answers whose turn it is. A second run writes
 * nothing and answers the same. An event that is no longer kept is for nobody.
 */
export const match = (ctx: Background, event: EventRef): Promise<Turn[]> => matchMany(ctx.database, event);

const matchMany = batched<EventRef, Turn[]>(
  async (database, events) => {
    const fitting = unique(await fittingWebhooks(database, events));
    if (fitting.length === 0) return events.map(() => []);

    const ids = await insertDeliveries(database, fitting);
    const turns = turnsFor(fitting, ids);
    return events.map(({ event_id }) => turns.get(event_id) ?? []);
  },
  { most: 100 },
);

/** The same event may be asked about twice at once, by two runs of its job. */
const unique = (rows: readonly Fitting[]) => [
  ...new Map(rows.map((row) => [row.event_id + row.webhook_id, row])).values(),
];

// A turn goes on until nothing is due, so a few are enough for all the rows that were written together.
const MOST_TURNS = 10;

function turnsFor(fitting: readonly Fitting[], ids: Map<string, string>): Map<string, Turn[]> {
  const turns = new Map<string, Turn[]>();
  const given = new Map<string, number>();
  for (const { workspace_id, webhook_id, event_id, event_type, disabled } of fitting) {
    const test_id = event_type === "webhook.test" ? ids.get(event_id) : undefined;
    const count = given.get(webhook_id) ?? 0;
    if (disabled || (count >= MOST_TURNS && !test_id)) continue;
    given.set(webhook_id, count + 1);
    const turn = test_id ? { workspace_id, webhook_id, test_id } : { workspace_id, webhook_id };
    turns.set(event_id, [...(turns.get(event_id) ?? []), turn]);
  }
  return turns;
}
