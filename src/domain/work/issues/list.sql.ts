import { bareIssueColumns, listedIssueColumns, type NotListed } from "../../access/identity/issue-row.ts";
import type { BareIssue } from "../../access/identity/names.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { shows } from "../../kernel/present.sql.ts";
import type { RowTexts } from "../../kernel/row-texts.ts";
import { issuesByField } from "../fields/filter.sql.ts";
import { type ListFilter, matching } from "./list-conditions.sql.ts";
import { merge } from "./list-merged.sql.ts";
import { isOrdered, leadOf } from "./list-ordered.ts";
import { orderOf, placeOf, rangeOf } from "./list-range.sql.ts";
import { soughtBy } from "./list-sought.sql.ts";
import { storedOf } from "./list-stored.sql.ts";
import { LIST_ORDERS, type Sort } from "./orders.ts";
import { partsOfReady } from "./ready.sql.ts";
import type { Readiness } from "./ready.ts";

/**
 * The issue list. docs/issue-list-plans.md shows its plans.
 *
 * There are two ways to read a filtered list. Walking along the list and filtering is fast if matches are frequent.
 * Collecting all matches and sorting them is fast if matches are rare. The planner often chooses wrongly, because it
 * has no statistics for arrays and words and does not know where in the list the matches are. So the code tries it out:
 * it walks along the first FRONT issues. If they do not fill a page, it walks as far as should be enough for one, or
 * collects the matches if that is far. Only if there are more than COMMON is the whole list walked.
 */

export type ListOptions = {
  sort: Sort;
  archived: boolean;
  /** Only issues on which work can start. */
  ready?: Readiness | undefined;
  after: Cursor | null;
  limit: number;
};

/** Number of issues that are walked to learn how frequent matches are. */
const FRONT = 1_000;

/** Up to this number, issues are walked for a page that the front began. */
const FAR = 4_000;

/**
 * Limits of the usual pages, with the row that tells whether there is another one. They are part of a prepared statement's
 * text: Postgres plans a statement with a parameter there each time, because it would expect a tenth of all issues.
 */
const PREPARED_LIMITS: readonly number[] = [51, 101];

/** Up to this number, matches are collected and sorted in less time than a walk takes that finds none of them. */
const COMMON = 25_000;

/**
 * Up to this number of values of a custom field, matches are collected by the field. Postgres cannot know how many issues
 * have a value of one field, because the values of all fields have the same statistics.
 */
const FOUND = 20_000;
const TOO_MANY = `(select count(*) > ${FOUND} from found)`;

export type ListedIssue = Omit<BareIssue, NotListed>;
export type IssueTexts = RowTexts<ListedIssue>;

/** What is read of each issue. */
type Shown<Row> = { what: string; columns: string; asTexts?: true; row?: Row };
const WHOLE: Shown<BareIssue> = { what: "issues", columns: bareIssueColumns };
const LISTED: Shown<ListedIssue> = { what: "shown", columns: listedIssueColumns };
const TEXTS: Shown<IssueTexts> = { what: "texts", columns: listedIssueColumns, asTexts: true };
const PLACE: Shown<{ id: string; rank: string }> = { what: "places", columns: "i.id, i.rank" };

const listing =
  <Row extends object>(shown: Shown<Row>) =>
  (db: Db, workspaceId: string, projectId: string, filters: ListFilter[], options: ListOptions): Promise<Row[]> =>
    read(db, [workspaceId, projectId], filters, options, shown);

/** Returns issues in the requested order, without the names of what they refer to. */
export const listIssues = listing(WHOLE);

/** The same issues, with what a list shows of them. */
export const listShown = listing(LISTED);

/** The same issues in the same order, without their contents. */
export const listPlaces = listing(PLACE);

/** Whether the list is one of prepared statements. */
export const isPlainList = (filters: ListFilter[], { ready, limit }: ListOptions): boolean =>
  filters.length === 0 && !ready && PREPARED_LIMITS.includes(limit);

/** The issues of a plain list, with their columns as texts. */
export const listTexts = (db: Db, workspaceId: string, projectId: string, options: ListOptions) =>
  walk<IssueTexts>(db, [workspaceId, projectId], [], options, TEXTS);

async function read<Row extends object>(
  db: Db,
  scope: string[],
  filters: ListFilter[],
  options: ListOptions,
  shown: Shown<Row>,
): Promise<Row[]> {
  if (isOrdered(filters, options, db)) return walk(db, scope, filters, options, shown);
  const merged = await merge<Row>(db, scope, filters, options, shown.columns);
  if (merged) return merged;

  type Told = Row & { id?: string | null; is_all?: boolean };
  const told = await walk<Told>(db, scope, filters, options, shown, FRONT);
  const front = told.filter(({ id }) => id !== null);
  if (told[0]?.is_all || front.length === options.limit) return front;
  // With fewer than half of what the front needs for a page of the walk, the walk is not worth its time.
  if (2 * front.length * FAR >= options.limit * FRONT) {
    // Matches may get rarer along the list.
    const enough = Math.ceil((1.5 * FRONT * options.limit) / front.length);
    const far = await walk<Row>(db, scope, filters, options, shown, Math.min(enough, FAR));
    if (far.length === options.limit) return far;
  }
  return (
    (await collect(db, scope, filters, options, shown)) ??
    // A field that many issues have with this value, beside a filter that few issues pass.
    (filters.length > 1 && foundBy(filters) ? await collect(db, scope, filters, options, shown, false) : null) ??
    walk(db, scope, filters, options, shown)
  );
}

