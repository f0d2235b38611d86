import { visibility, visible, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { NamedIssue, Term } from "../../kernel/search-terms.ts";

/** What is looked up before the search itself. */
export type Prepared = {
  /** Each term as a tsquery; empty if nothing of it is indexed. */
  terms: { query: string; labels: string[] }[];
  /** Projects that the caller sees and that are not archived, MANY_SCOPES + 1 at most. */
  projects: string[];
  /** Whether these are most of the workspace's projects. */
  most: boolean;
  /** Whether the caller sees objects of the whole workspace. */
  shared: boolean;
  /** Channels that the caller sees, MANY_SCOPES + 1 at most. */
  channels: string[];
  /** The issue whose key or address the query is, if the caller sees it. */
  exact_id: string | null;
  /** Issues of large projects whose title is the query. Searches compare the newest issues only, if words are common. */
  titled: string[];
};

/** The index searches up to this number of projects or channels separately. Above it, it searches the workspace. */
export const MANY_SCOPES = 100;
/**
 * Numbers of issues of all projects together between which titles are looked for. With fewer issues all are compared, and
 * with more it takes the index too long to find those that have several common words.
 */
const TITLES = { least: 1_000, most: 20_000 };
/** Issues with all words whose titles are compared: those that were not changed for the longest time come first. */
const COMPARED = 2_000;
const MAX_TITLED = 20;
/** Labels whose names match one word. Each project has labels of its own. */
const MAX_LABELS = 200;

/**
 * Channels that the caller sees and that are not archived; a member archives a direct message for themselves. `first`:
 * parameters of `visibility`.
 */
export const channelVisible = (first: number): string => `
  c.archived_at is null and p.archived_at is null
  and (c.kind = 'public' or exists (
    select from chat_member own
    where own.channel_id = c.id and own.user_id = $${first + 3}::uuid and own.hidden_at is null))`;

/** Converts the terms with the same functions that made the index, and finds out where to search. */
export async function prepare(
  { db, workspace, principal }: InWorkspace,
  terms: readonly Term[],
  issue: NamedIssue | null,
  title: string,
): Promise<Prepared> {
  const [row] = await db.query<Prepared>(
    {
      name: "search_prepare",
      text: `
        with seen as materialized (
          select p.id from project p where p.workspace_id = $1 and p.archived_at is null and ${visible(2)}
          limit ${MANY_SCOPES + 1}),
        term as materialized (
          select n, search_query(t.text, t.prefix) as query
          from unnest($6::text[], $7::boolean[]) with ordinality as t(text, prefix, n)),
        -- Null if there is nothing to look for.
        words as materialized (
          select (string_agg('(' || replace(term.query::text, ':*', '') || ')', ' & ') || ' & ' || (
            select '(' || string_agg(quote_literal(search_tag('p', c.project_id)), ' | ') || ')'
            from seen join issue_counter c on c.project_id = seen.id
            having sum(c.last_number) between ${TITLES.least} and ${TITLES.most}))::tsquery as query
          from term where numnode(term.query) > 0)
        select
          (select coalesce(json_agg(json_build_object('query', term.query::text, 'labels', array(
             select search_tag('l', l.id) from label l join project p on p.id = l.project_id
             where l.workspace_id = $1 and p.archived_at is null and ${visible(2)}
               and l.search @@ (term.query && ('''' || search_tag('w', $1) || '''')::tsquery)
             limit ${MAX_LABELS})) order by n), '[]')
           from term) as terms,
          array(select id from seen) as projects,
          (select count(*) from seen) * 2 >= (select count(*) from (
             select from project where workspace_id = $1 limit ${2 * MANY_SCOPES + 2}) existing) as most,
          $2::uuid[] is null and not $4::boolean as shared,
          array(
            select c.id from chat_channel c left join project p on p.id = c.project_id
            where c.workspace_id = $1 and ${channelVisible(2)} and ${visibleObject(2)}
            limit ${MANY_SCOPES + 1}) as channels,
          (select i.id from issue i join project p on p.id = i.project_id
           where p.workspace_id = $1 and (i.id = $11::uuid or p.key = $8 and i.number = $9::int) and i.archived_at is null
             and p.archived_at is null and ${visible(2)}) as exact_id,
          array(
            select i.id from (
              select i.id, i.title, i.project_id, i.updated_at from issue i
              where i.workspace_id = $1 and i.archived_at is null and i.search @@ (select query from words)
              limit ${COMPARED}) i
            where lower(i.title) = lower($10) and i.project_id in (select id from seen)
            order by i.updated_at desc, i.id desc limit ${MAX_TITLED}) as titled`,
    },
    [
      workspace.id,
      ...visibility(principal),
      terms.map(({ text }) => text),
      terms.map(({ prefix }) => prefix),
      ...(issue && "number" in issue ? [issue.project, issue.number] : [null, null]),
      title,
      issue && "id" in issue ? issue.id : null,
    ],
  );
  return row!;
}
