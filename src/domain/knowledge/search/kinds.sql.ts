import { seesOneOf, visible, visibleDoc, visibleObject } from "../../access/identity/visible.sql.ts";
import type { SearchType } from "./inputs.ts";
import { channelVisible } from "./prepare.sql.ts";

/** The tables that are searched. */

export type Kind = SearchType | "doc_comment";

export type KindSql = {
  /**
   * The row `o` with the objects it belongs to, and its project `p`. Left joins, although these exist, because a plan that
   * begins with the projects would read the index once for each.
   */
  from: string;
  /**
   * The table in `from`, and the indexed column by which the newest rows of a project are read one after the other; null
   * if there is no such index. `columns`: what the rest of this reads of such a row, besides its id and workspace.
   */
  newest: { table: string; by: string; live: string; columns: readonly string[] } | null;
  /** Whether the table is large: the newest rows are searched first, and older ones count less. */
  large: boolean;
  /** Whether the row is live and the caller sees it. $2 to $5: `visibility`, $6: the issues whose key or title is searched for. */
  where: string;
  /** How much a word in a candidate `o` counts; null: see ELSEWHERE. */
  word: ((query: string) => string) | null;
  /** Columns of candidates that `word` reads. */
  head: string;
  /** Whether the row belongs to a closed issue. */
  closed: string;
  /** What results show. */
  title: string;
  issue: "o" | "i" | null;
  docId: string;
  channelId: string;
  body: string;
};

const NONE = "null::uuid";
const NOT_OF_ISSUES = { closed: "false", issue: null } as const;
const NOT_IN_ORDER = { newest: null, large: true } as const;
const REMARK = { word: null, head: "null", body: "o.body_md" } as const;
const SMALL = { ...NOT_OF_ISSUES, newest: null, large: false, head: "o.search", docId: NONE, channelId: NONE } as const;

/** The score of a word in the name, and of one elsewhere. */
const inName = (elsewhere: number) => (query: string) =>
  `case when ts_filter(o.search_head, '{a}') @@ ${query} then 1::float8 else ${elsewhere} end`;

/** Whether the caller sees the address of the member `m`: guests see their own alone. */
const SEES_EMAIL = "($3::boolean or not $4::boolean or m.user_id = $5::uuid)";

export const KINDS: Record<Kind, KindSql> = {
  issue: {
    from: "issue o left join project p on p.id = o.project_id",
    newest: {
      table: "issue",
      by: "updated_at",
      live: "archived_at is null",
      columns: ["project_id", "status", "search_head", "archived_at"],
    },
    large: true,
    where: `o.archived_at is null and p.archived_at is null and o.id <> all($6::uuid[]) and ${visible(2)}`,
    word: (query) => `
      case when not o.search_head @@ ${query} then 0.2::float8
           when ts_filter(o.search_head, '{a}') @@ ${query} then 1 else 0.4 end`,
    head: "o.search_head",
    closed: "o.status in ('done', 'failed', 'cancelled')",
    title: "o.title",
    issue: "o",
    docId: NONE,
    channelId: NONE,
    body: "o.description_md",
  },
  doc: {
    ...NOT_OF_ISSUES,
    ...NOT_IN_ORDER,
    from: "doc o left join project p on p.id = o.project_id",
    where: `o.archived_at is null and p.archived_at is null and ${visibleDoc(2).replaceAll("d.", "o.")}`,
    word: (query) => `case when o.search_head @@ ${query} then 1::float8 else 0.2 end`,
    head: "o.search_head",
    title: "o.title",
    docId: "o.id",
    channelId: NONE,
    body: "o.body_md",
  },
  comment: {
    ...REMARK,
    from: "comment o left join issue i on i.id = o.issue_id left join project p on p.id = i.project_id",
    newest: { table: "comment", by: "created_at", live: "deleted_at is null", columns: ["issue_id", "deleted_at"] },
    large: true,
    where: `o.deleted_at is null and i.archived_at is null and p.archived_at is null and ${visible(2)}`,
    closed: "i.status in ('done', 'failed', 'cancelled')",
    title: "i.title",
    issue: "i",
    docId: NONE,
    channelId: NONE,
  },
  doc_comment: {
    ...REMARK,
    ...NOT_OF_ISSUES,
    ...NOT_IN_ORDER,
    from: "doc_comment o left join doc d on d.id = o.doc_id left join project p on p.id = d.project_id",
    where: `o.deleted_at is null and d.archived_at is null and p.archived_at is null and ${visibleDoc(2)}`,
    title: "d.title",
    docId: "d.id",
    channelId: NONE,
  },
  message: {
    ...REMARK,
    ...NOT_OF_ISSUES,
    ...NOT_IN_ORDER,
    from: "chat_message o left join chat_channel c on c.id = o.channel_id left join project p on p.id = c.project_id",
    where: `o.deleted_at is null and ${channelVisible(2)} and ${visibleObject(2)}`,
    title: "coalesce(c.name, 'Direct message')",
    docId: NONE,
    channelId: "c.id",
  },
  project: {
    ...SMALL,
    from: `project p cross join lateral (
      select p.id, p.workspace_id, p.updated_at, p.search, p.name, p.description_md) o`,
    where: `p.archived_at is null and ${visible(2)}`,
    word: inName(0.2),
    title: "o.name",
    body: "o.description_md",
  },
  person: {
    ...SMALL,
    from: `member m cross join lateral (
      select m.user_id as id, m.workspace_id, m.joined_at as updated_at, m.search) o
      left join app_user u on u.id = m.user_id left join project p on false`,
    where: `u.kind = 'person' and ($2::uuid[] is null or ${seesOneOf(2)})`,
    word: inName(0.4),
    title: "u.name",
    body: `case when ${SEES_EMAIL} then u.email end`,
  },
  goal: {
    ...SMALL,
    from: "goal o left join project p on false",
    where: `o.deleted_at is null and ${visibleObject(2)}`,
    word: inName(0.2),
    title: "o.title",
    body: "o.description_md",
  },
};