/** The filter by a custom field that finds issues. No index has the issues without a value. */
const foundBy = (filters: ListFilter[]) => filters.find((filter) => filter.field?.none === null)?.field;

/**
 * Reads a page by walking along the list, or the matches among its first `max` issues. For the front, `is_all` of the
 * first row says whether the list is known to have fewer; without a match, this row has nothing else.
 */
function walk<Row extends object>(
  db: Db,
  scope: string[],
  filters: ListFilter[],
  options: ListOptions,
  { what, columns, asTexts }: Shown<object>,
  max?: number,
): Promise<Row[]> {
  const values: unknown[] = [...scope];
  const param = (value: unknown) => `$${values.push(value)}`;
  const range = rangeOf(options, param);
  const matches = matching(filters, options.ready, param, options.sort);
  const order = orderOf(options);
  const lead = max ? leadOf(filters, options, db) : undefined;
  const along = () => (lead ? ` and ${matching([lead], undefined, param)}` : "");
  // Only the list without filters is a prepared statement. With filters, the best plan depends on the values.
  const isPrepared = isPlainList(filters, options);
  const limit = isPrepared ? options.limit : param(options.limit);
  // Computed keys are compared as read. Otherwise Postgres would read all of the first issues, to sort them again.
  const { key } = LIST_ORDERS[options.sort];
  const first = (conditions: string) =>
    `(select i.*, ${key} as list_key from issue i where ${conditions} order by ${order} limit ${max ?? limit})`;
  const kept = orderOf(options, "i.list_key");
  const sources = (ready: Readiness) =>
    partsOfReady(ready, param).map((part) => first(`${range} and ${part}${max ? "" : ` and ${matches}`}`));
  const [from, where, by] = options.ready
    ? [
        `(select * from (${sources(options.ready).join(" union all ")}) i order by ${kept} limit ${max ?? limit}) i`,
        matches,
        kept,
      ]
    : max
      ? [`${first(`${range}${along()}`)} i`, matches, kept]
      : ["issue i", `${range} and ${matches}`, order];
  const page = (what: string) => `select ${what} from ${from} where ${where} order by ${by} limit ${limit}`;
  const text =
    max && shows(db).changes
      ? // Their other columns are read only for the page.
        `select ${columns} from (${page("i.id as page_id")}) page
         join issue i on i.workspace_id = $1 and i.id = page_id order by ${order}`
      : max === FRONT && !options.ready
        ? `select past.is_all, ${columns}
           from (select (select true from issue i where ${placeOf(options, param)}${along()}
                         order by ${options.after ? order : "i.rank"} offset ${max - 1} limit 1) is null as is_all) past
           left join lateral (${page("i.*")}) i on true order by ${kept}`
        : page(columns);
  const { sort, archived, after } = options;
  const name = `list_${what}_${sort}_${archived}_${after !== null}_${limit}`;
  if (!isPrepared) return db.query<Row>({ text }, values);
  return db.query<Row>(asTexts ? { name, text, asTexts } : { name, text }, values);
}

/**
 * Reads a page from all matches; returns null if there are too many. It is one statement: if an issue moved between two
 * statements, the end of the page, and with it the cursor, would move too.
 */
async function collect<Row extends object>(
  db: Db,
  scope: string[],
  filters: ListFilter[],
  options: ListOptions,
  { columns }: Shown<Row>,
  byField = true,
): Promise<Row[] | null> {
  const values: unknown[] = [...scope];
  const param = (value: unknown) => `$${values.push(value)}`;
  const order = orderOf(options);
  const { key } = LIST_ORDERS[options.sort];
  const field = byField ? foundBy(filters) : undefined;
  const found = field && issuesByField(field, param);
  const common = found ? FOUND : COMMON;
  const among = found ? [`i.id = any(array(select issue_id from found where not ${TOO_MANY}))`] : [];
  const stored = storedOf(filters, options, shows(db), param);
  // No index has what is about to be.
  const sought = options.ready || shows(db).changes ? null : soughtBy(filters, param);
  const range = rangeOf(options, param, sought !== null);
  const wanted = [range, matching(filters, options.ready, param), ...stored, ...(sought ?? []), ...among].join(" and ");
  const hits = (part: string) => `
    (select i.id, ${key} as key from issue i where ${wanted} and ${part} limit ${common + 1})`;
  const parts = options.ready ? partsOfReady(options.ready, param) : ["true"];
  const text = `
    with ${found ? `found as materialized (${found} limit ${FOUND + 1}),` : ""}
    hit as materialized (${parts.map(hits).join(" union all ")}),
    page as materialized (
      select (select count(*) from hit) ${found ? `+ (case when ${TOO_MANY} then ${common + 1} else 0 end)` : ""} as hits,
        array(select i.id from hit i order by ${orderOf(options, "i.key")} limit ${param(options.limit)}) as ids)
    select page.hits, ${columns} from page
    left join issue i on page.hits <= ${common} and i.workspace_id = $1 and i.id = any(page.ids)
    order by ${order}`;
  const rows = await db.query<Row & { hits: number; id: string | null }>({ text }, values);
  return rows[0]!.hits > common ? null : rows.filter(({ id }) => id !== null);
}
