import { Migration } from "@mikro-orm/migrations";

/** Reminders of issues that are due on a day move when the zone of their person or workspace changes. */
export class RemindersInNewZones extends Migration {
  override up(): void {
    // A worker moves the reminders in pieces, in the order of their issues.
    this.addSql(`
      create table zone_change (
        id uuid primary key default uuidv7(),
        workspace_id uuid not null references workspace,
        -- Null: of the workspace.
        user_id uuid references app_user,
        -- The last issue whose reminder was moved.
        after uuid not null default '00000000-0000-0000-0000-000000000000'
      )`);
    this.addSql(`create index reminder_of_workspace on reminder (workspace_id, issue_id)`);
    this.addSql(`
      create function note_zone_of_workspace() returns trigger language plpgsql as $$
      begin
        insert into zone_change (workspace_id) values (new.id);
        return null;
      end $$`);
    this.addSql(`
      create trigger workspace_zone after update of timezone on workspace
      for each row when (old.timezone is distinct from new.timezone) execute function note_zone_of_workspace()`);
    this.addSql(`
      create function note_zone_of_person() returns trigger language plpgsql as $$
      begin
        insert into zone_change (workspace_id, user_id) select workspace_id, new.id from member where user_id = new.id;
        return null;
      end $$`);
    this.addSql(`
      create trigger person_zone after update of timezone on app_user
      for each row when (old.timezone is distinct from new.timezone) execute function note_zone_of_person()`);
    // Returns how many reminders it has looked at; null if no change is left.
    this.addSql(`
      create function move_reminders(most integer) returns integer language plpgsql as $$
      declare
        change zone_change;
        piece uuid[];
      begin
        select * into change from zone_change order by id limit 1 for update skip locked;
        if not found then
          return null;
        end if;
        piece := array(select issue_id from reminder
                       where workspace_id = change.workspace_id and issue_id > change.after order by issue_id limit most);
        update reminder r set ends_at = n.ends, next_at = case when r.next_at = r.ends_at then n.ends else n.soon end
        from (
          select i.id, ends_at(i.due_at, i.due_on, zone) as ends,
                 starts_at(i.due_at, i.due_on, zone) - interval '24 hours' as soon
          from (
            select o.*, known_zone(coalesce(p.timezone, w.timezone)) as zone
            from issue o
            join workspace w on w.id = o.workspace_id
            left join app_user p on p.id = coalesce(o.assignee_ids[1], o.reporter_id)
            where o.id = any(piece) and o.due_on is not null and (change.user_id is null or p.id = change.user_id)) i) n
        where r.issue_id = n.id and r.ends_at <> n.ends;
        if cardinality(piece) < most then
          delete from zone_change where id = change.id;
        else
          update zone_change set after = piece[cardinality(piece)] where id = change.id;
        end if;
        return cardinality(piece);
      end $$`);
  }
}
