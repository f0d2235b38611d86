import type { Background } from "../../events/background.ts";
import { eventById } from "../../events/events.sql.ts";
import { requestRecounts } from "./recount.sql.ts";

/** Fields of issues, columns and projects on which counts depend. */
const COUNTED = new Set([
  ...["status", "status_id", "type", "story_points", "labels", "assignee_id", "assignees", "parent_id"],
  ...["milestone_id", "sprint_id", "release_id", "archived_at", "category", "scoped"],
]);

/** Requests a recount of the event's project, unless the change affects no count. Returns whether it did. */
export async function requestFor(ctx: Background, workspaceId: string, eventId: string): Promise<boolean> {
  const event = await eventById(ctx.db, workspaceId, eventId);
  if (!event?.project_id || event.changed?.every((field) => !COUNTED.has(field))) return false;
  await requestRecounts({ db: ctx.db, workspace: { id: workspaceId } }, [event.project_id]);
  return true;
}
