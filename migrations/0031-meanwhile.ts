import { Migration } from "@mikro-orm/migrations";

/** The state of its project and assignees that a change must check once it has its locks. */
export class Meanwhile extends Migration {
  override up(): void {
    // On the counter's row, because calls that create or move issues lock that row and then see its newest version.
    this.addSql(`alter table issue_counter add column archived_at timestamptz(3)`);
    this.addSql(`
      update issue_counter c set archived_at = p.archived_at
      from project p where p.id = c.project_id and p.archived_at is not null`);
    this.addSql(`
      create function copy_archived_at() returns trigger language plpgsql as $$
      begin
        update issue_counter set archived_at = new.archived_at where project_id = new.id;
        return null;
      end $$`);
    this.addSql(`
      create trigger project_archived_at after update of archived_at on project
      for each row when (old.archived_at is distinct from new.archived_at) execute function copy_archived_at()`);

    // Removing a member unassigns them from their open issues. If a change assigns them at the same moment, this
    // check applies: either the removal waits and finds the issue, or the change runs again and does not find the
    // person.
    this.addSql(`
      create function refuse_departed_assignees() returns trigger language plpgsql as $$
      declare
        added uuid[] := new.assignee_ids;
        locked integer;
      begin
        if tg_op = 'UPDATE' then
          added := array(select unnest(new.assignee_ids) except select unnest(old.assignee_ids));
        end if;
        perform 1 from member where workspace_id = new.workspace_id and user_id = any(added)
        order by user_id for key share;
        get diagnostics locked = row_count;
        if locked < (select count(distinct person) from unnest(added) person) then
          raise serialization_failure using message = 'a member was removed meanwhile';
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger issue_assignees after insert or update of assignee_ids on issue
      for each row when (new.assignee_ids <> '{}') execute function refuse_departed_assignees()`);
  }
}
