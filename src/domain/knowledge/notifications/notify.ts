import type { Background } from "../../events/background.ts";
import { noticesOf } from "./rules.ts";
import { type EventToNotify, eventsToNotify, type PlacedNotice, writeNotices } from "./write.sql.ts";

/**
 * Writes the notifications of events of one workspace, in one statement. It may run again: nobody gets a second
 * notification of an event. Returns how many were written.
 */
export async function notifyOf(
  { db }: Pick<Background, "db">,
  workspaceId: string,
  eventIds: readonly string[],
): Promise<number> {
  const notices: Omit<PlacedNotice, "place">[] = [];
  const errors: unknown[] = [];
  for (const event of await eventsToNotify(db, workspaceId, eventIds)) {
    try {
      notices.push(...noticesFor(event));
    } catch (error) {
      // The job fails below, after the other events have notified.
      errors.push(error);
    }
  }
  const placed = notices.map((notice, place) => ({ ...notice, place }));
  const count = placed.length === 0 ? 0 : await writeNotices(db, workspaceId, placed);
  if (errors.length > 0) throw errors[0];
  return count;
}

function noticesFor(event: EventToNotify): Omit<PlacedNotice, "place">[] {
  const { id: cause_id, actor_id, actor_name } = event;
  return noticesOf(event.type, event).map((notice) => ({ ...notice, cause_id, actor_id, actor_name }));
}
