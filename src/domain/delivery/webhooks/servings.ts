import type { Db } from "../../kernel/ports/ports.ts";
import { leasesOf } from "./sweep.sql.ts";
import { release } from "./webhook-lease.sql.ts";

/** Which webhooks are being served in this process. */

/** A delivery to a webhook that is under way. */
export type Serving = {
  /** The id of its lease. */
  readonly lease: string;
  /** Makes it look for new deliveries. Returns false if it has ended. */
  checkAgain(): boolean;
};

/** By process and webhook: tests run several processes in one. */
const servings = new Map<string, Serving>();
const keyOf = (processId: string, webhookId: string) => `${processId} ${webhookId}`;

/** Call this when a delivery begins. Returns the function to call when it has ended. */
export function enlist(processId: string, webhookId: string, serving: Serving): () => void {
  const key = keyOf(processId, webhookId);
  servings.set(key, serving);
  return () => {
    if (servings.get(key) === serving) servings.delete(key);
  };
}

/**
 * Tells a process that serves a webhook of new deliveries, which are committed. Returns false if it does not serve it: then
 * they need a job.
 */
export const checkAgain = (processId: string, webhookId: string): boolean =>
  servings.get(keyOf(processId, webhookId))?.checkAgain() ?? false;

/**
 * Releases leases of this process that no delivery uses, and returns how many. Postgres may execute a statement after
 * its sender lost the connection and gave it up. A crash of Postgres may undo a release, because steps commit
 * asynchronously. Nobody then knows of the lease, and while this process lives, no other one can take it. Afterwards the
 * webhook counts as unserved, and the sweep adds a job for it.
 */
export async function releaseUnused(db: Db, processId: string): Promise<number> {
  const leases = await leasesOf(db, processId);
  // Read after the query. Ids are never used twice, so a lease that is not in use now will not be used later.
  const used = new Set([...servings.values()].map(({ lease }) => lease));
  const unused = leases.filter(({ lease }) => !used.has(lease));
  for (const { webhook_id, lease } of unused) await release(db, webhook_id, lease);
  return unused.length;
}
