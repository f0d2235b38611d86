import { Migration } from "@mikro-orm/migrations";

const CLOSED = `('done', 'failed', 'cancelled')`;
const CHANGES = `i.archived_at is null
  and i.status_id = any(array(select m.target_id from mass_change m where m.kind = 'category'))`;

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

/**
 * A setting that opens a column takes its issues out of completed sprints, and from people who left. Changed by mistake
 * and back, it restores what they lost.
 */
export class IssuesOpenedBySettings extends Migration {
  override up(): void {
    // What an issue becomes whose column gets the category "target" at the time "at": its times, its sprint and its
    // assignees. What it loses when it opens is remembered with its times of the category that it had.
    this.addSql(`
      create function in_category(i issue, target text, at timestamptz, out started_at timestamptz,
                                  out resolved_at timestamptz, out earlier_times jsonb, out sprint_id uuid,
                                  out assignee_ids uuid[])
      language plpgsql stable parallel safe as $$
      declare
        present text := category_class(i.status);
        past jsonb;
      begin
        select t.started_at, t.resolved_at, t.earlier_times into started_at, resolved_at, earlier_times
        from times_in_category(i.status, i.started_at, i.resolved_at, i.earlier_times, target, at) t;
        sprint_id := i.sprint_id;
        assignee_ids := i.assignee_ids;
        if present = category_class(target) then return; end if;

        select e into past from jsonb_array_elements(i.earlier_times) e
        where (category_class(e ->> 'status') = 'closed') = (category_class(target) = 'closed') limit 1;

        if present = 'closed' then
          -- Issues that were open in the sprint when it was completed have always been there.
          if exists (select from sprint s where s.id = i.sprint_id and s.status = 'completed' and s.deleted_at is null
                     and (past is null or s.completed_at > i.resolved_at)) then
            sprint_id := null;
          end if;
          assignee_ids := array(
            select a.id from unnest(i.assignee_ids) with ordinality a(id, place)
            where exists (select from member m where m.workspace_id = i.workspace_id and m.user_id = a.id)
            order by a.place);
          if (sprint_id is distinct from i.sprint_id or assignee_ids <> i.assignee_ids)
             and earlier_times -> -1 ->> 'status' = i.status then
            earlier_times := jsonb_set(earlier_times, '{-1}', earlier_times -> -1 || jsonb_build_object(
              'sprint_id', i.sprint_id, 'assignee_ids', to_jsonb(i.assignee_ids)));
          end if;
        elsif category_class(target) = 'closed' and past ? 'assignee_ids' then
          -- What somebody planned or assigned meanwhile stays.
          if i.sprint_id is null then
            sprint_id := (select s.id from sprint s
                          where s.id = (past ->> 'sprint_id')::uuid and s.deleted_at is null);
          end if;
          assignee_ids := array(select jsonb_array_elements_text(past -> 'assignee_ids'))::uuid[];
          if not i.assignee_ids <@ assignee_ids or exists (
               select from member m
               where m.workspace_id = i.workspace_id and m.user_id = any(assignee_ids)
                 and m.user_id <> all(i.assignee_ids)) then
            assignee_ids := i.assignee_ids;
          end if;
        end if;
      end $$`);

    // A setting that closes a column again may bring back assignees who left.
    this.addSql(`drop trigger issue_assignees on issue`);
    this.addSql(`
      create trigger issue_assignees after insert on issue
      for each row when (new.assignee_ids <> '{}') execute function refuse_departed_assignees()`);
    this.addSql(`
      create trigger issue_new_assignees after update of assignee_ids on issue
      for each row when (new.assignee_ids <> '{}' and not (
        new.resolved_at is not null and old.earlier_times is not null
        and new.earlier_times is distinct from old.earlier_times and new.status_id is not distinct from old.status_id))
      execute function refuse_departed_assignees()`);

    // The sprint of an issue after all changes of its column's category that it has to come.
    this.addSql(`
      create function sprint_to_come(issue_id uuid) returns uuid language plpgsql stable parallel safe as $$
      declare
        i issue;
        change record;
        next record;
      begin
        select o.* into i from only issue o where o.id = issue_id;
        for change in
          select m.data -> 'to' ->> 'category' as category, m.created_at from mass_change m
          where m.target_id = i.status_id and m.kind = 'category'
            and (i.category_change is null or m.id > i.category_change)
          order by m.id
        loop
          next := in_category(i, change.category, change.created_at);
          i.status := change.category;
          i.started_at := next.started_at;
          i.resolved_at := next.resolved_at;
          i.earlier_times := next.earlier_times;
          i.sprint_id := next.sprint_id;
          i.assignee_ids := next.assignee_ids;
        end loop;
        return i.sprint_id;
      end $$`);

    const sprint = `
      case when not (${CHANGES}) then i.sprint_id
           when (i.status in ${CLOSED} or i.sprint_id is null) and i.earlier_times is null then i.sprint_id
           -- An earlier change may take it elsewhere.
           when i.sprint_id is distinct from (select o.sprint_id from only issue o where o.id = i.id) then i.sprint_id
           else sprint_to_come(i.id) end as sprint_id`;
    this.addSql(`alter view issue_now rename to issue_of_columns_now`);
    this.addSql(`
      create view issue_now as
      select ${COLUMNS.map((column) => (column === "sprint_id" ? sprint : `i.${column}`)).join(", ")}
      from issue_of_columns_now i`);
  }
}
