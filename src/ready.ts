import { NEWEST_MIGRATION } from "./migrate.ts";
import type { Resources } from "./resources.ts";

const PATIENCE_MS = 2_000;

export type Readiness = { ready: boolean; checks: { postgres: boolean; redis: boolean; migrations: boolean } };

/** Whether the process can serve: Postgres and Redis answer, and the database has the newest migration. */
export async function checkReady({ database, redis }: Resources): Promise<Readiness> {
  const newest = { text: "select 1 from migration where name = $1" };
  // A store that neither answers nor refuses counts as away.
  const late = () =>
    new Promise<never>((_, reject) => setTimeout(reject, PATIENCE_MS, new Error("no answer in time")).unref());
  const [migrated, pong] = await Promise.allSettled([
    Promise.race([database.query(newest, [NEWEST_MIGRATION]), late()]),
    Promise.race([redis.ping(), late()]),
  ]);
  const undefinedTable = migrated.status === "rejected" && migrated.reason?.code === "42P01";
  const checks = {
    postgres: migrated.status === "fulfilled" || undefinedTable,
    redis: pong.status === "fulfilled",
    migrations: migrated.status === "fulfilled" && migrated.value.length === 1,
  };
  return { ready: Object.values(checks).every(Boolean), checks };
}
