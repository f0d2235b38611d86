import type { IssueRow } from "../../access/identity/issue-row.ts";
import type { Actor, Cause } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/**
 * Stores new issues of one project from several calls in one statement. Each has its own author and time. It is the
 * short form of `create.sql.ts` for issues without parent, epic, position and values of fields: half of the statement's
 * parts, so that Postgres prepares half of the plan each time.
 */

/** A new issue, with what its event, its line of history and its watchers need. */
export type SharedIssue = Pick<
  IssueRow,
  | ("id" | "type" | "title" | "description_md" | "status" | "priority" | "assignee_ids" | "reporter_id")
  | ("milestone_id" | "sprint_id" | "release_id" | "label_ids" | "estimate_minutes" | "story_points")
  | ("spent_minutes" | "completion_pct" | "start_at" | "due_at" | "started_at" | "resolved_at")
  | ("external_source" | "external_id" | "created_by")
> & {
  status_id: string;
  watcher_ids: string[];
  now: string;
  actor: Actor;
  cause: Cause;
  /** The view of the issue. The statement adds the values derived from the number. */
  data: unknown;
  events: { id: string; type: string; context: Record<string, unknown> | null }[];
  activity_id: string;
};

export type NumberedRow = { number: number; rank: string };

// Columns whose value is stored as it is in the item.
const plain = `type, title, description_md, status, status_id, priority, assignee_ids, reporter_id, milestone_id, sprint_id,
  release_id, label_ids, estimate_minutes, story_points, spent_minutes, completion_pct, start_at, due_at, started_at,
  resolved_at, external_source, external_id, created_by`;

const CREATE_SHARED = {
  name: "create_shared_issues",
  text: `
    with item as materialized (
      select * from jsonb_to_recordset($3::jsonb) as t(
        ord int, id uuid, type text, title text, description_md text, status text, status_id uuid, priority text,
        assignee_ids uuid[], reporter_id uuid, milestone_id uuid, sprint_id uuid, release_id uuid, label_ids uuid[],
        estimate_minutes int, story_points int, spent_minutes int, completion_pct int, start_at timestamptz,
        due_at timestamptz, started_at timestamptz, resolved_at timestamptz, external_source text, external_id text,
        created_by uuid, watcher_ids uuid[], now timestamptz(3), actor_id uuid, actor_kind text, actor_name text,
        cause jsonb, data jsonb, events jsonb, activity_id uuid)
    ),
    counter as (
      update issue_counter set last_number = last_number + $4 where project_id = $2
      returning last_number - $4 as base, archived_at
    ),
    numbered as materialized (
      select item.*, n.number, $5 || n.number as key, rank_of(n.number) as rank,
             data || jsonb_build_object('number', n.number, 'key', $5 || n.number, 'url', $6 || n.number,
                                        'rank', rank_of(n.number)) as view
      from counter, item, lateral (select counter.base + item.ord + 1 as number) n
    ),
    written as (
      insert into issue (id, workspace_id, project_id, number, key, rank, watcher_count, created_at, updated_at, ${plain})
      select id, $1, $2, number, key, rank, cardinality(watcher_ids), now, now, ${plain} from numbered
    ),
    board as (
      -- As in create_issues: a column is not counted if it was deleted, changed its category, or is full.
      update board_status s set issue_count = s.issue_count + n.arriving
      from unnest($8::uuid[], $9::text[], $10::int[]) as n(status_id, status, arriving)
      where s.id = n.status_id and s.category = n.status and s.deleted_at is null
        and (not $7::boolean or s.wip_limit is null or s.issue_count + n.arriving <= s.wip_limit)
      returning s.id
    ),
    watching as (
      insert into watcher (issue_id, user_id, workspace_id, created_at)
      select id, w, $1, now from numbered, unnest(watcher_ids) w
    ),
    written_event as (
      insert into event (id, workspace_id, type, project_id, issue_id, actor_id, actor_kind, actor_name, cause, data,
                         context, created_at)
      select e.id, $1, e.type, $2, n.id, actor_id, actor_kind, actor_name, cause, view, e.context, now
      from numbered n, jsonb_to_recordset(n.events) as e(id uuid, type text, context jsonb)
      returning id, type
    ),
    written_outbox as (
      insert into outbox (event_id, workspace_id, type) select id, $1, type from written_event
    ),
    written_activity as (
      insert into activity (id, workspace_id, project_id, issue_id, kind, actor_id, actor_kind, actor_name, payload,
                            sprint_id, status, story_points, estimate_minutes, created_at)
      select activity_id, $1, $2, id, 'created', actor_id, actor_kind, actor_name, jsonb_build_object('cause', cause),
             sprint_id, status, story_points, estimate_minutes, now
      from numbered
    )
    select number, rank,
           -- Makes the statement fail, so that nothing is stored, if the project was archived or a column has changed.
           fail_unless_unchanged((select archived_at from counter) is null
             and (select count(*) from board) = cardinality($8::uuid[]))
    from numbered order by ord`,
};

/** What all items of the statement have in common. */
export type SharedPlace = {
  workspaceId: string;
  projectId: string;
  projectKey: string;
  urlPrefix: string;
  /** Whether the limits of columns are enforced. */
  keepsLimits: boolean;
};

/** @throws errors that `isBoardChanged`, `isPlanningGone` and `isExternalIdTaken` recognise */
export function createShared(db: Db, at: SharedPlace, items: SharedIssue[]): Promise<NumberedRow[]> {
  const columns = Map.groupBy(items, ({ status_id, status }) => `${status_id} ${status}`);
  const arriving = [...columns.values()].map((some) => ({ ...some[0]!, count: some.length }));
  return db.query<NumberedRow>(CREATE_SHARED, [
    at.workspaceId,
    at.projectId,
    JSON.stringify(items.map(rowOf)),
    items.length,
    `${at.projectKey}-`,
    at.urlPrefix,
    at.keepsLimits,
    arriving.map(({ status_id }) => status_id),
    arriving.map(({ status }) => status),
    arriving.map(({ count }) => count),
  ]);
}

const rowOf = ({ actor, ...item }: SharedIssue, ord: number) => ({
  ...item,
  ord,
  actor_id: actor.id,
  actor_kind: actor.kind,
  actor_name: actor.name,
});
