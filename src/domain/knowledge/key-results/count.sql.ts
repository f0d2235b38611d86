import type { Db } from "../../kernel/ports/ports.ts";
import type { Scope } from "./scope.ts";

/** Counts of issues for automatic key results. Jobs do not know whether issues are changing, so they always read `issue_now`. */

export type InTree = { db: Db; workspace: { id: string } };

/** What a key result counts in a project. */
export type Count = { key_result_id: string; project_id: string; completed: number; total: number };

/** Whether the project `p` is in the scope of the key result `k` of the goal `g`. */
const IN_SCOPE = `
  p.workspace_id = k.workspace_id and not p.scoped
  and case when jsonb_array_length(k.scope -> 'project_ids') > 0 then k.scope -> 'project_ids' ? p.id::text
           when g.portfolio_id is not null then exists (
             select from portfolio_project o where o.portfolio_id = g.portfolio_id and o.project_id = p.id)
           else true end`;

const list = (field: keyof Scope, type: "uuid" | "text") =>
  `array(select jsonb_array_elements_text(filter -> '${field}'))::${type}[] as ${field}`;

/** Whether the issue `i` matches the lists of the filter `f`. */
const MATCHES = `
  (f.issue_types = '{}' or i.type = any(f.issue_types)) and (f.label_ids = '{}' or i.label_ids && f.label_ids)
  and (f.assignee_id is null or i.assignee_ids @> array[f.assignee_id])
  and (f.milestone_ids = '{}' or i.milestone_id = any(f.milestone_ids))
  and (f.sprint_ids = '{}' or i.sprint_id = any(f.sprint_ids))
  and (f.release_ids = '{}' or i.release_id = any(f.release_ids))
  and (f.parent_ids = '{}' or i.parent_id = any(f.parent_ids))`;

const COUNTS = `
  count(*) filter (where i.status = 'done') as done, count(*) as issues,
  coalesce(sum(i.story_points) filter (where i.status = 'done'), 0) as done_points,
  coalesce(sum(i.story_points), 0) as points`;
const COUNTED = "i.project_id = s.project_id and i.archived_at is null and i.status <> 'cancelled'";

// Key results with the same filter are counted together. Those that count all issues need no more than an index.
const count = (which: string) => `
  with measured as (
    select k.id, k.measure, p.id as project_id, coalesce(k.scope, '{}') - 'project_ids' as filter
    from key_result k
    join goal g on g.id = k.goal_id
    join project p on ${IN_SCOPE}
    where k.workspace_id = $1 and k.kind = 'auto' and k.deleted_at is null and ${which}),
  filters as materialized (
    select filter, ${list("issue_types", "text")}, ${list("label_ids", "uuid")}, ${list("milestone_ids", "uuid")},
           ${list("sprint_ids", "uuid")}, ${list("release_ids", "uuid")}, ${list("parent_ids", "uuid")},
           (filter ->> 'assignee_id')::uuid as assignee_id
    from (select distinct filter from measured) m),
  sets as materialized (select distinct project_id, filter, measure from measured),
  counted as materialized (
    select s.project_id, s.filter, s.measure, c.*
    from sets s join filters f using (filter), lateral (
      select * from (
        select count(*) filter (where i.status = 'done') as done, count(*) as issues, 0 as done_points, 0 as points
        from issue_now i where s.measure = 'issues' and ${hasNoLists("f")} and ${COUNTED}) plain
      where s.measure = 'issues' and ${hasNoLists("f")}
      union all
      select * from (
        select ${COUNTS} from issue_now i
        where not (s.measure = 'issues' and ${hasNoLists("f")}) and ${COUNTED} and ${MATCHES}) filtered
      where not (s.measure = 'issues' and ${hasNoLists("f")})) c)
  select m.id as key_result_id, m.project_id,
         case m.measure when 'points' then c.done_points else c.done end as completed,
         case m.measure when 'points' then c.points else c.issues end as total
  from measured m join counted c using (project_id, filter, measure)`;

function hasNoLists(f: string): string {
  const lists = ["issue_types", "label_ids", "milestone_ids", "sprint_ids", "release_ids", "parent_ids"];
  return `(${f}.assignee_id is null and ${lists.map((field) => `${f}.${field} = '{}'`).join(" and ")})`;
}

/** Counts the issues of a project for automatic key results whose scope includes it. */
export const countInProject = (
  { db, workspace }: InTree,
  projectId: string,
  ids: readonly string[],
): Promise<Count[]> =>
  db.query<Count>({ name: "count_in_project", text: count("p.id = $2 and k.id = any($3::uuid[])") }, [
    workspace.id,
    projectId,
    ids,
  ]);

/** The automatic key results whose scope includes a project, and an upper bound for the number of its issues. */
export async function automaticIn({ db, workspace }: InTree, projectId: string) {
  const [row] = await db.query<{ ids: string[]; issues: number }>(
    {
      name: "automatic_in_project",
      text: `
        select c.last_number as issues, array(
          select k.id from key_result k join goal g on g.id = k.goal_id join project p on ${IN_SCOPE}
          where k.workspace_id = $1 and k.kind = 'auto' and k.deleted_at is null and p.id = $2
          order by coalesce(k.scope, '{}') - 'project_ids', k.id) as ids
        from issue_counter c where c.project_id = $2`,
    },
    [workspace.id, projectId],
  );
  return row ?? { ids: [], issues: 0 };
}

