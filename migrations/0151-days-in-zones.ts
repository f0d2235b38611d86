import { Migration } from "@mikro-orm/migrations";

/** A whole day ends when it is over in the time zone of its reader, and not in UTC. */
export class DaysInZones extends Migration {
  override up(): void {
    // Zones are checked by the runtime of the service, which may know one that Postgres does not.
    this.addSql(`
      create function known_zone(zone text) returns text language plpgsql stable as $$
      begin
        perform now() at time zone zone;
        return coalesce(zone, 'UTC');
      exception when invalid_parameter_value then
        return 'UTC';
      end $$`);
    this.addSql(`
      create function starts_at(at timestamptz, "on" date, zone text) returns timestamptz language sql immutable
      return case when "on" is null then at else "on"::timestamp at time zone zone end`);
    this.addSql(`
      create function ends_at(at timestamptz, "on" date, zone text) returns timestamptz language sql immutable
      return case when "on" is null then at else ("on" + 1)::timestamp at time zone zone end`);
    this.addSql(`
      create or replace function schedule_reminder() returns trigger language plpgsql as $$
      declare
        zone text := known_zone(coalesce(
          (select timezone from app_user where id = coalesce(new.assignee_ids[1], new.reporter_id)),
          (select timezone from workspace where id = new.workspace_id)));
        ends timestamptz := ends_at(new.due_at, new.due_on, zone);
      begin
        -- A change that is made late has the time at which it was asked for.
        if new.resolved_at is null and new.archived_at is null and ends > least(now(), new.updated_at) then
          insert into reminder as r (issue_id, workspace_id, due_at, ends_at, next_at)
          values (new.id, new.workspace_id, new.due_at, ends,
                  starts_at(new.due_at, new.due_on, zone) - interval '24 hours')
          on conflict (issue_id) do update
            set due_at = excluded.due_at, ends_at = excluded.ends_at, next_at = excluded.next_at
            where r.due_at <> excluded.due_at or r.ends_at <> excluded.ends_at;
        elsif tg_op = 'UPDATE' then
          delete from reminder where issue_id = new.id;
        end if;
        return null;
      end $$`);
    this.addSql(`
      create or replace trigger issue_reminder_changed after update of due_at, due_on, resolved_at, archived_at on issue
      for each row when (
        (old.due_at is not null or new.due_at is not null)
        and (old.due_at, old.due_on, old.resolved_at is null, old.archived_at is null)
            is distinct from (new.due_at, new.due_on, new.resolved_at is null, new.archived_at is null))
      execute function schedule_reminder()`);
  }
}
