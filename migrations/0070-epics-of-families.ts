import { Migration } from "@mikro-orm/migrations";

/** Issues whose epic is that of their parent, and epics that count all issues that belong to them. */
export class EpicsOfFamilies extends Migration {
  override up(): void {
    // Whether the epic was set for this issue itself. Others have the epic of their parent.
    this.addSql(`alter table issue add column epic_own boolean not null default false`);
    this.addSql(`
      update issue i set epic_own = true
      where i.type <> 'epic' and i.epic_id is distinct from (
        select case when p.type = 'epic' then p.id else p.epic_id end from issue p where p.id = i.parent_id)`);

    // An epic counts the issues that belong to it, wherever they are in the tree.
    this.addSql(`
      update issue e set child_count = n.total, child_done_count = n.done
      from (select x.id, count(i.id) as total, count(i.id) filter (where i.status = 'done') as done
            from issue x left join issue i on i.epic_id = x.id and i.archived_at is null
            where x.type = 'epic' group by x.id) n
      where e.id = n.id and (e.child_count, e.child_done_count) is distinct from (n.total, n.done)`);

    // Issues whose epic a worker passes on to the many issues below them.
    this.addSql(`
      create table epic_change (
        issue_id uuid primary key references issue,
        workspace_id uuid not null references workspace,
        -- Who changed the epic, and why, for the events and the history of the issues below.
        actor jsonb not null,
        cause jsonb not null,
        due_at timestamptz(3) not null,
        held_by uuid
      )`);
    this.addSql(`create index epic_change_due on epic_change (due_at)`);
  }
}
