import { NEWEST_MIGRATION } from "./migration-files.ts";
import type { Resources } from "./resources.ts";

const PATIENCE_MS = 2_000;

export type Readiness = {
  status: "ready" | "not ready" | "stopping";
  checks: { postgres?: boolean; redis?: boolean; migrations?: boolean };
};

/** A stopping process still serves requests, so that a load balancer has time to send new ones elsewhere. */
const STOPPING: Readiness = { status: "stopping", checks: {} };

/**
 * Whether the process can serve: it is not stopping, Postgres and Redis answer, and the database has the newest
 * migration.
 */
export async function checkReady({ database, redis }: Resources, stopping: AbortSignal): Promise<Readiness> {
  if (stopping.aborted) return STOPPING;
  const newest = { text: "select 1 from migration where name = $1" };
  // A store that does not answer in time counts as unavailable.
  const late = () =>
    new Promise<never>((_, reject) => setTimeout(reject, PATIENCE_MS, new Error("no answer in time")).unref());
  const [migrated, pong] = await Promise.allSettled([
    Promise.race([database.query(newest, [NEWEST_MIGRATION]), late()]),
    Promise.race([redis.ping(), late()]),
  ]);
  const undefinedTable = migrated.status === "rejected" && migrated.reason?.code === "42P01";
  if (stopping.aborted) return STOPPING;
  const checks = {
    postgres: migrated.status === "fulfilled" || undefinedTable,
    redis: pong.status === "fulfilled",
    migrations: migrated.status === "fulfilled" && migrated.value.length === 1,
  };
  return { status: Object.values(checks).every(Boolean) ? "ready" : "not ready", checks };
}
