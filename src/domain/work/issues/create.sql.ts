import type { IssueRow } from "../../access/identity/issue-row.ts";
import { authorCte, recordingCtes, type storable } from "../../events/events.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Project } from "../../kernel/rows.ts";
import type { NewValue } from "../fields/of-issue.ts";
import { familiesOf } from "./epics.sql.ts";

/**
 * Stores any number of new issues of one project in one statement: numbers, rows, watchers, counts of columns and
 * parents, events and history. The statement locks the counter row first, for the time of this one round trip.
 */

/** A new issue. The statement adds its number and the values derived from it. */
export type NewIssue = Pick<
  IssueRow,
  | ("id" | "type" | "title" | "description_md" | "status" | "priority" | "assignee_ids" | "reporter_id")
  | (
      | "parent_id"
      | "parent_number"
      | "epic_id"
      | "epic_number"
      | "epic_own"
      | "milestone_id"
      | "sprint_id"
      | "release_id"
    )
  | ("label_ids" | "estimate_minutes" | "story_points" | "spent_minutes" | "completion_pct")
  | ("start_at" | "start_on" | "due_at" | "due_on" | "started_at" | "resolved_at" | "external_source" | "external_id")
  | ("child_count" | "child_done_count" | "child_cancelled_count" | "custom_fields" | "created_by")
> & {
  ord: number;
  status_id: string;
  /** Null for the bottom of the project. */
  rank: string | null;
  field_values: NewValue[];
  watcher_ids: string[];
  /** Events to store. The statement adds the values derived from the number to their data. */
  events: ReturnType<typeof storable>[];
};

export type Numbered = { number: number; parent_number: number | null; epic_number: number | null; rank: string };

// Columns whose value is stored as it is in the item.
const plain = `type, title, description_md, status, status_id, priority, assignee_ids, reporter_id, parent_id, epic_id,
  epic_own, milestone_id, sprint_id, release_id, label_ids, estimate_minutes, story_points, spent_minutes, completion_pct,
  start_at, start_on, due_at, due_on, started_at, resolved_at, external_source, external_id, child_count, child_done_count,
  child_cancelled_count, custom_fields`;

const CREATE = {
  name: "create_issues",
  text: `
    with ${authorCte("$4", "$5")},
    item as materialized (
      select * from jsonb_to_recordset($3::jsonb) as t(
        ord int, id uuid, type text, title text, description_md text, status text, status_id uuid, priority text,
        rank text, assignee_ids uuid[], reporter_id uuid, parent_id uuid, parent_number int, epic_id uuid,
        epic_number int, epic_own boolean, milestone_id uuid, sprint_id uuid, release_id uuid, label_ids uuid[], estimate_minutes int,
        story_points int, spent_minutes int, completion_pct int, start_at timestamptz, start_on date, due_at timestamptz, due_on date,
        started_at timestamptz, resolved_at timestamptz, external_source text, external_id text, child_count int,
        child_done_count int, child_cancelled_count int, custom_fields jsonb, created_by uuid, field_values jsonb, watcher_ids uuid[], events jsonb)
    ),
    counter as (
      update issue_counter set last_number = last_number + (select count(*) from item)
      where project_id = $2
      returning last_number - (select count(*) from item) as base, family_revision, archived_at
    ),
    filled as materialized (
      select (v ->> 'field_id')::uuid as id, (v ->> 'revision')::int as revision, count(*) as arriving
      from item, jsonb_array_elements(field_values) v group by 1, 2
    ),
    locked_field as materialized (
      -- Locked after the counter and before any issue, in the order of their ids, like in all other calls.
      select f.id from custom_field f
      where f.workspace_id = $1 and f.id in (select id from filled) and (select base from counter) is not null
      order by f.id for no key update
    ),
    numbered as materialized (
      select item.*, (counter.base + item.ord + 1)::int as number from item, counter
      where (select count(*) from locked_field) is not null
    ),
    ranked as materialized (
      select n.*, $6 || '-' as key_prefix, coalesce(n.rank, rank_of(n.number)) as final_rank,
             coalesce(n.parent_number, p.number) as final_parent, coalesce(n.epic_number, e.number) as final_epic
      from numbered n
      left join numbered p on p.id = n.parent_id
      left join numbered e on e.id = n.epic_id
    ),
    written as (
      insert into issue (id, workspace_id, project_id, number, key, rank, parent_number, epic_number, watcher_count,
                         created_by, created_at, updated_at, ${plain})
      select id, $1, $2, number, key_prefix || number, final_rank, final_parent, final_epic,
             coalesce(cardinality(watcher_ids), 0), created_by, $5::timestamptz, $5::timestamptz, ${plain}
      from ranked order by ord
    ),
    board as (
      -- The board may have changed while this statement waited for the counter. An update reads the newest row. So a
      -- column that was deleted, that changed its category, or that has reached its enforced limit is not counted.
      update board_status s set issue_count = s.issue_count + n.arriving
      from (select status_id, status, count(*) as arriving from item group by status_id, status) n
      where s.id = n.status_id and s.category = n.status and s.deleted_at is null
        and (not $8::boolean or s.wip_limit is null or s.issue_count + n.arriving <= s.wip_limit)
      returning s.id
    ),
    field as (
      -- A field that was changed or deleted after its values were checked is not counted, for the same reason.
      update custom_field f set value_count = f.value_count + n.arriving
      from filled n join locked_field using (id)
      where f.id = n.id and f.revision = n.revision and f.deleted_at is null
      returning f.id
    ),
    valued as (
      insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_by, updated_at)
      select (v ->> 'field_id')::uuid, ranked.id, $1, v -> 'value', created_by, author.now
      from author, ranked, jsonb_array_elements(field_values) v
    ),
    parents as (
      update issue p set child_count = p.child_count + n.children, child_done_count = p.child_done_count + n.done,
                         child_cancelled_count = p.child_cancelled_count + n.cancelled
      from (select family.id, family.of_epic, count(*) as children, count(*) filter (where status = 'done') as done,
                   count(*) filter (where status = 'cancelled') as cancelled
            from item, ${familiesOf("item")} group by 1, 2) n
      where p.id = n.id and (p.type = 'epic') = n.of_epic
    ),
    watching as (
      insert into watcher (issue_id, user_id, workspace_id, created_at)
      select ranked.id, w, $1, author.now from author, ranked, unnest(watcher_ids) w
    ),
    src as materialized (
      select jsonb_set(e, '{data}', (e -> 'data') || jsonb_build_object(
               'number', number, 'key', key_prefix || number, 'url', $7 || number, 'rank', final_rank,
               'parent_key', key_prefix || final_parent, 'epic_key', key_prefix || final_epic)) as event
      from ranked, jsonb_array_elements(events) e
    ),
    ${recordingCtes("src")}
    select number, final_parent as parent_number, final_epic as epic_number, final_rank as rank,
           -- Makes the statement fail, so that nothing is stored, if the project was archived, or if a column, field or
           -- family changed after it was read.
           fail_unless_unchanged((select archived_at from counter) is null
             and (select count(*) from board) = (select count(distinct status_id) from item)
             and (select count(*) from field) = (select count(*) from filled)
             and ($9::int is null or (select family_revision from counter) = $9))
    from ranked order by ord`,
};

