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
  /** The present, as a parameter. */
  now: string;
};

/** Names of the two parts of the statement: the newest rows, and those of them that match and are ranked. */
const hitsOf = (name: string) => `${name}_hits`;

/**
 * The newest rows, compared with the query: `m0`, `m1`… tell which words they have. Then the matches of them, with their
 * scores. What rows belong to is read only for matches: most words are in few rows.
 */
export function newestRows(
  name: string,
  kind: KindSql,
  { projects, candidates, words, exact, score, now }: Sql,
): string[] {
  const { table, by, live, columns } = kind.newest!;
  const newest = `(
    select n.*, sum(pg_column_size(n.search)) over (order by n.${by} desc, n.id desc rows unbounded preceding) as bytes
    from unnest(${projects}) place(id), lateral (
      select * from ${table} t where t.project_id = place.id and t.${live}
      order by t.${by} desc, t.id desc limit greatest(1, least(${NEWEST}, ${READ} / cardinality(${projects})))) n
    order by n.${by} desc, n.id desc limit ${NEWEST})`;
  const compared = `
    select o.*, o.loose and ${exact} as hit
    from (
      select ${["id", "workspace_id", "updated_at", ...columns].map((column) => `o.${column}`).join(", ")}, o.search,
        o.search @@ ${candidates} as loose ${words.map((word, n) => `, o.search @@ ${word} as m${n}`).join("")}
      from ${newest} o
      where o.workspace_id = $1 and o.bytes <= ${BYTES}) o`;
  const ranked = `o.hit and (row_number() over (partition by o.hit order by o.updated_at desc, o.id desc) <= ${RANKED}
                             or o.updated_at >= ${now} - interval '14 days')`;
  const carried = ["id", "workspace_id", "updated_at", ...columns, "loose", "hit", ...words.map((_, n) => `m${n}`)];
  return [
    `${name} as materialized (
      select ${carried.map((column) => `o.${column}`).join(", ")}, ${ranked} as ranked from (${compared}) o)`,
    `${hitsOf(name)} as materialized (
      select o.id, o.updated_at, ${score} as score from (
        select o.id, o.updated_at, ${kind.head} as search_head, ${kind.closed} as closed
        from ${kind.from.replace(`${table} o`, () => `${name} o`)}
        where o.ranked and o.workspace_id = $1 and ${kind.where}) o)`,
  ];
}

/** Whether the newest rows (`name`) are not enough. */
export const notEnough = (name: string): string =>
  `((select count(*) from ${hitsOf(name)}) < ${ENOUGH}
    and (select count(*) from ${name} where loose and not hit) < ${ENOUGH_OF_PHRASE})`;

/** The newest rows that need not be found by the index. */
export const done = (name: string): string => `select id from ${name} where ranked or not hit`;

/** The newest matches, which are ranked. */
export const keptOf = (name: string): string => hitsOf(name);

/**
 * What the index is asked for: the words that few of the newest rows have or, if all are common, each of them without
 * longer words that begin with it. `asked` are the words as the index is asked for them.
 */
export const rareWords = (name: string, asked: readonly string[], whole: string): string => `(
  select case when numnode(rare) > 0 then rare else ${whole} end
  from (select ${asked
    .map((word, n) => `case when count(*) filter (where m${n}) < ${COMMON} then ${word} else ''::tsquery end`)
    .join(" && ")} as rare from ${name}) counted)`;
