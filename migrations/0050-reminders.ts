import { Migration } from "@mikro-orm/migrations";

/** When the due dates of issues notify people. */
export class Reminders extends Migration {
  override up(): void {
    // One row for each open issue with a due date ahead. It is deleted once the issue is overdue, closed or archived.
    this.addSql(`
      create table reminder (
        issue_id uuid primary key,
        workspace_id uuid not null,
        due_at timestamptz(3) not null,
        -- When the issue is overdue. A due date given as a day (midnight UTC) includes the whole day.
        ends_at timestamptz(3) not null,
        -- When the next notification is due; while a worker has claimed the row, the end of its lease.
        next_at timestamptz(3) not null
      ) with (fillfactor = 80)`);
    this.addSql(`create index reminder_next on reminder (next_at)`);

    this.addSql(`
      create function schedule_reminder() returns trigger language plpgsql as $$
      declare
        ends timestamptz := new.due_at + case when new.due_at = date_trunc('day', new.due_at, 'UTC')
                                              then interval '24 hours' else interval '0' end;
      begin
        if new.resolved_at is null and new.archived_at is null and ends > now() then
          insert into reminder as r (issue_id, workspace_id, due_at, ends_at, next_at)
          values (new.id, new.workspace_id, new.due_at, ends, new.due_at - interval '24 hours')
          on conflict (issue_id) do update
            set due_at = excluded.due_at, ends_at = excluded.ends_at, next_at = excluded.next_at
            where r.due_at <> excluded.due_at;
        elsif tg_op = 'UPDATE' then
          delete from reminder where issue_id = new.id;
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger issue_reminder after insert on issue
      for each row when (new.due_at is not null and new.resolved_at is null) execute function schedule_reminder()`);
    this.addSql(`
      create trigger issue_reminder_changed after update of due_at, resolved_at, archived_at on issue
      for each row when (
        (old.due_at is not null or new.due_at is not null)
        and (old.due_at, old.resolved_at is null, old.archived_at is null)
            is distinct from (new.due_at, new.resolved_at is null, new.archived_at is null))
      execute function schedule_reminder()`);

    this.addSql(`
      insert into reminder (issue_id, workspace_id, due_at, ends_at, next_at)
      select id, workspace_id, due_at, ends_at, due_at - interval '24 hours'
      from (select id, workspace_id, due_at,
                   due_at + case when due_at = date_trunc('day', due_at, 'UTC')
                                 then interval '24 hours' else interval '0' end as ends_at
            from issue where due_at is not null and resolved_at is null and archived_at is null) i
      where ends_at > now()
      on conflict do nothing`);
  }
}
