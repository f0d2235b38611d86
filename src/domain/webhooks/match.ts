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
    const fitting = await fittingWebhooks(database, events);
    if (fitting.length === 0) return events.map(() => []);

    const ids = new Map<string, string>();
    for (const row of await insertDeliveries(database, unique(fitting))) ids.set(row.event_id + row.webhook_id, row.id);
    return events.map(({ event_id }) =>
      unique(fitting.filter((row) => row.event_id === event_id && !row.disabled)).map((row) => turnOf(row, ids)),
    );
  },
  { most: 100 },
);

/** The same event may be asked about twice at once, by two runs of its job. */
const unique = (rows: readonly Fitting[]) => [
  ...new Map(rows.map((row) => [row.event_id + row.webhook_id, row])).values(),
];

function turnOf({ workspace_id, webhook_id, event_id, event_type }: Fitting, ids: Map<string, string>): Turn {
  const turn = { workspace_id, webhook_id };
  const id = ids.get(event_id + webhook_id);
  return event_type === "webhook.test" && id ? { ...turn, test_id: id } : turn;
}
