import type { Cause, Writing } from "../kernel/context.ts";
import { newId } from "../kernel/ids.ts";
import type { Db } from "../kernel/ports/ports.ts";
import type { Recorded } from "../kernel/recorded.ts";
import { bounded } from "./bounded.ts";
import { resolveMentions } from "./mentions.ts";
import { authorship } from "./record.ts";

/**
 * The start of every statement that records events: actor and time. They are parsed from the parameters once, not in
 * each row. Parsing them in each row would be cheap, but the planner expects a million rows, so it would make a new plan
 * for the values of each call.
 */
export const authorCte = (authorshipParam: string, nowParam: string) => `
  author as materialized (
    select (given -> 'actor' ->> 'id')::uuid as id, given -> 'actor' ->> 'kind' as kind,
           given -> 'actor' ->> 'name' as name, given -> 'cause' as cause, ${nowParam}::timestamptz(3) as now
    from (select ${authorshipParam}::jsonb as given) p
  )`;

/**
 * The end of every such statement: stores events, their outbox rows and lines of history from a JSON array.
 * `source` is a table expression with a column `event` (jsonb).
 */
export const recordingCtes = (source: string) => `
  happening as (
    select h.* from ${source} src, jsonb_to_record(src.event) as h(
      id uuid, type text, workspace_id uuid, project_id uuid, issue_id uuid, person_id uuid, channel_id uuid,
      truncated boolean,
      data jsonb, previous jsonb, changed text[], context jsonb, activity jsonb)
  ),
  written_event as (
    insert into event (id, workspace_id, type, project_id, issue_id, person_id, channel_id, truncated, actor_id, actor_kind,
                       actor_name, cause, data, previous, changed, context, created_at)
    select h.id, h.workspace_id, h.type, h.project_id, h.issue_id, h.person_id, h.channel_id,
           coalesce(h.truncated, false),
           author.id, author.kind, author.name, author.cause, h.data, h.previous, h.changed, h.context, author.now
    from happening h, author
  ),
  written_outbox as (
    insert into outbox (event_id, workspace_id, type) select h.id, h.workspace_id, h.type from happening h
  ),
  written_activity as (
    insert into activity (id, workspace_id, project_id, issue_id, kind, actor_id, actor_kind, actor_name, payload,
                          sprint_id, status, story_points, estimate_minutes, created_at)
    select (a ->> 'id')::uuid, h.workspace_id, h.project_id, h.issue_id, a ->> 'kind',
           author.id, author.kind, author.name, (a -> 'payload') || jsonb_build_object('cause', author.cause),
           -- Where the issue stands now; null where the event is about something else, such as a comment.
           (h.data ->> 'sprint_id')::uuid, case when h.data ? 'sprint_id' then h.data ->> 'status' end,
           (h.data ->> 'story_points')::int, (h.data ->> 'estimate_minutes')::int, author.now
    from author, happening h, jsonb_array_elements(h.activity) a
  )`;

const WRITE_RECORDED = {
  name: "write_recorded",
  text: `
    with ${authorCte("$2", "$3")},
    src as (select event from jsonb_array_elements($1::jsonb) as event),
    ${recordingCtes("src")}
    select 1`,
};

/** Characters of events that one statement stores. Other calls run between two statements. */
const AT_ONCE = 512 * 1024;

/** Stores events and history lines in the caller's transaction, in one statement unless they are very long. */
export async function writeRecorded(ctx: Writing, recorded: readonly Recorded[]): Promise<void> {
  await resolveMentions(ctx.db, recorded);
  const valuesOf = (events: readonly string[]) => [`[${events.join(",")}]`, JSON.stringify(authorship(ctx)), ctx.now];
  let waiting: string[] = [];
  let length = 0;
  for (const event of recorded) {
    if (length > AT_ONCE) {
      await ctx.tx.query(WRITE_RECORDED, valuesOf(waiting));
      [waiting, length] = [[], 0];
    }
    const json = JSON.stringify(storable(event));
    waiting.push(json);
    length += json.length;
  }
  // Most often the commit follows, and the two share a trip.
  ctx.tx.send(WRITE_RECORDED, valuesOf(waiting));
}

/** The JSON form that the statements above read. */
export const storable = (event: Recorded) => ({
  ...bounded(event),
  activity: event.activity.map((line) => ({ id: newId(), ...line })),
});

/** A recorded event, for a worker that reacts to it. */
export type StoredEvent = {
  id: string;
  type: string;
  project_id: string | null;
  cause: Cause;
  data: unknown;
  changed: string[] | null;
};

export async function eventById(db: Db, workspaceId: string, id: string): Promise<StoredEvent | null> {
  const [row] = await db.query<StoredEvent>(
    {
      name: "event_by_id",
      text: "select id, type, project_id, cause, data, changed from event where workspace_id = $1 and id = $2",
    },
    [workspaceId, id],
  );
  return row ?? null;
}
