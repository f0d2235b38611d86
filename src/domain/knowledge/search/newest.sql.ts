import type { KindSql } from "./kinds.sql.ts";
import type { Prepared } from "./prepare.sql.ts";

/**
 * The newest rows of the projects that the caller sees, each compared with the query. In a large project the index costs
 * as much as a word has rows, above all for the beginning of words, whose rows Postgres collects first. A common word has
 * enough rows among the newest ones, so the index is only asked for words that have few.
 */

/** Rows that are compared. */
const NEWEST = 1_000;
/** With so many rows among them, older ones are not searched. */
const ENOUGH = 100;
/** With so many rows that have all words, but not as a phrase, older ones are not searched either. */
const ENOUGH_OF_PHRASE = 300;
/** A word in so many of the newest rows is not looked up in the index, if the query has a rarer one. */
const COMMON = 100;
/** Bytes of their words. Long texts are read one by one, which takes time. */
const BYTES = 2_000_000;
/** More projects are searched by the index: the newest rows of all of them would be too many. */
const MOST_PROJECTS = 20;
/** Rows that are ranked; besides these, those of the last two weeks. */
const RANKED = 300;
/** Rows that are read of all projects together to find the newest ones. */
const READ = 4_000;

/** Whether the newest rows are searched first. */
export const readsNewest = ({ newest }: KindSql, { projects }: Prepared, words: readonly string[]): boolean =>
  newest !== null && words.length > 0 && projects.length > 0 && projects.length <= MOST_PROJECTS;

type Sql = {
  /** Parameters: the projects, the query of candidates and those of its words. */
  projects: string;
  candidates: string;
  words: readonly string[];
  exact: string;
  score: string;
};

/** The statement of the newest rows: `score` is null unless a row matches, and `m0`, `m1`… tell which words it has. */
export function newestRows(kind: KindSql, { projects, candidates, words, exact, score }: Sql): string {
  const { table, by, live } = kind.newest!;
  const newest = `(
    select n.*, sum(pg_column_size(n.search)) over (order by n.${by} desc, n.id desc rows unbounded preceding) as bytes
    from unnest(${projects}) place(id), lateral (
      select * from ${table} t where t.project_id = place.id and t.${live}
      order by t.${by} desc, t.id desc limit greatest(1, least(${NEWEST}, ${READ} / cardinality(${projects})))) n
    order by n.${by} desc, n.id desc limit ${NEWEST}) o`;
  return `
    select o.id, o.updated_at, o.loose, case when o.loose and ${exact} then ${score} end as score
      ${words.map((_, n) => `, o.m${n}`).join("")}
    from (
      select o.id, o.updated_at, o.search, ${kind.head} as search_head, ${kind.closed} as closed,
        o.search @@ ${candidates} as loose ${words.map((word, n) => `, o.search @@ ${word} as m${n}`).join("")}
      from ${kind.from.replace(`${table} o`, () => newest)}
      where o.workspace_id = $1 and o.bytes <= ${BYTES} and ${kind.where}) o`;
}

/** Whether the newest rows (`name`) are not enough. */
export const notEnough = (name: string): string =>
  `(select count(score) < ${ENOUGH} and count(*) filter (where loose) < ${ENOUGH_OF_PHRASE} from ${name})`;

/** The newest matches, which are ranked. */
export const keptOf = (name: string, now: string): string => `(
  select * from (
    select id, updated_at, score, row_number() over (order by updated_at desc, id desc) as n
    from ${name} where score is not null) o
  where n <= ${RANKED} or updated_at >= ${now} - interval '14 days') kept`;

/**
 * What the index is asked for: the words that few of the newest rows have or, if all are common, each of them without
 * longer words that begin with it.
 */
export const rareWords = (name: string, words: readonly string[], whole: string): string => `(
  select case when numnode(rare) > 0 then rare else ${whole} end
  from (select ${words
    .map((word, n) => `case when count(*) filter (where m${n}) < ${COMMON} then ${word} else ''::tsquery end`)
    .join(" && ")} as rare from ${name}) counted)`;