// Raised by fail_unless_unchanged(), which migration 0040 creates.
const CHANGED = "MU001";

/**
 * Whether creating failed because a column, field or family changed after it was read, or because the project was
 * archived.
 */
export const isBoardChanged = (error: unknown): boolean => (error as { code?: string }).code === CHANGED;

const SERIALIZATION = "40001";

/** Whether creating failed because a milestone, sprint, release, label or member was deleted after it was read. */
export const isPlanningGone = (error: unknown): boolean => (error as { code?: string }).code === SERIALIZATION;

/** Whether a write failed because another issue of the project has the external id. */
export const isExternalIdTaken = (error: unknown): boolean =>
  (error as { constraint?: string }).constraint === "issue_external";

/** The present state of a project, as far as new issues depend on it. */
export type ProjectNow = Pick<Project, "archived_at" | "default_column">;

export async function readProjectNow(db: Db, workspaceId: string, projectId: string): Promise<ProjectNow> {
  const [row] = await db.query<ProjectNow>(
    {
      text: `
        select p.archived_at,
               (select json_build_object('id', s.id, 'name', s.name, 'category', s.category) from board_status s
                where s.id = p.default_status_id and s.deleted_at is null) as default_column
        from project p where p.workspace_id = $1 and p.id = $2`,
    },
    [workspaceId, projectId],
  );
  return row!;
}

/** @throws errors that `isBoardChanged`, `isPlanningGone` and `isExternalIdTaken` recognise */
export function createIssues(
  db: Db,
  at: {
    workspaceId: string;
    projectId: string;
    projectKey: string;
    urlPrefix: string;
    now: string;
    authorship: object;
    /** Whether the limits of columns are enforced. */
    keepsLimits: boolean;
    /** Revision of the families when they were checked; null if no issue joins one. */
    familyRevision: number | null;
  },
  items: NewIssue[],
): Promise<Numbered[]> {
  return db.query<Numbered>(CREATE, [
    at.workspaceId,
    at.projectId,
    JSON.stringify(items),
    JSON.stringify(at.authorship),
    at.now,
    at.projectKey,
    at.urlPrefix,
    at.keepsLimits,
    at.familyRevision,
  ]);
}

/** Returns the external ids among these that the project already has: `source\nid` → issue id. */
export async function takenExternalIds(
  db: Db,
  workspaceId: string,
  projectId: string,
  pairs: { source: string; id: string }[],
) {
  const rows = await db.query<{ id: string; external_source: string; external_id: string }>(
    {
      text: `
        select i.id, i.external_source, i.external_id from issue i
        join unnest($3::text[], $4::text[]) as w(source, id) on i.external_source = w.source and i.external_id = w.id
        where i.workspace_id = $1 and i.project_id = $2`,
    },
    [workspaceId, projectId, pairs.map((pair) => pair.source), pairs.map((pair) => pair.id)],
  );
  return new Map(rows.map((row) => [`${row.external_source}\n${row.external_id}`, row.id]));
}
