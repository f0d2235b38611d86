import type { Db } from "../kernel/ports/ports.ts";

/** Age in seconds of the oldest event that no relay has taken, in all workspaces. 0 if there is none. */
export async function outboxLagSeconds(db: Db, now: Date): Promise<number> {
  const [oldest] = await db.query<{ event_id: string }>({
    text: "select event_id from outbox order by event_id limit 1",
  });
  if (!oldest) return 0;
  // A UUIDv7 begins with its time in milliseconds.
  const recordedAt = Number.parseInt(oldest.event_id.replace("-", "").slice(0, 12), 16);
  return Math.max(0, now.getTime() - recordedAt) / 1000;
}
