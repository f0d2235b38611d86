import type { IssueRow } from "../../access/identity/issue-row.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { SHARED_TYPES, type SharedRecording, sharedRecordingCtes, sharedRow } from "./shared-recording.sql.ts";

/**
 * Stores new issues of a workspace from several calls in one statement. Each has its own author and time. It is the
 * short form of `create.sql.ts` for issues without parent, epic, position and values of fields: half of the statement's
 * parts, so that Postgres prepares half of the plan each time.
 */

/** A new issue, with what its event, its line of history and its watchers need. */
export type SharedIssue = Pick<
  IssueRow,
  | ("id" | "type" | "title" | "description_md" | "status" | "priority" | "assignee_ids" | "reporter_id")
  | ("milestone_id" | "sprint_id" | "release_id" | "label_ids" | "estimate_minutes" | "story_points")
  | ("spent_minutes" | "completion_pct" | "start_at" | "start_on" | "due_at" | "due_on" | "started_at" | "resolved_at")
  | ("external_source" | "external_id" | "created_by")
> &
  SharedRecording & {
    status_id: string;
    project_id: string;
    /** What the number follows in the key, and in the address. */
    key_prefix: string;
    url_prefix: string;
    /** Whether the limits of columns are enforced. */
    keeps_limits: boolean;
    watcher_ids: string[];
    /** The view of the issue, as JSON. The statement adds the values derived from the number. */
    json: string;
  };

export type NumberedRow = { number: number; rank: string };

// Columns whose value is stored as it is in the item.
const plain = `type, title, description_md, status, status_id, priority, assignee_ids, reporter_id, milestone_id, sprint_id,
  release_id, label_ids, estimate_minutes, story_points, spent_minutes, completion_pct, start_at, start_on, due_at, due_on, started_at,
  resolved_at, external_source, external_id, created_by`;

const CREATE_SHARED = {
  name: "create_shared_issues",
  text: `
    with item as materialized (
      select * from jsonb_to_recordset($3::jsonb) as t(
        nth int, ord int, project_id uuid, key_prefix text, url_prefix text, id uuid, type text, title text, description_md text, status text, status_id uuid, priority text,
        assignee_ids uuid[], reporter_id uuid, milestone_id uuid, sprint_id uuid, release_id uuid, label_ids uuid[],
        estimate_minutes int, story_points int, spent_minutes int, completion_pct int, start_at timestamptz,
        start_on date, due_at timestamptz, due_on date, started_at timestamptz, resolved_at timestamptz, external_source text, external_id text,
        created_by uuid, watcher_ids uuid[], ${SHARED_TYPES})
    ),
    locked as materialized (
      -- In the order of all changes of several boards.
      select project_id from issue_counter where project_id = any($2::uuid[]) order by project_id for no key update
    ),
    counter as (
      update issue_counter c set last_number = c.last_number + n.arriving
      from unnest($2::uuid[], $4::int[]) as n(project_id, arriving)
      where c.project_id = n.project_id and (select count(*) from locked) > 0
      returning c.project_id, c.last_number - n.arriving as base, c.archived_at
    ),
    numbered as materialized (
      select item.*, n.number, key_prefix || n.number as key, rank_of(n.number) as rank,
             view || jsonb_build_object('number', n.number, 'key', key_prefix || n.number,
                                        'url', url_prefix || n.number, 'rank', rank_of(n.number)) as numbered_view
      from counter join item using (project_id), lateral (select counter.base + item.ord + 1 as number) n
    ),
    written as (
      insert into issue (id, workspace_id, project_id, number, key, rank, watcher_count, created_at, updated_at, ${plain})
      select id, $1, project_id, number, key, rank, cardinality(watcher_ids), now, now, ${plain} from numbered
    ),
    board as (
      -- As in create_issues: a column is not counted if it was deleted, changed its category, or is full.
      update board_status s set issue_count = s.issue_count + n.arriving
      from unnest($5::uuid[], $6::text[], $7::int[], $8::boolean[]) as n(status_id, status, arriving, keeps_limits)
      where s.id = n.status_id and s.category = n.status and s.deleted_at is null and (select count(*) from counter) > 0
        and (not n.keeps_limits or s.wip_limit is null or s.issue_count + n.arriving <= s.wip_limit)
      returning s.id
    ),
    watching as (
      insert into watcher (issue_id, user_id, workspace_id, created_at)
      select id, w, $1, now from numbered, unnest(watcher_ids) w
    ),
${sharedRecordingCtes("numbered", "numbered_view")}
    select number, rank,
           -- Makes the statement fail, so that nothing is stored, if a project was archived or a column has changed.
           fail_unless_unchanged((select count(*) from counter where archived_at is null) = cardinality($2::uuid[])
             and (select count(*) from board) = cardinality($5::uuid[]))
    from numbered order by nth`,
};

/** @throws errors that `isBoardChanged`, `isPlanningGone` and `isExternalIdTaken` recognise */
export function createShared(db: Db, workspaceId: string, items: SharedIssue[]): Promise<NumberedRow[]> {
  const projects = new Map<string, number>();
  const rows = items.map(({ keeps_limits: _, ...item }, nth) => {
    const ord = projects.get(item.project_id) ?? 0;
    projects.set(item.project_id, ord + 1);
    return sharedRow({ ...item, nth, ord });
  });
  const columns = [
    ...Map.groupBy(items, (item) => `${item.status_id} ${item.status} ${item.keeps_limits}`).values(),
  ] as [SharedIssue, ...SharedIssue[]][];
  return db.query<NumberedRow>(CREATE_SHARED, [
    workspaceId,
    [...projects.keys()],
    `[${rows.join(",")}]`,
    [...projects.values()],
    columns.map(([{ status_id }]) => status_id),
    columns.map(([{ status }]) => status),
    columns.map((some) => some.length),
    columns.map(([{ keeps_limits }]) => keeps_limits),
  ]);
}
