import { Migration } from "@mikro-orm/migrations";

/** Issues of archived projects no longer block issues of other projects. */
export class BlockersOfArchivedProjects extends Migration {
  override up(): void {
    this.addSql(`
      update issue i set open_blocker_count = i.open_blocker_count - n.blockers
      from (select l.target_id, count(*)::int as blockers from issue_link l
            join project p on p.id = l.source_project_id and p.archived_at is not null
            join issue b on b.id = l.source_id and b.archived_at is null
              and b.status not in ('done', 'failed', 'cancelled')
            where l.kind = 'blocks' and l.source_project_id <> l.target_project_id
            group by l.target_id) n
      where i.id = n.target_id`);
  }
}
