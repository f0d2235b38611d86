import type { Background } from "../../events/background.ts";
import { eventById } from "../../events/events.sql.ts";
import { COUNTED, requestRecounts } from "./recount.sql.ts";

/** Requests a recount of the event's project, unless the change affects no count. Returns whether it did. */
export async function requestFor(ctx: Background, workspaceId: string, eventId: string): Promise<boolean> {
  const event = await eventById(ctx.db, workspaceId, eventId);
  if (!event?.project_id || event.changed?.every((field) => !COUNTED.includes(field))) return false;
  await requestRecounts({ db: ctx.db, workspace: { id: workspaceId } }, [event.project_id]);
  return true;
}
