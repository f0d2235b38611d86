import { batched } from "../batched.ts";
import { newId } from "../ids.ts";
import type { Transaction } from "../ports.ts";
import { FORGETFUL, THROUGH_INDEXES } from "../transaction-settings.ts";
import { type Claimed, claimDue, lockWebhooks } from "./claim.sql.ts";
import { type Closing, concludeAttempts, type Finished } from "./conclude.sql.ts";
import type { WebhookRules } from "./health.ts";

/** What a turn asks for between two calls to its receiver. */
export type Item = {
  workspace_id: string;
  webhook_id: string;
  test_id: string | null;
  /** Whether the turn goes on with another delivery. */
  wants: boolean;
  finished: Finished | null;
  rules: WebhookRules;
};
export type Settled = { claimed: Claimed | null; further: number; concluded: boolean; closing: Closing | null };

/** Beyond the time the receiver has, for building the message and storing its end. */
const LEASE_MARGIN_MS = 5_000;

/** Stores how an attempt ended and claims the next one, for many turns in one transaction. */
export const settle = batched<Item, Settled>(
  (database, items) => database.transaction((tx) => settleMany(tx, items), SETTINGS),
  { most: 100 },
);

// What is taken back is sent again. A webhook that somebody keeps locked holds up the others of a batch for a second.
const SETTINGS = [FORGETFUL, THROUGH_INDEXES, "set local lock_timeout = '1s'"].join(";");

async function settleMany(tx: Transaction, items: readonly Item[]): Promise<Settled[]> {
  await lockWebhooks(tx, [...new Set(items.map((item) => item.webhook_id))]);

  const finished = items.flatMap((item) => item.finished ?? []);
  const concluded = finished.length > 0 ? await concludeAttempts(tx, finished) : new Map<string, Closing | null>();

  const { claimed, further } = await claimDue(
    tx,
    items.map((item) => ({ ...item, turns: item.wants && !item.test_id ? 1 : 0 })),
    {
      testIds: items.flatMap((item) => item.test_id ?? []),
      freshIds: items.filter((item) => item.wants).map(newId),
      concurrency: Math.max(...items.map((item) => item.rules.concurrencyPerEndpoint)),
      leaseMs: Math.max(...items.map((item) => item.rules.timeoutMs)) + LEASE_MARGIN_MS,
    },
  );
  const named = new Set(items.map((item) => item.test_id));
  return items.map((item) => {
    const next = deal(item, claimed, named);
    const more = further.get(item.webhook_id) ?? 0;
    further.delete(item.webhook_id);
    const own = item.finished ? concluded.get(item.finished.id) : undefined;
    return { claimed: next, further: more, concluded: own !== undefined, closing: own ?? null };
  });
}

/** Takes an item's row out of those claimed: the test it named, else any that nobody named. */
function deal({ test_id, webhook_id, wants }: Item, claimed: Claimed[], named: Set<string | null>): Claimed | null {
  if (!wants) return null;
  const at = claimed.findIndex((row) =>
    test_id ? row.id === test_id : row.webhook_id === webhook_id && !named.has(row.id),
  );
  return at < 0 ? null : (claimed.splice(at, 1)[0] ?? null);
}
