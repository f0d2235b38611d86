import type { Background } from "../../events/background.ts";
import { tellPagesOf } from "../../events/live.ts";
import { noLongerMentioned, type WithMentions } from "../../events/mentions.ts";
import { noticesOf } from "./rules.ts";
import {
  deleteMentions,
  type EventToNotify,
  eventsToNotify,
  type PlacedNotice,
  type Unmentioned,
  writeNotices,
} from "./write.sql.ts";

/**
 * Writes the notifications of events of one workspace, in one statement. If that fails because of an event, each has a
 * statement of its own, so that the others notify. It may run again: nobody gets a second notification of an event.
 * Returns how many were written.
 * @throws the error of the first event that failed, after the other events have notified
 */
export async function notifyOf(
  ctx: Pick<Background, "db" | "ports">,
  workspaceId: string,
  eventIds: readonly string[],
): Promise<number> {
  try {
    return await notifyTogether(ctx, workspaceId, eventIds);
  } catch (error) {
    if (eventIds.length === 1 || !isDueToEvents(error)) throw error;
  }
  let count = 0;
  const errors: unknown[] = [];
  for (const id of eventIds) {
    try {
      count += await notifyTogether(ctx, workspaceId, [id]);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

/**
 * Whether events caused an error: by fields that a rule cannot read (TypeError) or Postgres cannot (SQLSTATE 22 and 23), or
 * by the time that they took together (57014).
 */
const isDueToEvents = (error: unknown): boolean =>
  error instanceof TypeError || /^(22|23|57014)/.test(String((error as { code?: unknown }).code));

async function notifyTogether(
  { db, ports }: Pick<Background, "db" | "ports">,
  workspaceId: string,
  eventIds: readonly string[],
): Promise<number> {
  const events = await eventsToNotify(db, workspaceId, eventIds);
  await deleteMentions(db, workspaceId, events.flatMap(unmentionedBy));
  const placed = events.flatMap(noticesFor).map((notice, place) => ({ ...notice, place }));
  if (placed.length === 0) return 0;
  const { count, readers } = await writeNotices(db, workspaceId, placed);
  tellPagesOf(ports, workspaceId, readers);
  return count;
}

/** Whom the text of an event no longer mentions. Its object is a comment or message, or else an issue or a doc. */
function unmentionedBy({ type, issue_id, data, previous, changed, context }: EventToNotify): Unmentioned[] {
  const { id, doc_id, mentions } = data as { id?: string; doc_id?: string } & Partial<WithMentions>;
  if (!mentions) {
    const people = context.unmentioned ?? [];
    if (people.length === 0) return [];
    return [issue_id === null ? { people, doc_id: id } : { people, issue_id }];
  }
  const people = noLongerMentioned({ data: { mentions }, previous, changed } as Parameters<
    typeof noLongerMentioned
  >[0]);
  if (people.length === 0) return [];
  if (type === "chat.message.updated") return [{ people, message_id: id }];
  return [doc_id === undefined ? { people, issue_id, comment_id: id } : { people, doc_id, comment_id: id }];
}

function noticesFor(event: EventToNotify): Omit<PlacedNotice, "place">[] {
  const { id: cause_id, actor_id, actor_name } = event;
  return noticesOf(event.type, event).map((notice) => {
    const actor = notice.byNobody ? { actor_id: null, actor_name: null } : { actor_id, actor_name };
    return { ...notice, ...actor, cause_id };
  });
}
