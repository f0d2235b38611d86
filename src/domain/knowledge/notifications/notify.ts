import type { Background } from "../../events/background.ts";
import { noticesOf } from "./rules.ts";
import { eventsToNotify, writeNotices } from "./write.sql.ts";

/**
 * Writes the notifications of events of one workspace, in one statement. It may run again: nobody gets a second
 * notification of an event. Returns how many were written.
 */
export async function notifyOf(ctx: Background, workspaceId: string, eventIds: readonly string[]): Promise<number> {
  const events = await eventsToNotify(ctx.db, workspaceId, eventIds);
  const notices = events.flatMap((event) => {
    const { id: cause_id, actor_id, actor_name } = event;
    return noticesOf(event.type, event).map((notice) => ({ ...notice, cause_id, actor_id, actor_name }));
  });
  if (notices.length === 0) return 0;
  return writeNotices(
    ctx.db,
    workspaceId,
    notices.map((notice, place) => ({ ...notice, place })),
  );
}
