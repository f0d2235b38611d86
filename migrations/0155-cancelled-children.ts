import { Migration } from "@mikro-orm/migrations";

const CLOSED = `('done', 'failed', 'cancelled')`;

/**
 * Pending mass changes: of an issue's project (\`c\`), of the category of its column (\`k\`), and the
 * deletion of its column (\`g\`).
 */
const FROM = `
  from issue i
  left join (
    select project_id,
           array_agg(target_id) filter (where kind = 'label') as labels,
           jsonb_object_agg(target_id, to_id) filter (where kind in ('milestone', 'release', 'sprint')) as planned,
           jsonb_object_agg(target_id, to_id) filter (where kind = 'open_of_sprint') as opened,
           array_agg(target_id::text) filter (where kind = 'field') as fields,
           jsonb_object_agg(target_id, data) filter (where kind = 'options') as options,
           -- One change concerns an issue or not, which needs no sum over the changes.
           count(*) = 1 and bool_and(kind <> 'options') as is_one,
           sum(steps) as steps, max(created_at) as at
    from mass_change where kind not in ('category', 'column') group by project_id) c on c.project_id = i.project_id`;
const OF_COLUMNS = `
  left join (
    select target_id, count(*) = 1 as is_one, max(id::text)::uuid as id, sum(steps) as steps, max(created_at) as at,
           category_class(max(data -> 'to' ->> 'category')) as class
    from mass_change where kind = 'category' group by target_id) k
    on k.target_id = i.status_id and i.archived_at is null and (i.category_change is null or i.category_change < k.id)
  left join (
    select target_id, sum(steps) as steps, max(created_at) as at
    from mass_change where kind = 'column' group by target_id) g on g.target_id = i.status_id and i.archived_at is null`;

const PLANNED = {
  milestone_id: `
    case when c.planned ? i.milestone_id::text then (c.planned ->> i.milestone_id::text)::uuid
         else i.milestone_id end`,
  sprint_id: `
    case when c.opened ? i.sprint_id::text and i.archived_at is null and i.status not in ${CLOSED}
           then (c.opened ->> i.sprint_id::text)::uuid
         when c.planned ? i.sprint_id::text then (c.planned ->> i.sprint_id::text)::uuid
         else i.sprint_id end`,
  release_id: `
    case when c.planned ? i.release_id::text then (c.planned ->> i.release_id::text)::uuid else i.release_id end`,
  label_ids: `
    case when c.labels && i.label_ids
           then array(select l.id from unnest(i.label_ids) with ordinality as l(id, place)
                      where l.id <> all(c.labels) order by l.place)
         else i.label_ids end`,
  custom_fields: `
    case when c.fields is null and c.options is null then i.custom_fields
         else values_now(i.custom_fields, c.fields, c.options) end`,
};

/** Whether the project's only change concerns the issue. */
const CONCERNED = `(
  coalesce(c.labels && i.label_ids, false) or coalesce(c.planned ? i.milestone_id::text, false)
  or coalesce(c.planned ? i.release_id::text, false) or coalesce(c.planned ? i.sprint_id::text, false)
  or coalesce(c.opened ? i.sprint_id::text and i.archived_at is null and i.status not in ${CLOSED}, false)
  or coalesce(i.custom_fields ?| c.fields, false))`;
const ofProject = (one: string, several: string) => `
  case when c.project_id is null then null
       when c.is_one then case when ${CONCERNED} then c.${one} end
       else (select ${several} from mass_change m where m.project_id = i.project_id and has_to_come(m, i)) end`;
const STEPS = `coalesce(${ofProject("steps", "sum(m.steps)")}, 0)`;
const CHANGED_AT = ofProject("at", "max(m.created_at)");

/** A column of the pending changes of the category of the issue's column. */
const ofCategory = (one: string, several: string) => `
  case when k.target_id is null then null
       when k.is_one then k.${one}
       else (select ${several} from mass_change m where m.target_id = i.status_id and m.kind = 'category'
             and (i.category_change is null or i.category_change < m.id)) end`;

/** A sum over live issues \`o\` of changing columns \`s\`. Without such columns nothing is read. */
const targets = (kind: string) => `array(select m.target_id from mass_change m where m.kind = '${kind}')`;
const sumOf = (term: string, from: string, where: string) => `
  case when exists (select from mass_change m where m.kind in ('category', 'column')) then coalesce((
    select sum(${term})::integer from ${from} join board_status s on s.id = o.status_id
    where ${where} and o.archived_at is null
      and (o.status_id = any(${targets("category")}) or o.status_id = any(${targets("column")}))), 0) else 0 end`;
/** An epic counts the issues that belong to it, at any depth, and every other issue its direct children. */
const FAMILY = "(i.type <> 'epic' and o.parent_id = i.id or i.type = 'epic' and o.epic_id = i.id)";
const sumOfChildren = (category: string) =>
  sumOf(
    `(s.deleted_at is null and s.category = '${category}')::integer - (o.status = '${category}')::integer`,
    "issue o",
    FAMILY,
  );
const BLOCKERS = sumOf(
  `(s.deleted_at is null and s.category not in ${CLOSED})::integer - (o.status not in ${CLOSED})::integer`,
  "issue_link l join issue o on o.id = l.source_id",
  `l.target_id = i.id and l.kind = 'blocks'
      and (l.source_project_id = l.target_project_id
           or exists (select from project p where p.id = l.source_project_id and p.archived_at is null))`,
);

const STATUS = `
  case when k.target_id is null then i.status else (select s.category from board_status s where s.id = i.status_id) end`;
