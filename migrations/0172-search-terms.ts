import { Migration } from "@mikro-orm/migrations";

/**
 * Rows with all terms of a search, for lists of issues: words match the beginning of longer words, as in the search of the
 * workspace. Older rows are indexed by the words that Postgres' parser finds.
 */
export class SearchTerms extends Migration {
  override up(): void {
    this.addSql(`
      create function search_terms(terms jsonb) returns tsquery language sql immutable strict parallel safe as $$
        select coalesce(string_agg(case when negated then '!' else '' end || '(' || query::text || ')', ' & '), '')::tsquery
        from (
          select negated, case when negated or parsed = words then wanted else wanted || parsed end as query
          from (
            select (term ->> 'negated')::boolean as negated, search_query(term ->> 'text', (term ->> 'prefix')::boolean) as wanted,
                   search_query(term ->> 'text', false) as words, plainto_tsquery('simple', term ->> 'text') as parsed
            from jsonb_array_elements(terms) term) read) queries
        where numnode(query) > 0 $$`);
  }
}
