import { Migration } from "@mikro-orm/migrations";

/**
 * A column's category may be changed by mistake and back. Its issues remember the times that they had before, so that
 * the way back restores them.
 */
export class CategoriesChangedBySettings extends Migration {
  override up(): void {
    // The categories that a setting replaced since the issue came to its column, oldest first, with the times of each:
    // [{status, started_at, resolved_at}]. At most two, one of each other class.
    this.addSql(`alter table issue add column earlier_times jsonb`);

    this.addSql(`
      create function category_class(category text) returns text language sql immutable strict parallel safe as $$
        select case when category in ('in_progress', 'in_review') then 'started'
                    when category in ('done', 'failed', 'cancelled') then 'closed'
                    else 'waiting' end
      $$`);

    // The times of an issue whose column gets the category "target" at the time "at". Times that the issue had with a
    // category of the same class come back. Otherwise it gets those that a move would set.
    this.addSql(`
      create function times_in_category(
        status text, started timestamptz, resolved timestamptz, earlier jsonb, target text, at timestamptz
      ) returns table (started_at timestamptz, resolved_at timestamptz, earlier_times jsonb)
      language sql stable parallel safe rows 1 as $$
        select
          case when class.target = 'started' then coalesce(base.started_before, at) else base.started_before end,
          case when class.target = 'closed' then coalesce(base.resolved_before, at) end,
          case when class.present = class.target then earlier
               -- What came later than the restored times is forgotten.
               when found.place is not null then case when found.place > 1 then jsonb_build_array(earlier -> 0) end
               else coalesce(earlier, '[]') || jsonb_build_array(
                 jsonb_build_object('status', status, 'started_at', started, 'resolved_at', resolved)) end
        from (select category_class(status) as present, category_class(times_in_category.target) as target) class
        left join jsonb_array_elements(earlier) with ordinality as found (times, place)
          on category_class(found.times ->> 'status') = class.target and class.present <> class.target
        cross join lateral (select
          case when found.place is null then started else (found.times ->> 'started_at')::timestamptz end as started_before,
          case when found.place is not null then (found.times ->> 'resolved_at')::timestamptz
               when class.present = class.target then resolved end as resolved_before) base
      $$`);

    // A move to another column is a change of the issue itself, so its times are its own again.
    this.addSql(`
      create function forget_earlier_times() returns trigger language plpgsql as $$
      begin
        new.earlier_times := null;
        return new;
      end $$`);
    this.addSql(`
      create trigger issue_left_column before update of status_id on issue
      for each row when (old.earlier_times is not null and old.status_id is distinct from new.status_id)
      execute function forget_earlier_times()`);
  }
}
