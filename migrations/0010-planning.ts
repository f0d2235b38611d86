import { Migration } from "@mikro-orm/migrations";

/** What milestones, sprints, releases and labels need beyond their tables: stamps, snapshots, counts by index. */
export class Planning extends Migration {
  override up(): void {
    // The commitment at the sprint's start, in each unit in which a project may estimate.
    this.addSql(`
      alter table sprint
        add column capacity_points integer,
        add column started_at timestamptz(3),
        add column completed_at timestamptz(3),
        add column committed_issues integer,
        add column committed_points integer,
        add column committed_minutes bigint`);

    // The content of a sprint when it started and when it was completed, issue by issue. Reports read it; the newest
    // of a kind counts. In between, the history shows which issues were added and removed.
    this.addSql(`
      create table sprint_snapshot (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        sprint_id uuid not null references sprint,
        kind text not null check (kind in ('commitment', 'completion')),
        taken_at timestamptz(3) not null
      )`);
    this.addSql(`create index sprint_snapshot_newest on sprint_snapshot (sprint_id, kind, taken_at)`);
    this.addSql(`
      create table sprint_snapshot_issue (
        snapshot_id uuid not null references sprint_snapshot,
        issue_id uuid not null,
        workspace_id uuid not null references workspace,
        status text not null,
        story_points integer,
        estimate_minutes integer,
        primary key (snapshot_id, issue_id)
      )`);

    // The state of an issue after a history entry. Burndown and velocity sum these.
    this.addSql(`
      alter table activity
        add column sprint_id uuid,
        add column status text,
        add column story_points integer,
        add column estimate_minutes integer`);
    this.addSql(`create index activity_sprint on activity (sprint_id, created_at) where sprint_id is not null`);

    // Progress is computed from these columns alone, without reading the issues.
    this.addSql(`
      create index issue_progress_of_sprint on issue (sprint_id, status, story_points)
      where sprint_id is not null and archived_at is null`);
    for (const table of ["milestone", "release"]) {
      this.addSql(`
        create index issue_progress_of_${table} on issue (${table}_id, status)
        where ${table}_id is not null and archived_at is null`);
    }
    this.addSql(`
      create index issue_label_sets on issue (project_id, label_ids)
      where archived_at is null and label_ids <> '{}'`);
    this.addSql(`create index label_list on label (project_id, lower(name) collate "C", id)`);

    // Deleting a sprint removes it from its issues. If it is assigned to an issue at the same moment, this check
    // applies: either the deletion waits and finds the issue, or the change runs again and finds no sprint.
    this.addSql(`
      create function refuse_deleted_planning() returns trigger language plpgsql as $$
      begin
        if new.sprint_id is not null and (tg_op = 'INSERT' or new.sprint_id is distinct from old.sprint_id) then
          perform 1 from sprint where id = new.sprint_id and deleted_at is null for share;
          if not found then raise serialization_failure using message = 'the sprint was deleted meanwhile'; end if;
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
    this.addSql(`
      create trigger issue_planning after insert or update of sprint_id, milestone_id, release_id on issue
      for each row when (new.sprint_id is not null or new.milestone_id is not null or new.release_id is not null)
      execute function refuse_deleted_planning()`);
  }
}
