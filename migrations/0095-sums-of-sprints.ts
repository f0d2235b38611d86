import { Migration } from "@mikro-orm/migrations";

const SUMS = [
  "completed_issues",
  "completed_points",
  "completed_minutes",
  "open_issues",
  "added_issues",
  "removed_issues",
] as const;

/** What a sprint achieved is summed up when it is completed, and not by each report. */
export class SumsOfSprints extends Migration {
  override up(): void {
    // Null for commitments, and for completions that an earlier version of a process stored: these are counted.
    this.addSql(`alter table sprint_snapshot ${SUMS.map((sum) => `add column ${sum} integer`).join(", ")}`);

    // A commitment that was cleared because the sprint was reopened does not count.
    this.addSql(`
      create procedure sum_up_completion(completion uuid) language sql as $$
        with of as materialized (
          select s.id, (
            select c.id from sprint_snapshot c join sprint p on p.id = c.sprint_id
            where c.sprint_id = s.sprint_id and c.kind = 'commitment' and p.committed_issues is not null
            order by c.taken_at desc, c.id desc limit 1) as commitment_id
          from sprint_snapshot s where s.id = completion and s.kind = 'completion'
        ),
        final as materialized (
          select i.issue_id, i.status, i.story_points, i.estimate_minutes, c.issue_id is null as is_added
          from of join sprint_snapshot_issue i on i.snapshot_id = of.id
          left join sprint_snapshot_issue c on c.snapshot_id = of.commitment_id and c.issue_id = i.issue_id
        ),
        sums as (
          select count(*) filter (where status = 'done') as completed_issues,
            coalesce(sum(story_points) filter (where status = 'done'), 0) as completed_points,
            coalesce(sum(estimate_minutes) filter (where status = 'done'), 0) as completed_minutes,
            count(*) filter (where status not in ('done', 'failed', 'cancelled')) as open_issues,
            count(*) filter (where is_added) as added_issues,
            (select count(*) from of join sprint_snapshot_issue c on c.snapshot_id = of.commitment_id)
              - count(*) filter (where not is_added) as removed_issues
          from final
        )
        update sprint_snapshot s
        set ${SUMS.map((sum) => `${sum} = sums.${sum}`).join(", ")}
        from of, sums where s.id = of.id
      $$`);
    this.addSql(`
      do $$ declare completion uuid; begin
        for completion in
          select distinct on (s.sprint_id) s.id from sprint_snapshot s join sprint p on p.id = s.sprint_id
          where s.kind = 'completion' and p.status = 'completed'
          order by s.sprint_id, s.taken_at desc, s.id desc
        loop
          call sum_up_completion(completion);
        end loop;
      end $$`);
  }
}
