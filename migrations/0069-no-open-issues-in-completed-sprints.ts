import { Migration } from "@mikro-orm/migrations";

/**
 * A sprint may be completed between the check of a call and its write. As for deleted sprints, the call then runs again
 * and finds the sprint as it is now.
 */
export class NoOpenIssuesInCompletedSprints extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function refuse_deleted_planning() returns trigger language plpgsql as $$
      begin
        if new.sprint_id is not null and (tg_op = 'INSERT' or new.sprint_id is distinct from old.sprint_id) then
          perform 1 from sprint where id = new.sprint_id and deleted_at is null
            and (status <> 'completed' or new.status in ('done', 'failed', 'cancelled')) for share;
          if not found then
            raise serialization_failure using message = 'the sprint was deleted or completed meanwhile';
          end if;
        end if;
        if new.milestone_id is not null and (tg_op = 'INSERT' or new.milestone_id is distinct from old.milestone_id) then
          perform 1 from milestone where id = new.milestone_id and deleted_at is null for share;
          if not found then raise serialization_failure using message = 'the milestone was deleted meanwhile'; end if;
        end if;
        if new.release_id is not null and (tg_op = 'INSERT' or new.release_id is distinct from old.release_id) then
          perform 1 from release where id = new.release_id and deleted_at is null for share;
          if not found then raise serialization_failure using message = 'the release was deleted meanwhile'; end if;
        end if;
        return null;
      end $$`);
  }
}