const BECOMES = {
  status: STATUS,
  // An issue that never had another category needs no function.
  started_at: `
    case when k.target_id is null then i.started_at
         when not k.is_one or i.earlier_times is not null then (select t.started_at from times_to_come(i.id) t)
         when k.class = 'started' then coalesce(i.started_at, k.at)
         else i.started_at end`,
  resolved_at: `
    case when k.target_id is null then i.resolved_at
         when not k.is_one or i.earlier_times is not null then (select t.resolved_at from times_to_come(i.id) t)
         when k.class <> 'closed' then null
         when category_class(i.status) = 'closed' then coalesce(i.resolved_at, k.at)
         else k.at end`,
  archived_at: `(case when g.target_id is null then i.archived_at else g.at end)::timestamptz(3)`,
  archived_reason: `case when g.target_id is null then i.archived_reason else 'status_deleted' end`,
  child_count: `i.child_count - ${sumOf("(s.deleted_at is not null)::integer", "issue o", FAMILY)}`,
  child_done_count: `i.child_done_count + ${sumOfChildren("done")}`,
  open_blocker_count: `i.open_blocker_count + b.to_come`,
  // An earlier change may take the issue to another sprint.
  sprint_id: `
    case when k.target_id is null then p.sprint_id
         when ((${STATUS}) in ${CLOSED} or p.sprint_id is null) and i.earlier_times is null then p.sprint_id
         when p.sprint_id is distinct from i.sprint_id then p.sprint_id
         else sprint_to_come(i.id) end`,
  // Becoming blocked or unblocked is a change of the blocked issue.
  version: `(
    i.version + ${STEPS} + ((i.open_blocker_count = 0) <> (i.open_blocker_count + b.to_come = 0))::integer
    + coalesce(${ofCategory("steps", "sum(m.steps)")}, 0) + coalesce(g.steps, 0))::integer`,
  updated_at: `
    greatest(i.updated_at, ${CHANGED_AT}, ${ofCategory("at", "max(m.created_at)")}, g.at)::timestamptz(3)`,
};

const COLUMNS = `
  id, workspace_id, project_id, number, key, type, title, description_md, status, status_id, priority, rank,
  assignee_ids, reporter_id, parent_id, parent_number, epic_id, epic_number, milestone_id, sprint_id, release_id,
  label_ids, estimate_minutes, story_points, spent_minutes, completion_pct, start_at, due_at, started_at, resolved_at,
  archived_at, archived_reason, custom_fields, active_session_ids, active_workflow_run_id, child_count,
  child_done_count, comment_count, attachment_count, link_count, watcher_count, open_blocker_count, external_source,
  external_id, version, created_by, created_at, updated_at, search, remaining_minutes, agent_minutes, search_head,
  earlier_times, epic_own, category_change`
  .split(",")
  .map((column) => column.trim());
/** The stored values, for conditions that an index serves. */
const STORED = ["archived_at", "label_ids", "milestone_id", "sprint_id", "release_id"]
  .map((name) => `i.${name} as stored_${name}`)
  .join(", ");

const columns = (changed: Record<string, string>) =>
  COLUMNS.map((name) => (changed[name] ? `${changed[name]} as ${name}` : `i.${name}`)).join(",\n");

/** Columns that issues got later. They stand at the end, because a view keeps the order of its columns. */
const ADDED = `i.start_on, i.due_on`;
/** Rows that one statement reads. */
const PIECE = 1_000;

/**
 * Parents and epics count the issues below them that were cancelled, so that they are complete when all others are done.
 * The views of issues show this count and the days of migration 0150.
 */
export class CancelledChildren extends Migration {
  /** Issues are counted in pieces that commit, so no lock lasts. A second run does the same again. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`alter table issue add column if not exists child_cancelled_count integer not null default 0`);
    this.addSql(`
      create or replace view issue_now as
      select ${columns({ ...PLANNED, ...BECOMES })}, ${STORED},
             -- Of a CASE, Postgres assumes half of the rows. Of "is null", it would assume that hardly any is live.
             case when g.target_id is null then true else false end as stored_stays,
             ${ADDED}, i.child_cancelled_count + ${sumOfChildren("cancelled")} as child_cancelled_count
      ${FROM} ${OF_COLUMNS}
      cross join lateral (select ${BLOCKERS} as to_come) b
      cross join lateral (select ${PLANNED.sprint_id} as sprint_id) p`);
    // For workspaces in which no column changes: status and archived_at are the stored ones.
    this.addSql(`
      create or replace view issue_planned_now as
      select ${columns({
        ...PLANNED,
        version: `(i.version + ${STEPS})::integer`,
        updated_at: `greatest(i.updated_at, ${CHANGED_AT})::timestamptz(3)`,
      })}, ${STORED}, ${ADDED}, i.child_cancelled_count
      ${FROM}`);
    this.addSql(`
      do $$
      declare
        piece uuid[];
        last uuid := '00000000-0000-0000-0000-000000000000';
      begin
        loop
          piece := array(select id from issue where id > last order by id limit ${PIECE});
          exit when cardinality(piece) = 0;
          update issue p set child_cancelled_count = n.cancelled
          from (select above.id, count(*) as cancelled
                from issue i, lateral (values (i.parent_id, false), (i.epic_id, true)) above(id, of_epic), issue a
                where i.status = 'cancelled' and i.archived_at is null
                  and (i.parent_id = any(piece) or i.epic_id = any(piece))
                  and a.id = above.id and (a.type = 'epic') = above.of_epic
                group by above.id) n
          where p.id = n.id and p.id = any(piece) and p.child_cancelled_count <> n.cancelled;
          last := piece[cardinality(piece)];
          commit;
        end loop;
      end $$`);
  }
}
