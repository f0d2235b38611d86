import { Migration } from "@mikro-orm/migrations";

/**
 * Changes of very many issues, which a worker makes in pieces. Until it has ended, `issue_now` and
 * `custom_field_value_now` show the issues and their values as they will be.
 */
export class MassChanges extends Migration {
  override up(): void {
    this.addSql(`
      create table mass_change (
        -- Later changes have greater ids.
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        kind text not null,
        -- What was deleted or changed: a label, a sprint, a field.
        target_id uuid not null,
        -- Where its issues belong instead. Null: nowhere.
        to_id uuid,
        -- What the kind needs besides, such as the deleted label.
        data jsonb not null,
        -- By how much it increases an issue's version: more than once if further changes were joined with it.
        steps integer not null default 1,
        -- The actor and the cause, as events store them.
        author jsonb not null,
        -- Issues that have it to come, and how many of them the worker is through with.
        total integer not null default 0,
        done integer not null default 0,
        due_at timestamptz(3),
        held_by uuid,
        created_at timestamptz(3) not null
      ) with (fillfactor = 50)`);
    this.addSql(`create index mass_change_due on mass_change (due_at) where due_at is not null`);
    this.addSql(`create index mass_change_project on mass_change (project_id)`);
    this.addSql(`create index mass_change_workspace on mass_change (workspace_id)`);
    // Whether a workspace has such changes is part of the cached workspace.
    this.addSql(`
      create constraint trigger access_version after insert or delete on mass_change
      deferrable initially deferred for each row execute function count_access_version()`);

    // Whether a change is still to come for an issue.
    this.addSql(`
      create function has_to_come(m mass_change, i issue) returns boolean language sql stable as $$
        select case m.kind
          when 'label' then m.target_id = any(i.label_ids)
          when 'milestone' then m.target_id = i.milestone_id
          when 'release' then m.target_id = i.release_id
          -- Its open issues may have left it before it was deleted.
          when 'sprint' then m.target_id = i.sprint_id and not (
            i.archived_at is null and i.status not in ('done', 'failed', 'cancelled') and exists (
              select from mass_change o where o.kind = 'open_of_sprint' and o.target_id = m.target_id))
          when 'open_of_sprint' then m.target_id = i.sprint_id and i.archived_at is null
            and i.status not in ('done', 'failed', 'cancelled')
          when 'field' then i.custom_fields ? m.target_id::text
          when 'options' then (i.custom_fields -> m.target_id::text)
            ?| array(select jsonb_array_elements_text(m.data -> 'dropped'))
          else false
        end
      $$`);
    // A value of a field whose options changed. Null: no chosen option is left.
    this.addSql(`
      create function value_of_options(value jsonb, data jsonb) returns jsonb language sql immutable as $$
        select case when (data -> 'multi')::boolean then kept else kept -> 0 end
        from (select jsonb_agg(o.name order by o.place) as kept
              from jsonb_array_elements_text(data -> 'options') with ordinality as o(name, place)
              where o.name in (
                select data -> 'becomes' ->> chosen from jsonb_array_elements_text(
                  case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end) chosen)) k
      $$`);
    this.addSql(`
      create function values_now(given jsonb, gone text[], options jsonb) returns jsonb language sql immutable as $$
        select coalesce(jsonb_object_agg(key, value) filter (where value is not null), '{}')
        from (select e.key,
                     case when options -> e.key is not null
                               and e.value ?| array(select jsonb_array_elements_text(options -> e.key -> 'dropped'))
                       then value_of_options(e.value, options -> e.key) else e.value end as value
              from jsonb_each(given - coalesce(gone, '{}')) e) v
      $$`);

    this.addSql(`
      create view issue_now as
      select i.id, i.workspace_id, i.project_id, i.number, i.key, i.type, i.title, i.description_md, i.status,
             i.status_id, i.priority, i.rank, i.assignee_ids, i.reporter_id, i.parent_id, i.parent_number, i.epic_id,
             i.epic_number,
             case when c.planned ? i.milestone_id::text then (c.planned ->> i.milestone_id::text)::uuid
                  else i.milestone_id end as milestone_id,
             case when c.opened ? i.sprint_id::text and i.archived_at is null
                    and i.status not in ('done', 'failed', 'cancelled') then (c.opened ->> i.sprint_id::text)::uuid
                  when c.planned ? i.sprint_id::text then (c.planned ->> i.sprint_id::text)::uuid
                  else i.sprint_id end as sprint_id,
             case when c.planned ? i.release_id::text then (c.planned ->> i.release_id::text)::uuid
                  else i.release_id end as release_id,
             case when c.labels && i.label_ids
                    then array(select l.id from unnest(i.label_ids) with ordinality as l(id, place)
                               where l.id <> all(c.labels) order by l.place)
                  else i.label_ids end as label_ids,
             i.estimate_minutes, i.story_points, i.spent_minutes, i.completion_pct, i.start_at, i.due_at, i.started_at,
             i.resolved_at, i.archived_at, i.archived_reason,
             case when c.fields is null and c.options is null then i.custom_fields
                  else values_now(i.custom_fields, c.fields, c.options) end as custom_fields,
             i.active_session_ids, i.active_workflow_run_id, i.child_count, i.child_done_count, i.comment_count,
             i.attachment_count, i.link_count, i.watcher_count, i.open_blocker_count, i.external_source, i.external_id,
             (i.version + coalesce((select sum(m.steps) from mass_change m
                                    where m.project_id = i.project_id and has_to_come(m, i)), 0))::integer as version,
             i.created_by, i.created_at,
             greatest(i.updated_at, (select max(m.created_at) from mass_change m
                                     where m.project_id = i.project_id and has_to_come(m, i)))::timestamptz(3)
               as updated_at,
             i.search, i.remaining_minutes, i.agent_minutes, i.search_head, i.earlier_times, i.epic_own
      from issue i
      left join (
        select project_id,
               array_agg(target_id) filter (where kind = 'label') as labels,
               jsonb_object_agg(target_id, to_id) filter (where kind in ('milestone', 'release', 'sprint')) as planned,
               jsonb_object_agg(target_id, to_id) filter (where kind = 'open_of_sprint') as opened,
               array_agg(target_id::text) filter (where kind = 'field') as fields,
               jsonb_object_agg(target_id, data) filter (where kind = 'options') as options
        from mass_change group by project_id) c on c.project_id = i.project_id`);
    this.addSql(`
      create view custom_field_value_now as
      select * from (
        select v.field_id, v.issue_id, v.workspace_id,
               case when m.kind is null then v.value
                    when m.kind = 'options' then
                      case when v.value ?| array(select jsonb_array_elements_text(m.data -> 'dropped'))
                        then value_of_options(v.value, m.data) else v.value end
               end as value,
               v.updated_by, v.updated_at
        from custom_field_value v
        left join mass_change m on m.target_id = v.field_id and m.kind in ('field', 'options')) n
      where value is not null`);
  }
}