/** Counts the issues of all projects for automatic key results. */
export const countForKeyResults = ({ db, workspace }: InTree, ids: readonly string[]): Promise<Count[]> =>
  db.query<Count>({ name: "count_for_key_results", text: count("k.id = any($2::uuid[])") }, [workspace.id, ids]);

/**
 * The projects in the scope of automatic key results, with an upper bound for the number of their issues; issues that
 * several key results count are counted as often.
 */
export const projectsInScope = ({ db, workspace }: InTree, ids: readonly string[]) =>
  db.query<{ project_id: string; issues: number }>(
    {
      name: "projects_in_scope",
      text: `
        select p.id as project_id, sum(c.last_number) as issues
        from key_result k
        join goal g on g.id = k.goal_id
        join project p on ${IN_SCOPE}
        join issue_counter c on c.project_id = p.id
        where k.workspace_id = $1 and k.kind = 'auto' and k.deleted_at is null and k.id = any($2::uuid[])
        group by p.id`,
    },
    [workspace.id, ids],
  );

/** The automatic key results of a goal. */
export async function automaticOf({ db, workspace }: InTree, goalIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: "automatic_key_results",
      text: `
        select id from key_result
        where workspace_id = $1 and goal_id = any($2::uuid[]) and kind = 'auto' and deleted_at is null`,
    },
    [workspace.id, goalIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Stores the counts of a project. Key results whose scope no longer includes it lose theirs.
 * @param counts of all key results whose scope includes the project
 * @returns the key results whose counts or whose list of uncounted projects changed
 */
export async function storeProjectCounts(
  { db, workspace }: InTree,
  projectId: string,
  counts: readonly Count[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: "store_project_counts",
      text: `
        with counted as (
          select * from unnest($3::uuid[], $4::bigint[], $5::bigint[]) as c(key_result_id, completed, total)),
        stored as (
          insert into key_result_count as old (key_result_id, project_id, workspace_id, completed, total)
          select c.key_result_id, $2, $1, c.completed, c.total
          from counted c join key_result k on k.id = c.key_result_id and k.deleted_at is null
          where c.total > 0
          on conflict (key_result_id, project_id) do update
            set completed = excluded.completed, total = excluded.total
            where (old.completed, old.total) is distinct from (excluded.completed, excluded.total)
          returning key_result_id),
        gone as (
          delete from key_result_count
          where workspace_id = $1 and project_id = $2
            and key_result_id not in (select key_result_id from counted where total > 0)
          returning key_result_id),
        first_counted as (
          update key_result set uncounted = array_remove(uncounted, $2)
          where workspace_id = $1 and kind = 'auto' and $2 = any(uncounted) returning id as key_result_id)
        select key_result_id as id from stored union select key_result_id from gone
        union select key_result_id from first_counted`,
    },
    [
      workspace.id,
      projectId,
      counts.map(({ key_result_id }) => key_result_id),
      counts.map(({ completed }) => completed),
      counts.map(({ total }) => total),
    ],
  );
  return rows.map(({ id }) => id);
}

/** Replaces the counts of key results. Without counts, the projects in their scopes are counted later. */
export async function storeCounts(
  { db, workspace }: InTree,
  ids: readonly string[],
  counts: readonly Count[] | null,
): Promise<void> {
  await db.query(
    {
      name: "store_key_result_counts",
      text: `
        with gone as (
          delete from key_result_count old
          where workspace_id = $1 and key_result_id = any($2::uuid[])
            and (key_result_id, project_id) not in (select * from unnest($3::uuid[], $4::uuid[]))),
        stored as (
          insert into key_result_count (key_result_id, project_id, workspace_id, completed, total)
          select c.key_result_id, c.project_id, $1, c.completed, c.total
          from unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[])
            as c(key_result_id, project_id, completed, total)
          on conflict (key_result_id, project_id) do update
            set completed = excluded.completed, total = excluded.total)
        update key_result k set uncounted = case when $7::boolean then '{}' else array(
          select p.id from goal g join project p on ${IN_SCOPE} where g.id = k.goal_id) end
        where k.workspace_id = $1 and k.id = any($2::uuid[])`,
    },
    [
      workspace.id,
      ids,
      ...["key_result_id", "project_id", "completed", "total"].map((field) =>
        (counts ?? []).filter(({ total }) => total > 0).map((count) => count[field as keyof Count]),
      ),
      counts !== null,
    ],
  );
}

/**
 * Adds up the counts of key results whose projects were all counted. The others show no counts. Returns the key results
 * whose counts changed.
 */
export async function addUpCounts(
  { db, workspace, now }: InTree & { now: string },
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: "add_up_key_result_counts",
      text: `
        with sums as (
          select k.id, case when k.uncounted = '{}' then coalesce(sum(c.completed), 0)::bigint end as completed,
                 case when k.uncounted = '{}' then coalesce(sum(c.total), 0)::bigint end as total
          from key_result k left join key_result_count c on c.key_result_id = k.id
          where k.workspace_id = $1 and k.id = any($2::uuid[]) and k.deleted_at is null
          group by k.id)
        update key_result k set completed = sums.completed, total = sums.total, updated_value_at = $3
        from sums
        where k.id = sums.id and (k.completed, k.total) is distinct from (sums.completed, sums.total)
        returning k.id`,
    },
    [workspace.id, ids, now],
  );
  return rows.map(({ id }) => id);
}
