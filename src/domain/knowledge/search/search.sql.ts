import { visibility } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { type IndexQuery, periodsOf, scopeOf } from "./index-query.ts";
import type { SearchType } from "./inputs.ts";
import { KINDS, type Kind, type KindSql } from "./kinds.sql.ts";
import { done, keptOf, newestRows, notEnough, rareWords, readsNewest } from "./newest.sql.ts";
import type { Prepared } from "./prepare.sql.ts";
import type { FoundRow } from "./view.ts";

/**
 * The search. For each kind of row, the newest part of the index is read first, and older parts only while there are fewer
 * than ENOUGH candidates. Each part gives at most MOST candidates. So a word that most rows contain costs no more than a
 * rare one, but then only these candidates are ranked. docs/search.md explains it.
 */
const ENOUGH = 300;
const MOST = 1_000;

/** Characters of a text that are searched for the first match. The same number of characters is indexed. */
const BODY = 65_536;

/** Text score of comments and messages, and of any row if no word must occur in it. */
const ELSEWHERE = "0.1::float8";

/** Queries with more terms are planned each time, so that connections do not keep a statement for each number. */
const PREPARED_TERMS = 4;

export type Wanted = {
  types: readonly SearchType[];
  query: IndexQuery;
  /** The query for members, whose addresses some callers do not see. */
  people: IndexQuery;
  prepared: Prepared;
  /** Scores depend on it, so all pages have the same. */
  now: string;
  after: Cursor | null;
  limit: number;
};

type Bind = (value: unknown, type: string) => string;

/** Objects that the caller sees, by score. */
export async function search(ctx: InWorkspace, wanted: Wanted): Promise<FoundRow[]> {
  const { types, query, prepared, after, limit } = wanted;
  const named = types.includes("issue") ? [prepared.exact_id ?? [], prepared.titled].flat() : [];
  const values: unknown[] = [ctx.workspace.id, ...visibility(ctx.principal), named, limit];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const kinds = types.flatMap((type): Kind[] => (type === "comment" ? ["comment", "doc_comment"] : [type]));
  const parts = kinds.flatMap((kind) => candidates(kind, ctx, wanted, bind) ?? []);
  if (parts.length === 0) return [];
  const beyond =
    after === null
      ? ""
      : `where (score, updated_at, id) < (${bind(after[1], "float8")}, ${bind(after[2], "timestamptz")}, ${bind(after[3], "uuid")})`;
  const text = `
    with ${parts.map(({ ctes }) => `${ctes},`).join("\n")}
    found as (
      select 'issue' as kind, i.id, i.updated_at, 1000::float8 as score from issue i
      where i.workspace_id = $1 and i.id = any($6::uuid[])
      ${parts.map(({ rows }) => `union all ${rows}`).join("\n")}),
    page as materialized (
      select * from found ${beyond} order by score desc, updated_at desc, id desc limit $7)
    select * from (${parts.map(({ kind }) => shown(kind)).join(" union all ")}) result
    order by score desc, updated_at desc, id desc`;
  const terms = Math.max(query.terms.length, query.words.length);
  // Postgres tells names apart by their first 63 characters.
  const shape = [
    parts.map(({ kind, periods, newest }) => `${shortOf(kind)}${periods}${newest ? "n" : ""}`).join("_"),
    query.terms.length,
    query.words.length,
    `${query.exact === null ? "" : "x"}${after === null ? "" : "a"}`,
  ].join("_");
  return ctx.db.query<FoundRow>(terms > PREPARED_TERMS ? { text } : { name: `search_${shape}`, text }, values);
}

/** `doc_comment` → `doc_com`: the name of a statement has all its kinds. */
const shortOf = (kind: Kind): string => kind.replace(/[a-z]+/g, (word) => word.slice(0, 3));

/** Queries of words without those that only begin with them. */
const asWholeWords = (query: string): string => query.replaceAll(":*", "");

/**
 * Candidates whose text does not matter for their score: what they belong to is read only for the newest, because that
 * costs more than finding them.
 */
const latestOf = ({ from, newest }: KindSql, matches: string, exact: string): string => {
  const { table, live } = newest!;
  return from.replace(
    `${table} o`,
    () => `(
      select * from (select * from ${table} o where o.workspace_id = $1 and o.${live} and ${matches} limit ${MOST}) o
      where ${exact} order by o.updated_at desc limit ${ENOUGH}) o`,
  );
};

