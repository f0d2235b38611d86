import { Migration } from "@mikro-orm/migrations";

/** Columns whose category changed, or that were deleted, while some of their issues have that to come. */
const CHANGING = `array(select m.target_id from mass_change m where m.kind = 'category')`;
const DELETED = `array(select m.target_id from mass_change m where m.kind = 'column')`;
const CLOSED = `('done', 'failed', 'cancelled')`;

const CHANGES = `i.archived_at is null and i.status_id = any(${CHANGING})`;
const GOES = `i.archived_at is null and i.status_id = any(${DELETED})`;

/** A sum over live issues \`o\` of such columns \`s\`. Without such columns nothing is read. */
const sumOf = (term: string, from: string, where: string) => `
  case when exists (select from mass_change m where m.kind in ('category', 'column')) then coalesce((
    select sum(${term})::integer from ${from} join board_status s on s.id = o.status_id
    where ${where} and o.archived_at is null
      and (o.status_id = any(${CHANGING}) or o.status_id = any(${DELETED}))), 0) else 0 end`;
const sumOfChildren = (term: string) => sumOf(term, "issue o", "o.parent_id = i.id");
const BLOCKERS = sumOf(
  `(s.deleted_at is null and s.category not in ${CLOSED})::integer - (o.status not in ${CLOSED})::integer`,
  "issue_link l join issue o on o.id = l.source_id",
  `l.target_id = i.id and l.kind = 'blocks'
      and (l.source_project_id = l.target_project_id
           or exists (select from project p where p.id = l.source_project_id and p.archived_at is null))`,
);

/** A time that follows from the category. Columns nearly always have one change to come; a function takes several. */
const CHAINED = `exists (select from mass_change m where m.kind = 'category' group by m.target_id having count(*) > 1)`;
const time = (name: "started_at" | "resolved_at") => `
  case when not (${CHANGES}) then i.${name}
       when ${CHAINED} then (select t.${name} from times_to_come(i.id) t)
       else (
         select case when m.id is null then o.${name} else t.${name} end
         from issue o
         left join mass_change m on m.target_id = o.status_id and m.kind = 'category'
           and (o.category_change is null or o.category_change < m.id)
         left join lateral times_in_category(
           o.status, o.started_at, o.resolved_at, o.earlier_times, m.data -> 'to' ->> 'category', m.created_at) t on true
         where o.id = i.id) end as ${name}`;

/** What follows from all changes of its column that an issue has to come. */
const ofChanges = (value: string) => `(
  select ${value} from issue o join mass_change m on m.target_id = o.status_id and m.kind in ('category', 'column')
  where o.id = i.id and (m.kind = 'column' or o.category_change is null or o.category_change < m.id))`;

/** Columns that a change of a column leaves as they are. */
const AS_THEY_ARE = `
  id, workspace_id, project_id, number, key, type, title, description_md, status_id, priority, rank, assignee_ids,
  reporter_id, parent_id, parent_number, epic_id, epic_number, milestone_id, sprint_id, release_id, label_ids,
  estimate_minutes, story_points, spent_minutes, completion_pct, start_at, due_at, custom_fields, active_session_ids,
  active_workflow_run_id, comment_count, attachment_count, link_count, watcher_count, external_source, external_id,
  created_by, created_at, search, remaining_minutes, agent_minutes, search_head, earlier_times, epic_own`
  .split(",")
  .map((column) => `i.${column.trim()}`)
  .join(", ");

/** A column that very many issues have gets another category, or is deleted. `issue_now` shows what becomes of them. */
export class MassChangesOfColumns extends Migration {
  override up(): void {
    // The newest change of its column's category that an issue has had, or that came before the issue did.
    this.addSql(`alter table issue add column category_change uuid`);
    this.addSql(`create index mass_change_target on mass_change (target_id)`);
    this.addSql(`
      create function enter_column() returns trigger language plpgsql as $$
      begin
        new.category_change := (
          select m.id from mass_change m where m.target_id = new.status_id and m.kind = 'category'
          order by m.id desc limit 1);
        return new;
      end $$`);
    this.addSql(`create trigger issue_in_column before insert on issue for each row execute function enter_column()`);
    this.addSql(`
      create trigger issue_enters_column before update of status_id, archived_at on issue
      for each row when (old.status_id is distinct from new.status_id
                         or (old.archived_at is not null and new.archived_at is null))
      execute function enter_column()`);

    // The changes of its column's category that an issue has to come, one after the other.
    this.addSql(`
      create function times_to_come(issue_id uuid, out started_at timestamptz, out resolved_at timestamptz)
      language plpgsql stable parallel safe as $$
      declare
        i record;
        change record;
      begin
        select o.status, o.started_at, o.resolved_at, o.earlier_times, o.status_id, o.category_change into i
        from issue o where o.id = times_to_come.issue_id;
        for change in
          select m.data -> 'to' ->> 'category' as category, m.created_at from mass_change m
          where m.target_id = i.status_id and m.kind = 'category'
            and (i.category_change is null or m.id > i.category_change)
          order by m.id
        loop
          select change.category as status, t.started_at, t.resolved_at, t.earlier_times, i.status_id, i.category_change into i
          from times_in_category(
            i.status, i.started_at, i.resolved_at, i.earlier_times, change.category, change.created_at) t;
        end loop;
        started_at := i.started_at;
        resolved_at := i.resolved_at;
      end $$`);

    this.addSql(`alter view issue_now rename to issue_planned_now`);
    this.addSql(`
      create view issue_now as
      select id, workspace_id, project_id, number, key, type, title, description_md, status, status_id, priority, rank,
             assignee_ids, reporter_id, parent_id, parent_number, epic_id, epic_number, milestone_id, sprint_id,
             release_id, label_ids, estimate_minutes, story_points, spent_minutes, completion_pct, start_at, due_at,
             started_at, resolved_at, archived_at, archived_reason, custom_fields, active_session_ids,
             active_workflow_run_id, child_count, child_done_count, comment_count, attachment_count, link_count,
             watcher_count, open_blocker_count, external_source, external_id, version, created_by, created_at,
             updated_at, search, remaining_minutes, agent_minutes, search_head, earlier_times, epic_own, category_change
      from (select ${AS_THEY_ARE}, (select o.category_change from issue o where o.id = i.id) as category_change,
        case when ${CHANGES} then (select s.category from board_status s where s.id = i.status_id)
             else i.status end as status,
        ${time("started_at")},
        ${time("resolved_at")},
        case when ${GOES} then (select m.created_at from mass_change m
                                where m.target_id = i.status_id and m.kind = 'column')
             else i.archived_at end as archived_at,
        case when ${GOES} then 'status_deleted' else i.archived_reason end as archived_reason,
        i.child_count - ${sumOfChildren("(s.deleted_at is not null)::integer")} as child_count,
        i.child_done_count + ${sumOfChildren(
          "(s.deleted_at is null and s.category = 'done')::integer - (o.status = 'done')::integer",
        )} as child_done_count,
        i.open_blocker_count + b.to_come as open_blocker_count,
        -- Becoming blocked or unblocked is a change of the blocked issue.
        i.version + ((i.open_blocker_count = 0) <> (i.open_blocker_count + b.to_come = 0))::integer
          + case when ${CHANGES} or ${GOES} then coalesce(${ofChanges("sum(m.steps)::integer")}, 0) else 0 end as version,
        case when ${CHANGES} or ${GOES} then greatest(i.updated_at, ${ofChanges("max(m.created_at)")})
             else i.updated_at end as updated_at
      from issue_planned_now i cross join lateral (select ${BLOCKERS} as to_come) b) n`);
  }
}
