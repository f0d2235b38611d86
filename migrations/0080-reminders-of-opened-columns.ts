import { Migration } from "@mikro-orm/migrations";

/** Issues whose column was opened have reminders of due dates that pass before a worker has come to them. */
export class RemindersOfOpenedColumns extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function schedule_reminder() returns trigger language plpgsql as $$
      declare
        ends timestamptz := new.due_at + case when new.due_at = date_trunc('day', new.due_at, 'UTC')
                                              then interval '24 hours' else interval '0' end;
      begin
        -- A change that is made late has the time at which it was asked for.
        if new.resolved_at is null and new.archived_at is null and ends > least(now(), new.updated_at) then
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
  }
}
