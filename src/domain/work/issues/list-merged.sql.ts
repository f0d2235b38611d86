import type { Db } from "../../kernel/ports/ports.ts";
import { shows } from "../../kernel/present.sql.ts";
import type { ListOptions } from "./list.sql.ts";
import { type ListFilter, matching } from "./list-conditions.sql.ts";
import { ORDERED } from "./list-ordered.ts";
import { orderOf, rangeOf } from "./list-range.sql.ts";

/** Lists in board order that are parts of an index, each of which is in this order, too. */

/** Each part is read as far as a page. */
const MAX_PARTS = 10;
/** A project with more sets of fields than this is read along the board. */
const MAX_SETS = 64;

/** As in the index `issue_by_fields`: which fields the issue has a value of. */
const FIELDS = "jsonb_hash_extended(jsonb_path_query_array(i.custom_fields, '$.keyvalue().key'), 0)";

/** Returns null if the list has no such parts, or too many. */
export async function merge<Row extends object>(
  db: Db,
  scope: readonly string[],
  filters: ListFilter[],
  options: ListOptions,
  columns: string,
): Promise<Row[] | null> {
  const [filter, ...others] = filters;
  // No index has what is about to be.
  if (!filter || others.length > 0 || options.sort !== "rank" || options.archived || options.ready) return null;
  if (shows(db).changes) return null;
  const { column, any, none, orColumns, field } = filter;
  if (field?.none && any.length === 0 && field.none.types.length === 0)
    return withoutField(db, scope, filters, options, columns, field.id);
  const count = any.length + (none ? 1 : 0);
  if (!ORDERED.includes(column) || orColumns?.length || count > MAX_PARTS) return null;

  const values: unknown[] = [...scope];
  const param = (value: unknown) => `$${values.push(value)}`;
  const range = rangeOf(options, param);
  const limit = param(options.limit);
  const each = [
    ...any.map((value) => ({ ...filter, any: [value], none: false })),
    ...(none ? [{ ...filter, any: [] }] : []),
  ];
  const parts = each.map((one) => part(`${range} and ${matching([one], undefined, param)}`, options, limit));
  const text = `select ${columns} from (${parts.join(" union all ")}) i order by ${orderOf(options)} limit ${limit}`;
  return db.query<Row>({ text }, values);
}

const part = (conditions: string, options: ListOptions, limit: string) =>
  `(select i.* from issue i where ${conditions} order by ${orderOf(options)} limit ${limit})`;

/** The sets of fields are found by going from one to the next in the index. */
async function withoutField<Row extends object>(
  db: Db,
  scope: readonly string[],
  filters: ListFilter[],
  options: ListOptions,
  columns: string,
  id: string,
): Promise<Row[] | null> {
  const values: unknown[] = [...scope];
  const param = (value: unknown) => `$${values.push(value)}`;
  const limit = param(options.limit);
  const live = rangeOf({ ...options, after: null }, param);
  const next = (n: string, conditions: string) => `
    select ${n} as n, ${FIELDS} as fields, i.custom_fields ? ${param(id)} as has
    from issue i where ${conditions} order by ${FIELDS} limit 1`;
  const found = `${rangeOf(options, param)} and ${FIELDS} = s.fields and ${matching(filters, undefined, param)}`;
  const text = `
    with recursive s as (
      (${next("1", live)})
      union all
      select of.* from s cross join lateral (${next("s.n + 1", `${live} and ${FIELDS} > s.fields and s.n <= ${MAX_SETS}`)}) of)
    select t.is_too_many, ${columns} from (select coalesce(max(n), 0) > ${MAX_SETS} as is_too_many from s) t
    left join lateral (
      select i.* from s cross join lateral ${part(found, options, limit)} i where not s.has
      order by ${orderOf(options)} limit ${limit}) i on not t.is_too_many
    order by ${orderOf(options)}`;
  const rows = await db.query<Row & { is_too_many: boolean; id: string | null }>({ text }, values);
  return rows[0]!.is_too_many ? null : rows.filter(({ id }) => id !== null);
}