function candidates(
  kind: Kind,
  { workspace, principal }: InWorkspace,
  { query: queryOfAll, people, prepared, now }: Wanted,
  bind: Bind,
): { kind: Kind; ctes: string; rows: string; periods: number; newest: boolean } | null {
  const { from, where, word, head, closed, large } = KINDS[kind];
  const query = kind === "person" ? people : queryOfAll;
  const place = scopeOf(kind, { workspaceId: workspace.id, userId: principal.user_id }, prepared);
  // Everything that lacks a word would be all people.
  if (place === null || (!large && query.terms.length === 0)) return null;
  const exact = query.exact === null ? "true" : `o.search @@ ${bind(query.exact, "tsquery")}`;
  // In float8, because powers of numeric are slow.
  const days = () => `extract(epoch from ${bind(now, "timestamptz")} - o.updated_at)::float8 / 86400`;
  const recency = large ? `greatest(0.5, power(0.5::float8, greatest(0, ${days()}) / 180))` : "1";
  const scores = word === null ? [] : query.terms.map((term) => word(bind(term, "tsquery")));
  const average = scores.length === 0 ? ELSEWHERE : `(${scores.join(" + ")}) / ${scores.length}`;
  const score = `round(1e6::float8 * ${average} * ${recency} * case when o.closed then 0.7::float8 else 1 end) / 1e6::float8`;
  const newest = readsNewest(KINDS[kind], prepared, query.words);
  const periods = large ? periodsOf(now, newest || place.narrow) : [""];
  const [read, ...names] = [`${kind}_newest`, ...periods.map((_, n) => `${kind}_${n}`)];
  const loose = newest ? bind(query.candidates.join(" & "), "tsquery") : "";
  const words = newest ? query.words.map((term) => bind(term, "tsquery")) : [];
  const projects = newest ? bind(prepared.projects, "uuid[]") : "";
  // The key of an issue begins so many others that they are found only among the newest.
  const sought = prepared.exact_id === null ? query.words : query.words.map(asWholeWords);
  const asked = newest ? sought.map((term) => bind(term, "tsquery")) : [];
  const whole = newest ? bind(asWholeWords(query.words.join(" & ")), "tsquery") : "";
  const ctes = periods.map((period, n) => {
    const earlier = names.slice(0, n).map((name) => `(select count(*) from ${name})`);
    // `is true`, so that the index is not asked for all words.
    const conditions = [
      ...(earlier.length > 0 ? [`${earlier.join(" + ")} < ${ENOUGH}`] : []),
      ...(newest ? [notEnough(read!), `o.id not in (${done(read!)})`, `(o.search @@ ${loose}) is true`] : []),
    ];
    const tags = [place.scope, period].filter(Boolean);
    const wanted = newest
      ? `(select ${rareWords(read!, asked, whole)} && ${bind(tags.join(" & "), "tsquery")})`
      : bind([...query.candidates, ...tags].join(" & "), "tsquery");
    const matches = [`o.search @@ ${wanted}`, ...conditions].join(" and ");
    const all = `select o.id, o.updated_at, o.search, ${head} as search_head, ${closed} as closed`;
    const hits =
      newest && word === null
        ? `${all} from ${latestOf(KINDS[kind], matches, exact)} where ${where}`
        : `select * from (${all} from ${from} where o.workspace_id = $1 and ${where} and ${matches} limit ${MOST}) o
           where ${exact}`;
    return `${names[n]} as materialized (select o.id, o.updated_at, ${score} as score from (${hits}) o)`;
  });
  if (newest) {
    const values = { projects, candidates: loose, words, exact, score, now: bind(now, "timestamptz") };
    ctes.unshift(...newestRows(read!, KINDS[kind], values));
  }
  const found = names.map((name) => `select '${kind}', id, updated_at, score from ${name}`);
  if (newest) found.push(`select '${kind}', id, updated_at, score from ${keptOf(read!)}`);
  return { kind, ctes: ctes.join(","), rows: found.join(" union all "), periods: periods.length, newest };
}

/** The rows of a kind on the page, as results show them. */
function shown(kind: Kind): string {
  const { from, title, issue, docId, channelId, body } = KINDS[kind];
  return `
    select '${kind === "doc_comment" ? "comment" : kind}' as type, page.id, page.updated_at, page.score, ${title} as title,
      ${issue ? `${issue}.key` : "null"} as key, ${issue ? `${issue}.status` : "null"} as status,
      p.key as project_key, p.slug as project_slug, ${docId} as doc_id, ${channelId} as channel_id,
      left(coalesce(${body}, ''), ${BODY}) as body
    from page join (${from}) on o.id = page.id and o.workspace_id = $1 where page.kind = '${kind}'`;
}
