import { visibility, visible, visibleDoc, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { type IndexQuery, periodsOf, scopeOf } from "./index-query.ts";
import type { SearchType } from "./inputs.ts";
import { channelVisible, type Prepared } from "./prepare.sql.ts";
import type { FoundRow } from "./view.ts";

/**
 * The search. For each type, the newest part of the index is read first, and older parts only while there are fewer than
 * ENOUGH candidates. Each part gives at most MOST candidates. So a word that most rows contain costs no more than a rare
 * one, but then only these candidates are ranked. docs/search.md has the measurements.
 */
const ENOUGH = 500;
const MOST = 2_000;

/** Characters of a text that are searched for the first match. The same number of characters is indexed. */
const BODY = 65_536;

/** Text score of comments and messages, and of any row if no word must occur in it. */
const ELSEWHERE = "0.1";

type Kind = SearchType | "doc_comment";

/** Where rows of a kind are, who sees them, and how much a word in them counts. $1 the workspace, $2 to $5 `visibility`, $6 the exact issue. */
const KINDS: Record<Kind, { from: string; where: string; text: ((word: string) => string) | null; closed: string }> = {
  issue: {
    from: "issue o join project p on p.id = o.project_id",
    where: `o.archived_at is null and p.archived_at is null and o.id is distinct from $6::uuid and ${visible(2)}`,
    text: (word) =>
      `case when ts_filter(o.search_head, '{a}') @@ ${word} then 1.0 when o.search_head @@ ${word} then 0.4 else 0.2 end`,
    closed: "o.status in ('done', 'failed', 'cancelled')",
  },
  doc: {
    from: "doc o left join project p on p.id = o.project_id",
    where: `o.archived_at is null and p.archived_at is null and ${visibleDoc(2).replaceAll("d.", "o.")}`,
    text: (word) => `case when o.search_head @@ ${word} then 1.0 else 0.2 end`,
    closed: "false",
  },
  comment: {
    from: "comment o join issue i on i.id = o.issue_id join project p on p.id = i.project_id",
    where: `o.deleted_at is null and i.archived_at is null and p.archived_at is null and ${visible(2)}`,
    text: null,
    closed: "i.status in ('done', 'failed', 'cancelled')",
  },
  doc_comment: {
    from: "doc_comment o join doc d on d.id = o.doc_id left join project p on p.id = d.project_id",
    where: `o.deleted_at is null and d.archived_at is null and p.archived_at is null and ${visibleDoc(2)}`,
    text: null,
    closed: "false",
  },
  message: {
    from: "chat_message o join chat_channel c on c.id = o.channel_id left join project p on p.id = c.project_id",
    where: `o.deleted_at is null and ${channelVisible(2)} and ${visibleObject(2)}`,
    text: null,
    closed: "false",
  },
};

export type Wanted = {
  types: readonly SearchType[];
  /** null: only the exact issue. */
  query: IndexQuery | null;
  prepared: Prepared;
  /** Scores depend on it, so all pages have the same. */
  now: string;
  after: Cursor | null;
  limit: number;
};

/** Objects that the caller sees, by score. */
export function search(ctx: InWorkspace, wanted: Wanted): Promise<FoundRow[]> {
  const { types, query, prepared, after, limit } = wanted;
  const exact = types.includes("issue") ? prepared.exact_id : null;
  const values: unknown[] = [ctx.workspace.id, ...visibility(ctx.principal), exact, limit];
  const bound = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const kinds = types.flatMap((type): Kind[] => (type === "comment" ? ["comment", "doc_comment"] : [type]));
  const parts = query === null ? [] : kinds.map((kind) => candidates(kind, ctx, { ...wanted, query }, bound));
  const beyond =
    after === null
      ? ""
      : `where (score, updated_at, id) < (${bound(after[1], "float8")}, ${bound(after[2], "timestamptz")}, ${bound(after[3], "uuid")})`;
  return ctx.db.query<FoundRow>(
    {
      text: `
        with ${parts.map(({ ctes }) => `${ctes},`).join("\n")}
        found as (
          select 'issue' as kind, i.id, i.updated_at, 1000::float8 as score from issue i
          where i.workspace_id = $1 and i.id = $6::uuid
          ${parts.map(({ rows }) => `union all ${rows}`).join("\n")}),
        page as materialized (
          select * from found ${beyond} order by score desc, updated_at desc, id desc limit $7)
        select ${COLUMNS} from page ${JOINS}
        order by page.score desc, page.updated_at desc, page.id desc`,
    },
    values,
  );
}

function candidates(
  kind: Kind,
  { workspace, principal }: InWorkspace,
  { query, prepared, now }: Wanted & { query: IndexQuery },
  bound: (value: unknown, type: string) => string,
): { ctes: string; rows: string } {
  const { from, where, text, closed } = KINDS[kind];
  const scope = scopeOf(kind, { workspaceId: workspace.id, userId: principal.user_id }, prepared);
  const exact = query.exact === null ? "true" : `search @@ ${bound(query.exact, "tsquery")}`;
  const age = `extract(epoch from ${bound(now, "timestamptz")} - o.updated_at) / 86400`;
  const recency = `greatest(0.5, power(0.5, greatest(0, ${age}) / 180))`;
  const words = text === null ? [] : query.terms.map((term) => text(bound(term, "tsquery")));
  const average = words.length === 0 ? ELSEWHERE : `(${words.join(" + ")}) / ${words.length}`;
  const score = `round(1e6 * (${average})::float8 * ${recency} * case when ${closed} then 0.7 else 1 end) / 1e6`;
  const names = periodsOf(now).map((_, n) => `${kind}_${n}`);
  const ctes = periodsOf(now).map((period, n) => {
    const earlier = names.slice(0, n).map((name) => `(select count(*) from ${name})`);
    const condition = [query.candidates, scope, period].filter(Boolean).join(" & ");
    return `
      ${names[n]} as materialized (
        select id, updated_at, score from (
          select o.id, o.updated_at, o.search, ${score} as score from ${from}
          where o.workspace_id = $1 and o.search @@ ${bound(condition, "tsquery")} and ${where}
            ${earlier.length > 0 ? `and ${earlier.join(" + ")} < ${ENOUGH}` : ""}
          limit ${MOST}) candidate
        where ${exact})`;
  });
  return {
    ctes: ctes.join(","),
    rows: names.map((name) => `select '${kind}', id, updated_at, score from ${name}`).join(" union all "),
  };
}

const COLUMNS = `
  case when page.kind = 'doc_comment' then 'comment' else page.kind end as type, page.id, page.updated_at, page.score,
  coalesce(i.title, d.title, c.name, 'Direct message') as title, i.key, i.status,
  p.key as project_key, p.slug as project_slug, d.id as doc_id, c.id as channel_id,
  left(coalesce(case page.kind when 'issue' then i.description_md when 'doc' then d.body_md
                               when 'comment' then ic.body_md when 'doc_comment' then dc.body_md
                               else m.body_md end, ''), ${BODY}) as body`;

const JOINS = `
  left join comment ic on page.kind = 'comment' and ic.id = page.id
  left join issue i on i.id = case page.kind when 'issue' then page.id else ic.issue_id end
  left join doc_comment dc on page.kind = 'doc_comment' and dc.id = page.id
  left join doc d on d.id = case page.kind when 'doc' then page.id else dc.doc_id end
  left join chat_message m on page.kind = 'message' and m.id = page.id
  left join chat_channel c on c.id = m.channel_id
  left join project p on p.id = coalesce(i.project_id, d.project_id, c.project_id)`;
