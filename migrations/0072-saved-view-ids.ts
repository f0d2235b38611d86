import { Migration } from "@mikro-orm/migrations";

const CATEGORY_WORDS = `('backlog', 'todo', 'in_progress', 'in_review', 'done', 'failed', 'cancelled',
  'unstarted', 'started', 'completed', 'canceled')`;

/** Each text of a list, replaced by what `found` selects for it (as `id`), or kept if it finds nothing. */
const replaced = (found: string) => `(
  select coalesce(json_agg(coalesce(to_json(f.id), x.value) order by x.n), '[]'::json)
  from json_array_elements(e.value) with ordinality x(value, n)
  left join lateral (select x.value #>> '{}' as word) w on true
  left join lateral (${found}) f on true)`;

/**
 * Filters of saved views name columns, labels and people by id, so that renaming them changes nothing. Names that nothing
 * has stay. So do filters with texts that Postgres cannot read, such as NUL and lone surrogates.
 */
const NAMES_TO_IDS = `
  update saved_view v set filter = (
    select json_object_agg(e.key, case
      when e.key = 'statuses' and json_typeof(e.value) = 'array' then ${replaced(`
        select s.id from board_status s
        where s.project_id = v.project_id and s.deleted_at is null and lower(s.name) = lower(btrim(w.word))
          and regexp_replace(lower(btrim(w.word)), '[\\s-]+', '_', 'g') not in ${CATEGORY_WORDS}
        limit 1`)}
      when e.key = 'labels' and json_typeof(e.value) = 'array' then ${replaced(`
        select l.id from label l
        where l.project_id = v.project_id and lower(l.name) = lower(btrim(w.word)) limit 1`)}
      when e.key = 'assigneeId' and json_typeof(e.value) = 'string' then coalesce(
        (select to_json(u.id) from app_user u join member m on m.user_id = u.id and m.workspace_id = v.workspace_id
         where u.email = lower(btrim(e.value #>> '{}')) limit 1),
        e.value)
      else e.value end order by e.n)
    from json_each(v.filter) with ordinality e(key, value, n))
  where case when json_typeof(v.filter) = 'object'
    then v.filter::text ~ '"(statuses|labels|assigneeId)"' and v.filter::text !~* '\\\\u(0000|d[89a-f])' end`;

export class SavedViewIds extends Migration {
  static readonly statement = NAMES_TO_IDS;

  override up(): void {
    this.addSql(NAMES_TO_IDS);
  }
}
