import type { Actor, Cause } from "../../kernel/context.ts";

/**
 * What the statements that several calls share have in common. Each call has its own author and time, unlike in
 * `recordingCtes`, and so few columns that Postgres prepares a short plan.
 */

/** The part of an item that says who did what, and which events and lines of history tell of it. */
export type SharedRecording = {
  now: string;
  actor: Actor;
  cause: Cause;
  /** What differs in the view. All events of the change have it. Null for a new issue. */
  previous: Record<string, unknown> | null;
  changed: string[] | null;
  events: { id: string; type: string; context: Record<string, unknown> | null }[];
  activity: { id: string; kind: string; payload: Record<string, unknown> }[];
};

/** Its columns, as `sharedRow` writes them. */
export const SHARED_TYPES = `now timestamptz(3), actor_id uuid, actor_kind text, actor_name text, cause jsonb, view jsonb,
      previous jsonb, changed text[], events jsonb, activity jsonb`;

/** An item as JSON. `json` is that of its view, which becomes part of it as it is. */
export function sharedRow<Item extends SharedRecording & { json: string }>({ actor, json, ...item }: Item): string {
  const rest = JSON.stringify({ ...item, actor_id: actor.id, actor_kind: actor.kind, actor_name: actor.name });
  return `${rest.slice(0, -1)},"view":${json}}`;
}

/**
 * SQL: stores events, their outbox rows and lines of history of issues. $1 is the workspace.
 * @param source the items, with `id` and `project_id` of the issue
 * @param view the column that has the view after the change
 */
export const sharedRecordingCtes = (source: string, view: string) => `
  written_event as (
    insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, actor_name, cause, data,
                       previous, changed, context, created_at)
    select e.id, $1, e.type, c.project_id, c.id, actor_id, actor_kind, actor_name, cause, ${view}, previous, changed,
           e.context, now
    from ${source} c, jsonb_to_recordset(c.events) as e(id uuid, type text, context jsonb)
    returning id, type
  ),
  written_outbox as (
    insert into outbox (event_id, workspace_id, type) select id, $1, type from written_event
  ),
  written_activity as (
    insert into activity (id, workspace_id, project_id, issue_id, kind, actor_id, actor_kind, actor_name, payload,
                          sprint_id, status, story_points, estimate_minutes, created_at)
    select a.id, $1, c.project_id, c.id, a.kind, actor_id, actor_kind, actor_name,
           a.payload || jsonb_build_object('cause', cause), (${view} ->> 'sprint_id')::uuid, ${view} ->> 'status',
           (${view} ->> 'story_points')::int, (${view} ->> 'estimate_minutes')::int, now
    from ${source} c, jsonb_to_recordset(c.activity) as a(id uuid, kind text, payload jsonb)
  )`;
